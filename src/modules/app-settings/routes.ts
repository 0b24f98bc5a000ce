import { taggedRoutes } from '../../http/route.ts';
import { AppRetention, AppRetentionPatch, AppSettings, AppSettingsPatch } from './model.ts';
import {
  getAppSettings,
  patchAppSettings,
  getAppRetention,
  patchAppRetention,
} from './settings.ts';

export const appSettingsRoutes = taggedRoutes('Apps', '/v1/apps/:id')
  .get('/settings', ({ ctx }) => getAppSettings(ctx), {
    forApp: { permission: 'analytics:read' },
    response: { 200: AppSettings },
    detail: {
      operationId: 'getAppSettings',
      summary: 'The settings of an app',
      description:
        'The timezone cuts the days of event figures; UTC until it is set. Figures of the past are cut anew when it changes.',
    },
  })
  .patch('/settings', ({ ctx, body }) => patchAppSettings(ctx, body), {
    forApp: { permission: 'app:update' },
    body: AppSettingsPatch,
    response: { 200: AppSettings },
    detail: {
      operationId: 'updateAppSettings',
      summary: 'Change some of the settings of an app',
      description: 'What is left out stays as it is.',
    },
  })
  .get('/retention', ({ ctx }) => getAppRetention(ctx), {
    forApp: { permission: 'app:read' },
    response: { 200: AppRetention },
    detail: {
      operationId: 'getAppRetention',
      summary: 'For how many days an app keeps events, logs and raw store notifications',
      description:
        'What is older is deleted for good by the maintenance of files, within about a day.',
    },
  })
  .patch('/retention', ({ ctx, body }) => patchAppRetention(ctx, body), {
    forApp: { permission: 'app:delete', errors: ['conflict'] },
    body: AppRetentionPatch,
    response: { 200: AppRetention },
    detail: {
      operationId: 'updateAppRetention',
      summary: 'Change for how many days an app keeps things',
      description:
        'What is left out stays as it is. Keeping less than before is refused with 409 unless `deleteOlder` is true.',
    },
  });
