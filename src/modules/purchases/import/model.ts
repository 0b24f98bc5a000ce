import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable, OneOf, QueryInteger } from '../../../shared/schema.ts';

export const IMPORT_COLUMNS = ['userId', 'originalTransactionId'] as const;

export const REFUSAL_PAGE = 200;

export const ImportBody = Named(
  'NewPurchaseImport',
  {
    csv: Type.String({
      minLength: 1,
      maxLength: 65_000,
      description:
        'A header `userId,originalTransactionId`, then a line for each purchase. A larger file is sent in parts, each with the header.',
    }),
  },
  { examples: [{ csv: 'userId,originalTransactionId\nuser-4711,2000000512345678\n' }] },
);
export type ImportInput = Static<typeof ImportBody>;

export const IMPORT_REFUSALS = [
  'invalid_line',
  'unknown_transaction',
  'other_app',
  'other_account',
  'held_by_another',
  'erased_person',
] as const;
export type ImportRefusal = (typeof IMPORT_REFUSALS)[number];

export const ImportQuery = Type.Object({
  afterLine: Type.Optional(QueryInteger(1, 1_000_000)),
  limit: Type.Optional(QueryInteger(1, 1_000, { whenLeftOut: REFUSAL_PAGE })),
});
export type ImportQuery = Static<typeof ImportQuery>;

const COUNTS = {
  id: Type.String(),
  status: OneOf(['running', 'finished']),
  total: Type.Integer({ description: 'Lines after the header that are not empty.' }),
  waiting: Type.Integer(),
  bound: Type.Integer({ description: 'Verified with the store, and held by their users.' }),
  refused: Type.Integer(),
  createdAt: DateTime,
  finishedAt: Nullable(DateTime),
  lastError: Nullable(
    Type.String({
      description: 'Why it waits, such as a missing purchase key; it goes on by itself.',
    }),
  ),
};

export const PurchaseImport = Named('PurchaseImport', {
  ...COUNTS,
  refusals: Type.Array(
    Type.Object({
      line: Type.Integer({ description: 'Of the file; the header is line 1.' }),
      userId: Type.String(),
      originalTransactionId: Type.String(),
      reason: OneOf(IMPORT_REFUSALS),
    }),
    { description: 'By line, those after `afterLine`.' },
  ),
  nextAfterLine: Nullable(Type.Integer()),
});
export type PurchaseImport = Static<typeof PurchaseImport>;
