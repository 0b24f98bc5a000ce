import { type Static, Type } from '@sinclair/typebox';
import { Author } from '../../../shared/author.ts';
import { DateTime, Named, Nullable, OneOf, QueryInteger } from '../../../shared/schema.ts';
import { Text } from '../../../shared/text.ts';
import { EntitlementName } from './names.ts';

export const PurchaseGrant = Type.Object(
  {
    id: Type.String(),
    userId: Nullable(Type.String({ description: 'Null of a grant to a device.' })),
    anonymousId: Type.Optional(
      Type.String({ description: 'Of a grant to a device on which nobody signed in.' }),
    ),
    productId: Nullable(Type.String({ description: 'Null of a grant by name.' })),
    entitlement: Type.Optional(
      Type.String({ description: 'The named entitlement, of a grant by name.' }),
    ),
    expiresAt: Nullable(DateTime),
    note: Nullable(Type.String()),
    grantedAt: DateTime,
    grantedBy: Author,
    endedAt: Nullable(DateTime),
    endReason: Nullable(OneOf(['revoked', 'expired'])),
  },
  {
    title: 'PurchaseGrant',
    description: 'A promotional entitlement: a product, or what a name stands for, without paying.',
  },
);
export type PurchaseGrant = Static<typeof PurchaseGrant>;

export type Holder = { kind: 'user' | 'anonymous'; id: string };

export const holderOf = ({ userId, anonymousId = '' }: PurchaseGrant): Holder =>
  userId === null ? { kind: 'anonymous', id: anonymousId } : { kind: 'user', id: userId };

export const nameGranted = ({ productId, entitlement }: PurchaseGrant): string =>
  productId ?? entitlement ?? '';

export const NAMES_A_TRANSACTION = 'is a transaction: name it as originalTransactionId';
export const NAMES_NOBODY = 'must be given, or anonymousId, or originalTransactionId';

export const GrantBody = Named(
  'NewPurchaseGrant',
  {
    userId: Type.Optional(Text(1, 128)),
    anonymousId: Type.Optional({
      ...Text(8, 128),
      description: 'In place of userId: of the device, or of the user who signed in on it.',
    }),
    originalTransactionId: Type.Optional({
      ...Text(1, 128),
      description: 'In place of userId: whoever holds this purchase. Any of its transactions.',
    }),
    productId: Type.Optional(Text(1, 256)),
    entitlement: Type.Optional({
      ...EntitlementName,
      description: 'A named entitlement of the app, in place of productId.',
    }),
    expiresAt: Type.Optional(
      Nullable(
        Type.String({
          format: 'date-time',
          description: 'In the future; without it, or null, the grant lasts until it is revoked.',
        }),
      ),
    ),
    note: Type.Optional(Nullable(Text(1, 500))),
  },
  {
    examples: [
      { userId: 'user-4711', productId: 'pro.monthly', expiresAt: '2027-01-01T00:00:00.000Z' },
    ],
  },
);
export type GrantInput = Static<typeof GrantBody>;

export const GRANT_PAGE = 50;

export const GrantsQuery = Type.Object({
  userId: Type.Optional(Text(1, 128)),
  cursor: Type.Optional(Text(1, 64)),
  limit: Type.Optional(QueryInteger(1, 200, { whenLeftOut: GRANT_PAGE })),
});
export type GrantsInput = Static<typeof GrantsQuery>;

export const GrantsPage = Type.Object(
  { grants: Type.Array(PurchaseGrant), nextCursor: Nullable(Type.String()) },
  { title: 'PurchaseGrantsPage' },
);
export type GrantsPage = Static<typeof GrantsPage>;
