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

export const AuditEntry = Named('AuditEntry', {
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
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditPage = Named('AuditPage', {
  entries: Type.Array(AuditEntry),
  nextCursor: Nullable(Type.String()),
});
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
export const AuditSettings = Named('AuditSettings', Settings);
export const ChangeAuditSettings = Named('ChangeAuditSettings', Settings, {
  examples: [{ keptDays: 730 }],
});
export type AuditSettings = Static<typeof AuditSettings>;
