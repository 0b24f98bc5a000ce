import { Type } from '@sinclair/typebox';
import { setRetention } from '../../modules/app-settings/index.ts';
import { defineCommand } from '../command.ts';
import { table } from '../table.ts';

const MAX_DAYS = 4_000;

const days = (what: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_DAYS,
      description: `Days to keep ${what}; 0 for ever`,
    }),
  );

export const retentionCommand = defineCommand({
  name: 'retention',
  summary: 'Show or set for how many days an app keeps events, logs and store notifications',
  input: Type.Object({
    app: Type.String({ description: 'Id of the app' }),
    events: days('events'),
    logs: days('logs'),
    notifications: days('raw store notifications'),
  }),
  run: async (ctx, { app, ...given }) => {
    const data = await setRetention(ctx, { appId: app, ...given });
    const rows = Object.entries(data).map(([kind, kept]) => [
      kind,
      kept === null ? 'ever' : `${kept}`,
    ]);
    return { data, text: table(['KIND', 'DAYS'], rows) };
  },
});
