import { Type } from '@sinclair/typebox';
import { RAISABLE_LIMITS, setLimit } from '../../modules/app-settings/index.ts';
import { OneOf } from '../../shared/schema.ts';
import { defineCommand } from '../command.ts';
import { table } from '../table.ts';

const MAX_POINTS = 1_000_000_000_000;

export const limitsCommand = defineCommand({
  name: 'limits',
  summary: 'Show or raise the rate limits of one app',
  input: Type.Object({
    app: Type.String({ description: 'Id of the app' }),
    name: Type.Optional(OneOf(RAISABLE_LIMITS, { description: RAISABLE_LIMITS.join(', ') })),
    points: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_POINTS,
        description: 'Requests a minute (eventsPerDay: events a day); 0 for the usual figure',
      }),
    ),
  }),
  run: async (ctx, { app, name, points }) => {
    const data = await setLimit(ctx, { appId: app, name, points });
    const rows = data.map((limit) => [limit.name, String(limit.points)]);
    return {
      data,
      text: rows.length === 0 ? 'The usual limits.' : table(['NAME', 'POINTS'], rows),
    };
  },
});
