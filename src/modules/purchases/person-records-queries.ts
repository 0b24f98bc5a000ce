import type { PersonRecords } from '../../chapter.ts';
import type { AppScope } from '../../shared/app.ts';
import type { Db, Fragment } from '../../storage/postgres.ts';
import { selectStoredRows } from '../../storage/stored-rows.ts';

const ofApp = (db: Db, { orgId, appId }: AppScope) => db`org_id = ${orgId} AND app_id = ${appId}`;

const isHeld = (db: Db, scope: AppScope, ids: readonly string[]) => db`
  ${ofApp(db, scope)} AND (environment, original_transaction_id) IN (
    SELECT environment, original_transaction_id FROM purchase_links
    WHERE ${ofApp(db, scope)} AND person_id = ANY(${[...ids]})
    UNION SELECT environment, original_transaction_id FROM purchase_chains
    WHERE ${ofApp(db, scope)} AND users && ${[...ids]})`;

const names =
  (column: string) =>
  (db: Db, scope: AppScope, ids: readonly string[]): Fragment =>
    db`${ofApp(db, scope)} AND ${db(column)} = ANY(${[...ids]})`;

type Source = {
  table: string;
  key: (db: Db) => Fragment;
  where: (db: Db, scope: AppScope, ids: readonly string[]) => Fragment;
  without?: readonly string[];
};

const records = (kind: string, { key, where, ...source }: Source): PersonRecords => ({
  kind,
  read: (db, scope, ids, page) =>
    selectStoredRows(db, { ...source, key: key(db), where: where(db, scope, ids) }, page),
});

export const CHAINS = records('purchase', {
  table: 'purchase_chains',
  key: (db) => db`environment || ' ' || original_transaction_id`,
  where: isHeld,
  // The person's own row is a `purchase_holder`.
  without: ['users'],
});

export const TRANSACTIONS = records('purchase_transaction', {
  table: 'purchase_transactions',
  key: (db) => db`environment || ' ' || transaction_id`,
  where: isHeld,
});

export const RENEWALS = records('purchase_renewal', {
  table: 'purchase_renewals',
  key: (db) => db`environment || ' ' || original_transaction_id || ' ' || signed_ms`,
  where: isHeld,
});

export const NOTICES = records('store_notice', {
  table: 'purchase_notices',
  key: (db) => db`notice_id`,
  where: (db, scope, ids) => db`${ofApp(db, scope)} AND (environment, app_transaction) IN (
    SELECT environment, app_transaction_id FROM purchase_transactions
    WHERE app_transaction_id <> '' AND ${isHeld(db, scope, ids)})`,
});

export const LINKS = records('purchase_holder', {
  table: 'purchase_links',
  key: (db) => db`environment || ' ' || original_transaction_id || ' ' || kind || ' ' || person_id`,
  where: names('person_id'),
});

export const AUDIT = records('purchase_audit', {
  table: 'purchase_audit',
  key: (db) => db`lpad(audit_id::text, 20, '0')`,
  where: (db, scope, ids) => db`${ofApp(db, scope)}
    AND (from_id = ANY(${[...ids]}) OR to_id = ANY(${[...ids]}))`,
});

export const GRANTS = records('purchase_grant', {
  table: 'purchase_grants',
  key: (db) => db`grant_id`,
  where: names('user_id'),
});

export const GRANT_AUDIT = records('purchase_grant_audit', {
  table: 'purchase_grant_audit',
  key: (db) => db`lpad(audit_id::text, 20, '0')`,
  where: names('user_id'),
});

export const REFUND_PEOPLE = records('purchase_refund_answer', {
  table: 'purchase_refund_people',
  key: (db) => db`user_id`,
  where: names('user_id'),
});

export const IMPORT_ROWS = records('purchase_import_line', {
  table: 'purchase_import_rows',
  key: (db) => db`import_id || ' ' || lpad(line::text, 10, '0')`,
  where: names('user_id'),
});
