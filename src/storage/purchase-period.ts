import type { Db, Fragment } from './postgres.ts';

/** Of a row with the snapshot of a transaction: the trial of `periodKind` (purchases). */
export const isTrialText = (row: string): string => `(${row}.snapshot ->> 'freeTrial')::boolean`;

/** Milliseconds; the proration of an upgrade is no refund. */
export const refundedMs = (db: Db, row: string): Fragment => db`
  coalesce((${db(row)}.snapshot ->> 'refundedAt')::bigint,
    CASE WHEN NOT (${db(row)}.snapshot ->> 'upgraded')::boolean
      THEN (${db(row)}.snapshot ->> 'revokedAt')::bigint END)`;

/** `isFirstOfChain` of purchases. */
export const isFirstOfChain = (db: Db, row: string): Fragment =>
  db`${db(row)}.transaction_id = ${db(row)}.original_transaction_id`;

export const isTrial = (db: Db, row: string): Fragment => db.unsafe(isTrialText(row));
