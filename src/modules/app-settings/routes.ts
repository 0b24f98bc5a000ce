import { Elysia } from 'elysia';
import { access } from '../../http/route.ts';
import { AppSettings, AppSettingsPatch } from './model.ts';
import { getAppSettings, patchAppSettings } from './settings.ts';

export const appSettingsRoutes = new Elysia({
  prefix: '/v1/apps/:id/settings',
  detail: { tags: ['Apps'] },
})
  .use(access)
  .get('', ({ ctx }) => getAppSettings(ctx), {
    forApp: { permission: 'analytics:read' },
    response: { 200: AppSettings },
    detail: {
      operationId: 'getAppSettings',
      summary: 'The settings of an app',
      description:
        'The timezone cuts the days of event figures; UTC until it is set. Figures of the past are cut anew when it changes.',
    },
  })
  .patch('', ({ ctx, body }) => patchAppSettings(ctx, body), {
    forApp: { permission: 'app:update' },
    body: AppSettingsPatch,
    response: { 200: AppSettings },
    detail: {
      operationId: 'updateAppSettings',
      summary: 'Change some of the settings of an app',
      description: 'What is left out stays as it is.',
    },
  });
