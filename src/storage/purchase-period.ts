import type { Db, Fragment } from './postgres.ts';

/** For a row with the snapshot of a transaction: the trial of `periodKind` (purchases). */
export const isTrialText = (row: string): string => `(${row}.snapshot ->> 'freeTrial')::boolean`;

/** Milliseconds; neither the proration of an upgrade nor the end of sharing is a refund. */
export const refundedMsText = (row: string): string => `
  CASE WHEN ${row}.snapshot ->> 'ownership' = 'purchased'
    THEN coalesce((${row}.snapshot ->> 'refundedAt')::bigint,
      CASE WHEN (${row}.snapshot ->> 'upgraded')::boolean IS NOT TRUE
        THEN (${row}.snapshot ->> 'revokedAt')::bigint END) END`;

export const refundedMs = (db: Db, row: string): Fragment => db.unsafe(refundedMsText(row));

/** Begins the id of every chain of Google Play. */
export const PLAY_CHAIN = 'gp_';

/** `isFirstOfChain` of purchases. */
export const isFirstOfChain = (db: Db, row: string): Fragment =>
  db`(${db(row)}.transaction_id = ${db(row)}.original_transaction_id
    OR (starts_with(${db(row)}.original_transaction_id, ${PLAY_CHAIN})
      AND ${db(row)}.transaction_id NOT LIKE '%..%'
      AND (${db(row)}.snapshot ->> 'isAddOn')::boolean IS NOT TRUE
      AND NOT EXISTS (
        SELECT 1 FROM purchase_transactions earlier
        WHERE earlier.org_id = ${db(row)}.org_id AND earlier.app_id = ${db(row)}.app_id
          AND earlier.environment = ${db(row)}.environment
          AND earlier.original_transaction_id = ${db(row)}.original_transaction_id
          AND (earlier.snapshot ->> 'purchasedAt')::bigint
            < (${db(row)}.snapshot ->> 'purchasedAt')::bigint)))`;

export const isTrial = (db: Db, row: string): Fragment => db.unsafe(isTrialText(row));
