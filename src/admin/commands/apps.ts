import { Type } from '@sinclair/typebox';
import { RAISABLE_LIMITS, setLimit, setRetention } from '../../modules/app-settings/index.ts';
import { MAX_CONVERSION_HOURS, setFunnelWindow } from '../../modules/funnels/index.ts';
import { setPreviewRunner } from '../../modules/preview/index.ts';
import { OneOf } from '../../shared/schema.ts';
import { Text } from '../../shared/text.ts';
import { defineCommand } from '../command.ts';
import { table } from '../table.ts';

const MAX_POINTS = 1_000_000_000_000;
const MAX_DAYS = 4_000;

const APP = Type.String({ description: 'Id of the app' });

export const funnelWindowCommand = defineCommand({
  name: 'funnel-window',
  summary: 'Set the default conversion window of an app',
  input: Type.Object({
    app: APP,
    hours: Type.Integer({
      minimum: 1,
      maximum: MAX_CONVERSION_HOURS,
      description: `1 to ${MAX_CONVERSION_HOURS}`,
    }),
  }),
  audited: 'rows',
  run: async (ctx, { app, hours }) => {
    const data = await setFunnelWindow(ctx, { appId: app, hours });
    return { data, text: `People of ${app} have ${hours} hours to convert.` };
  },
});

export const limitsCommand = defineCommand({
  name: 'limits',
  summary: 'Show or raise the rate limits of one app',
  input: Type.Object({
    app: APP,
    name: Type.Optional(OneOf(RAISABLE_LIMITS, { description: RAISABLE_LIMITS.join(', ') })),
    points: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_POINTS,
        description: 'Requests a minute (eventsPerDay: events a day); 0 for the usual figure',
      }),
    ),
  }),
  audited: 'rows',
  run: async (ctx, { app, name, points }) => {
    const data = await setLimit(ctx, { appId: app, name, points });
    const rows = data.map((limit) => [limit.name, String(limit.points)]);
    return {
      data,
      text: rows.length === 0 ? 'The usual limits.' : table(['NAME', 'POINTS'], rows),
    };
  },
});

export const previewSetCommand = defineCommand({
  name: 'preview set',
  summary: 'Set the command that runs the preview of an app',
  input: Type.Object({
    app: APP,
    command: Type.Optional(
      Text(1, 4_000, { description: 'A shell command; omit it for no runner' }),
    ),
  }),
  audited: 'act',
  run: async (ctx, { app, command }) => {
    const data = await setPreviewRunner(ctx, { appId: app, command: command ?? null });
    const text = command === undefined ? 'The app has no runner.' : `The runner is: ${command}`;
    return { data, text };
  },
});

const days = (what: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_DAYS,
      description: `Days to keep ${what}; 0 for ever`,
    }),
  );

/** 0 on the command line means for ever. */
const toDays = (count: number) => (count === 0 ? null : count);

export const retentionCommand = defineCommand({
  name: 'retention',
  summary: 'Show or set for how many days an app keeps events, logs and store notifications',
  input: Type.Object({
    app: APP,
    events: days('events'),
    logs: days('logs'),
    notifications: days('raw store notifications'),
    deleteOlder: Type.Optional(
      Type.Boolean({ description: 'Required to keep less than before: older data is deleted' }),
    ),
  }),
  audited: 'rows',
  run: async (ctx, { app, events, logs, notifications, deleteOlder = false }) => {
    const kept = await setRetention(ctx, {
      appId: app,
      deleteOlder,
      ...(events !== undefined && { eventDays: toDays(events) }),
      ...(logs !== undefined && { logDays: toDays(logs) }),
      ...(notifications !== undefined && { notificationDays: toDays(notifications) }),
    });
    const data = {
      events: kept.eventDays,
      logs: kept.logDays,
      notifications: kept.notificationDays,
    };
    const rows = Object.entries(data).map(([kind, count]) => [kind, String(count ?? 'ever')]);
    return { data, text: table(['KIND', 'DAYS'], rows) };
  },
});
