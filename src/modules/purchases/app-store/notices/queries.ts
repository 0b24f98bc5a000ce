import type { AppScope } from '../../../../shared/app.ts';
import { REAL_PURCHASES } from '../../../../shared/environment.ts';
import type { TimePosition } from '../../../../shared/page.ts';
import {
  type Db,
  type Fragment,
  type Tx,
  hasRows,
  done,
  singleRow,
  column,
} from '../../../../storage/postgres.ts';
import { rowParser } from '../../../../storage/row-parser.ts';
import type { ChainRow } from '../../model/chain.ts';
import { StoreNotice } from './model.ts';

export type NewNotice = AppScope &
  Pick<
    StoreNotice,
    'environment' | 'kind' | 'reason' | 'appTransactionId' | 'externalPurchaseId'
  > & {
    noticeId: string;
    tokenCreatedAt: Date | null;
    notifiedAt: Date;
    receivedAt: Date;
  };

export const insertNotice = (tx: Tx, notice: NewNotice) =>
  hasRows(tx`
    INSERT INTO purchase_notices (org_id, app_id, environment, notice_id, kind, reason,
      app_transaction, external_purchase_id, token_created_at, notified_at, received_at)
    VALUES (${notice.orgId}, ${notice.appId}, ${notice.environment}, ${notice.noticeId},
      ${notice.kind}, ${notice.reason}, ${notice.appTransactionId}, ${notice.externalPurchaseId},
      ${notice.tokenCreatedAt}, ${notice.notifiedAt}, ${notice.receivedAt})
    ON CONFLICT DO NOTHING RETURNING 1`);

const toNotice = rowParser(StoreNotice, 'purchase_notices row');
const ofApp = (db: Db, { orgId, appId }: AppScope) => db`
  n.org_id = ${orgId} AND n.app_id = ${appId}`;
const ofCustomer = (db: Db) => db`t.app_id = n.app_id AND t.environment = n.environment
  AND t.app_transaction_id = n.app_transaction AND t.app_transaction_id <> ''`;

const selectListed = async (db: Db, where: Fragment): Promise<StoreNotice[]> => {
  const holders = (kind: string) => db`ARRAY(
    SELECT DISTINCT l.person_id FROM purchase_transactions t
    JOIN purchase_links l USING (app_id, environment, original_transaction_id)
    WHERE ${ofCustomer(db)} AND l.kind = ${kind} ORDER BY l.person_id LIMIT 20)`;
  const rows = await db`
    SELECT n.notice_id AS id, n.environment, n.kind, n.reason, n.app_transaction AS app_transaction_id,
      n.external_purchase_id, n.token_created_at, n.notified_at, n.received_at, n.resolved_at,
      ${holders('user')} AS user_ids, ${holders('anonymous')} AS anonymous_ids
    FROM purchase_notices n WHERE ${where}`;
  return rows.map(toNotice);
};

export async function selectNotice(
  db: Db,
  scope: AppScope,
  noticeId: string,
): Promise<StoreNotice | undefined> {
  const [notice] = await selectListed(db, db`${ofApp(db, scope)} AND n.notice_id = ${noticeId}`);
  return notice;
}

export type NoticePage = {
  state: 'open' | 'resolved' | null;
  before: TimePosition | null;
  limit: number;
};

export function selectNotices(
  db: Db,
  scope: AppScope,
  { state, before, limit }: NoticePage,
): Promise<StoreNotice[]> {
  const beforeAt = before && new Date(before.atMs);
  return selectListed(
    db,
    db`${ofApp(db, scope)}
      AND (${state}::text IS NULL OR (n.resolved_at IS NULL) = (${state} = 'open'))
      AND (${beforeAt}::timestamptz IS NULL
        OR (n.notified_at, n.notice_id) < (${beforeAt}, ${before?.id ?? ''}))
      ORDER BY n.notified_at DESC, n.notice_id DESC LIMIT ${limit}`,
  );
}

export const setResolved = (
  db: Db,
  scope: AppScope,
  { noticeId, at }: { noticeId: string; at: Date | null },
) =>
  done(db`
    UPDATE purchase_notices n SET
      resolved_at = CASE WHEN ${at}::timestamptz IS NULL THEN NULL
        ELSE coalesce(n.resolved_at, ${at}) END
    WHERE ${ofApp(db, scope)} AND n.notice_id = ${noticeId}`);

export type OpenNotices = { consents: number; tokens: number };

export const countOpenNotices = (db: Db, scope: AppScope) =>
  singleRow(db<OpenNotices[]>`
    SELECT count(*) FILTER (WHERE kind = 'consent_rescinded') AS consents,
      count(*) FILTER (WHERE kind = 'external_purchase_token') AS tokens
    FROM purchase_notices n
    WHERE ${ofApp(db, scope)} AND environment = ${REAL_PURCHASES} AND resolved_at IS NULL`);

export const selectRescindedAt = (db: Db, scope: AppScope, chains: readonly ChainRow[]) =>
  column(db<{ at: Date }[]>`
    SELECT n.notified_at AS at FROM purchase_notices n
    WHERE ${ofApp(db, scope)} AND n.kind = 'consent_rescinded' AND EXISTS (
      SELECT FROM purchase_transactions t
      JOIN unnest(${chains.map(({ environment }) => environment)}::text[],
        ${chains.map(({ chainId }) => chainId)}::text[]) AS held (environment, chain_id)
        ON t.environment = held.environment AND t.original_transaction_id = held.chain_id
      WHERE ${ofCustomer(db)})`);

type TransactionKey = Pick<ChainRow, 'appId' | 'environment'> & { transactionId: string };

export const selectUnreadTexts = (db: Db, limit: number) => db<
  (TransactionKey & { text: string })[]
>`
  SELECT app_id AS "appId", environment, transaction_id AS "transactionId", signed_text AS text
  FROM purchase_transactions
  WHERE app_transaction_id IS NULL AND signed_text IS NOT NULL LIMIT ${limit}`;

export const saveAppTransactionIds = (
  db: Db,
  read: readonly (TransactionKey & { appTransactionId: string })[],
) =>
  done(db`
    UPDATE purchase_transactions t SET app_transaction_id = read.id
    FROM unnest(${read.map(({ appId }) => appId)}::text[],
      ${read.map(({ environment }) => environment)}::text[],
      ${read.map(({ transactionId }) => transactionId)}::text[],
      ${read.map(({ appTransactionId }) => appTransactionId)}::text[])
      AS read (app_id, environment, transaction_id, id)
    WHERE t.app_id = read.app_id AND t.environment = read.environment
      AND t.transaction_id = read.transaction_id AND t.app_transaction_id IS NULL
      AND t.signed_text IS NOT NULL`);

export const reopenUnnoticed = (db: Db) =>
  done(db`
    UPDATE purchase_notifications n SET applied_at = NULL, run_ensured_at = NULL
    FROM purchase_notification_apps d JOIN apps a ON a.app_id = d.app_id
    WHERE d.type IN ('RESCIND_CONSENT', 'EXTERNAL_PURCHASE_TOKEN')
      AND n.environment = d.environment AND n.notification_id = d.notification_id
      AND n.applied_at IS NOT NULL AND n.last_error IS NULL
      AND a.bundle_id = n.bundle_id AND a.deleted_at IS NULL
      AND (n.environment <> 'Production' OR a.store_app_id IS NULL
        OR a.store_app_id = n.store_app_id)
      AND NOT EXISTS (
        SELECT FROM purchase_notices p
        WHERE p.app_id = d.app_id AND p.notice_id = d.notification_id)`);
