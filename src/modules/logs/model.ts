import { type Static, Type } from '@sinclair/typebox';
import { Named, OneOf, QueryInteger, QueryNumber } from '../../shared/schema.ts';
import { AnyText, Text } from '../../shared/text.ts';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const DEFAULT_SERVICE = 'service-dashboard';
export const DEFAULT_PAGE = 100;

export const IngestLogBody = Named(
  'NewLogEntry',
  {
    level: Type.Optional(OneOf(LOG_LEVELS, { whenLeftOut: 'info' })),
    message: AnyText(1, 2_000),
    service: Type.Optional(Text(0, 64, { whenLeftOut: DEFAULT_SERVICE })),
    fields: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Any JSON up to 32 levels deep. `env`, `requestId` and `appId` can be filtered by when they are strings.',
      }),
    ),
  },
  {
    examples: [
      { level: 'warn', message: 'Report took 4 s', fields: { env: 'production', ms: 4012 } },
    ],
  },
);
export type IngestLogInput = Static<typeof IngestLogBody>;

export const LogAccepted = Named('AcceptedLogEntry', { accepted: Type.Literal(true) });
export type LogAccepted = Static<typeof LogAccepted>;

export const LogQuery = Type.Object({
  resource: Type.Optional(AnyText(0, 256, { description: 'The `service`' })),
  level: Type.Optional(OneOf(LOG_LEVELS)),
  q: Type.Optional(
    AnyText(0, 500, { description: 'Found anywhere in message and fields, any case' }),
  ),
  since: Type.Optional(QueryNumber({ description: 'Milliseconds since 1970, included' })),
  until: Type.Optional(QueryNumber({ description: 'Milliseconds since 1970, included' })),
  env: Type.Optional(AnyText(0, 256, { description: 'Empty: entries without one' })),
  requestId: Type.Optional(Text(0, 128)),
  limit: Type.Optional(QueryInteger(1, 1_000, { whenLeftOut: DEFAULT_PAGE })),
});
export type LogQuery = Static<typeof LogQuery>;

export type LogEntry = {
  id: string;
  timestamp: string;
  level: LogLevel;
  service: string;
  message: string;
  env: string | null;
  requestId: string | null;
  fields: Record<string, unknown>;
};

export const LogPage = Named('LogPage', {
  entries: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
    description: 'Newest first',
  }),
  resources: Type.Array(Type.String()),
  envs: Type.Array(Type.String()),
  total: Type.Number({ description: 'Entries that match, on this page or not' }),
  source: OneOf(['database', 'memory']),
  dropped: Type.Number({
    description: 'Entries of this organization that were lost because memory was full',
  }),
});
export type LogPage = Static<typeof LogPage>;
