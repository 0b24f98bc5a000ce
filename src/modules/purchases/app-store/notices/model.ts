import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable, OneOf, QueryInteger } from '../../../../shared/schema.ts';
import { Environment } from '../../model/wire.ts';

const KINDS = ['consent_rescinded', 'external_purchase_token'] as const;
export type NoticeKind = (typeof KINDS)[number];

export const NOTICE_KINDS: Readonly<Record<string, NoticeKind>> = {
  RESCIND_CONSENT: 'consent_rescinded',
  EXTERNAL_PURCHASE_TOKEN: 'external_purchase_token',
};

const Ids = Type.Array(Type.String(), {
  description: 'People who hold purchases of the customer.',
});

export const StoreNotice = Named('StoreNotice', {
  id: Type.String({ description: "The store's id of the notification." }),
  environment: Environment,
  kind: OneOf(KINDS),
  reason: Nullable(Type.String({ description: "The notification's subtype." })),
  appTransactionId: Nullable(
    Type.String({
      description:
        'The customer of `consent_rescinded`; null where the store named nobody, or the person was erased.',
    }),
  ),
  externalPurchaseId: Nullable(Type.String({ description: 'Of `external_purchase_token`.' })),
  tokenCreatedAt: Nullable(DateTime),
  userIds: Ids,
  anonymousIds: Ids,
  notifiedAt: DateTime,
  receivedAt: DateTime,
  resolvedAt: Nullable(DateTime),
});
export type StoreNotice = Static<typeof StoreNotice>;

export const NOTICE_PAGE = 50;

export const StoreNoticesQuery = Type.Object({
  state: Type.Optional(OneOf(['open', 'resolved'])),
  cursor: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}_.{1,128}$' })),
  limit: Type.Optional(QueryInteger(1, 200, { whenLeftOut: NOTICE_PAGE })),
});
export type StoreNoticesInput = Static<typeof StoreNoticesQuery>;

export const StoreNotices = Named('StoreNoticesPage', {
  notices: Type.Array(StoreNotice),
  nextCursor: Nullable(Type.String()),
});
export type StoreNotices = Static<typeof StoreNotices>;

export const StoreNoticeChange = Named(
  'StoreNoticeChange',
  { resolved: Type.Boolean({ description: 'Whether somebody dealt with it.' }) },
  { examples: [{ resolved: true }] },
);
