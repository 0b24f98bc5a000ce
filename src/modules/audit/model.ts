import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable, OneOf, QueryInteger, WindowDay } from '../../shared/schema.ts';
import { AnyText } from '../../shared/text.ts';

const Values = Nullable(Type.Record(Type.String(), Type.Unknown()));

export const AuditChange = Named('AuditChange', {
  of: Type.String({ description: 'What kind of thing: `flags`, `webhooks`, `member`.' }),
  id: Nullable(Type.Record(Type.String(), Type.Unknown(), { description: 'Its ids.' })),
  before: Values,
  after: Values,
});

const EXAMPLE = {
  id: 'aud_01kajw5g3me7t8q2w4r6y9b1cd',
  at: '2026-11-21T09:00:00.000Z',
  actorKind: 'user',
  actorId: 'Zk3mPq7t8q2w4r6y9b1cd',
  operation: 'deleteMark',
  appId: 'app_01kajw5fr2fgqt7v3s6z8x9a0b',
  changes: [],
  address: '192.0.2.7',
  userAgent: null,
  requestId: 'req_01kajw5g3me7t8q2w4r6y9b1ce',
};

export const AuditEntry = Named(
  'AuditEntry',
  {
    id: Type.String(),
    at: DateTime,
    actorKind: OneOf(['user', 'orgKey', 'operator', 'visitor'], {
      description:
        'A member, an organization key, whoever runs the service, or somebody not signed in.',
    }),
    actorId: Nullable(Type.String({ description: 'Of the account or the key.' })),
    operation: Type.String({ description: 'The `operationId`, or the command of the operator.' }),
    appId: Nullable(Type.String()),
    changes: Type.Array(AuditChange, {
      description:
        'Up to 50 rows, of a change only what changed, as the database names it. A secret is `(secret)`. Empty where an act changed nothing that is kept here, as a test delivery.',
    }),
    address: Nullable(Type.String()),
    userAgent: Nullable(Type.String()),
    requestId: Type.String(),
  },
  {
    examples: [EXAMPLE],
  },
);
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditPage = Named(
  'AuditPage',
  { entries: Type.Array(AuditEntry), nextCursor: Nullable(Type.String()) },
  { examples: [{ entries: [EXAMPLE], nextCursor: null }] },
);
export type AuditPage = Static<typeof AuditPage>;

const Id = (description: string) => Type.Optional(Type.String({ maxLength: 64, description }));

export const AuditQuery = Type.Object({
  limit: Type.Optional(QueryInteger(1, 200, { whenLeftOut: 50 })),
  cursor: Type.Optional(
    Type.String({
      pattern: '^aud_[0-9a-z]{26}$',
      description: '`nextCursor` of the page before.',
    }),
  ),
  actorId: Id('Only of this account or key.'),
  appId: Id('Only of this app.'),
  operation: Id('Only of this `operationId`, or command of the operator.'),
  of: Id('Only with a change of this kind of thing: `flags`, `webhooks`, `member`.'),
  objectId: Type.Optional(
    AnyText(1, 256, { description: 'Only with a change of the thing with this id.' }),
  ),
  from: Type.Optional({ ...WindowDay, description: 'On this day (UTC) or later.' }),
  to: Type.Optional({ ...WindowDay, description: 'On this day (UTC) or before.' }),
});
export type AuditQuery = Static<typeof AuditQuery>;

export const DEFAULT_KEPT_DAYS = 400;

const Settings = {
  keptDays: Type.Integer({
    minimum: 30,
    maximum: 3_650,
    description: `For so many days an entry is kept; ${DEFAULT_KEPT_DAYS} until somebody says otherwise.`,
  }),
};
const SETTINGS_EXAMPLES = { examples: [{ keptDays: 730 }] };
export const AuditSettings = Named('AuditSettings', Settings, SETTINGS_EXAMPLES);
export const ChangeAuditSettings = Named('ChangeAuditSettings', Settings, SETTINGS_EXAMPLES);
export type AuditSettings = Static<typeof AuditSettings>;
