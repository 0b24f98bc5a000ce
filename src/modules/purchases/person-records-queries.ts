import { spellingsOf, toAccountToken } from '../../shared/account-token.ts';
import type { AppScope } from '../../shared/app.ts';
import type { Db, Fragment } from '../../storage/postgres.ts';
import { ofApp, type PersonIds, type PersonPlace, userIds } from '../../storage/stored-rows.ts';

const accountTokens = ({ ids }: PersonIds) => ids.flatMap(spellingsOf);
const isAccount = (db: Db, id: Fragment, person: PersonIds) =>
  db`coalesce(${id} = ANY(${accountTokens(person)}), true)`;

const isOf = (db: Db, kind: string, id: string, person: PersonIds) => db`
  CASE ${db(kind)} WHEN 'anonymous' THEN ${db(id)} = ANY(${[...person.devices]})
    WHEN 'token' THEN ${db(id)} = ANY(${accountTokens(person)})
    ELSE ${db(id)} = ANY(${userIds(person)}) END`;

const isHeld = (db: Db, scope: AppScope, person: PersonIds) => db`
  ${ofApp(db, scope)} AND (environment, original_transaction_id) IN (
    SELECT environment, original_transaction_id FROM purchase_links
    WHERE ${ofApp(db, scope)} AND ${isOf(db, 'kind', 'person_id', person)}
    UNION SELECT environment, original_transaction_id FROM purchase_chains
    WHERE ${ofApp(db, scope)} AND (users && ${userIds(person)} OR app_account_token = ANY(${accountTokens(person)})))`;

/** Also where another account of the customer holds it now. */
const isBought: PersonPlace['where'] = (db, scope, person) =>
  person.ids.every((id) => toAccountToken(id) === null)
    ? isHeld(db, scope, person)
    : db`(${isHeld(db, scope, person)} OR ${ofApp(db, scope)}
        AND snapshot ->> 'appAccountToken' = ANY(${accountTokens(person)}))`;

const isGranted: PersonPlace['where'] = (db, scope, person) =>
  db`${ofApp(db, scope)} AND ${isOf(db, 'kind', 'user_id', person)}`;

const isUser: PersonPlace['where'] = (db, scope, person) =>
  db`${ofApp(db, scope)} AND user_id = ANY(${userIds(person)})`;

const listed = (db: Db, { ids }: PersonIds, isPerson: boolean) => db`ARRAY(
  SELECT id FROM unnest(sandbox_listed) AS id WHERE ${isPerson}::boolean
    = (lower(id) = ANY(${ids.map((id) => id.toLowerCase())})))`;

/** Each finds its rows by those after it. */
export const PURCHASES_OF_PERSON: readonly PersonPlace[] = [
  {
    kind: 'store_notice',
    table: 'purchase_notices',
    ids: [],
    words: ['app_transaction'],
    key: (db) => db`notice_id`,
    where: (db, scope, person) => db`${ofApp(db, scope)} AND (environment, app_transaction) IN (
      SELECT environment, app_transaction_id FROM purchase_transactions
      WHERE app_transaction_id <> '' AND ${isHeld(db, scope, person)})`,
    change: (db) => db`app_transaction = NULL, resolved_at = coalesce(resolved_at, now())`,
  },
  {
    kind: 'purchase_transaction',
    table: 'purchase_transactions',
    ids: [],
    words: ['app_transaction_id', 'signed_text', 'snapshot'],
    key: (db) => db`environment || ' ' || transaction_id`,
    where: isBought,
    data: (db, person) => db`to_jsonb(stored) || CASE
      WHEN ${isAccount(db, db`snapshot ->> 'appAccountToken'`, person)} THEN '{}'
      ELSE jsonb_build_object('signed_text', NULL, 'snapshot', snapshot - 'appAccountToken') END`,
    change: (db, person) => db`app_transaction_id = '', signed_text = NULL, snapshot = CASE
      WHEN snapshot ->> 'appAccountToken' = ANY(${accountTokens(person)})
      THEN snapshot || '{"appAccountToken": null}' ELSE snapshot END`,
  },
  {
    kind: 'purchase_renewal',
    table: 'purchase_renewals',
    ids: [],
    words: ['signed_text'],
    key: (db) => db`environment || ' ' || original_transaction_id || ' ' || signed_ms`,
    where: isHeld,
    change: (db) => db`signed_text = NULL`,
  },
  {
    kind: 'refund_request',
    table: 'purchase_refund_requests',
    ids: [],
    words: ['evidence'],
    key: (db) => db`environment || ' ' || request_id`,
    where: isHeld,
    change: (db) => db`evidence = NULL`,
  },
  {
    kind: 'purchase',
    table: 'purchase_chains',
    ids: ['users', 'app_account_token'],
    key: (db) => db`environment || ' ' || original_transaction_id`,
    where: isHeld,
    // The person's own row is a `purchase_holder`.
    without: ['users'],
    data: (db, person) => db`to_jsonb(stored) || CASE
      WHEN ${isAccount(db, db`app_account_token`, person)} THEN '{}'
      ELSE '{"app_account_token": null}'::jsonb END`,
    change: (db, person) => db`keeps_signed_text = false, users = ARRAY(
      SELECT held FROM unnest(users) AS held WHERE held <> ALL(${userIds(person)})),
      app_account_token = CASE WHEN app_account_token = ANY(${accountTokens(person)}) THEN NULL
        ELSE app_account_token END`,
  },
  {
    kind: 'purchase_holder',
    table: 'purchase_links',
    ids: ['person_id'],
    words: ['holder'],
    key: (db) =>
      db`environment || ' ' || original_transaction_id || ' ' || kind || ' ' || person_id`,
    where: (db, scope, person) =>
      db`${ofApp(db, scope)} AND ${isOf(db, 'kind', 'person_id', person)}`,
  },
  {
    kind: 'purchase_audit',
    table: 'purchase_audit',
    ids: ['from_id', 'to_id'],
    key: (db) => db`lpad(audit_id::text, 20, '0')`,
    where: (db, scope, person) => db`${ofApp(db, scope)}
      AND (${isOf(db, 'from_kind', 'from_id', person)} OR ${isOf(db, 'to_kind', 'to_id', person)})`,
    data: (db, person) => db`to_jsonb(stored) || jsonb_build_object(
      'from_id', CASE WHEN ${isOf(db, 'from_kind', 'from_id', person)} THEN from_id END,
      'to_id', CASE WHEN ${isOf(db, 'to_kind', 'to_id', person)} THEN to_id END)`,
    change: (db, person) => db`
      from_id = CASE WHEN ${isOf(db, 'from_kind', 'from_id', person)} THEN 'erased'
        ELSE from_id END,
      to_id = CASE WHEN ${isOf(db, 'to_kind', 'to_id', person)} THEN 'erased' ELSE to_id END`,
  },
  {
    kind: 'purchase_grant',
    table: 'purchase_grants',
    ids: ['user_id'],
    words: ['note'],
    key: (db) => db`grant_id`,
    where: isGranted,
  },
  {
    kind: 'purchase_grant_audit',
    table: 'purchase_grant_audit',
    ids: ['user_id'],
    key: (db) => db`lpad(audit_id::text, 20, '0')`,
    where: isGranted,
    change: (db) => db`user_id = 'erased'`,
  },
  {
    kind: 'purchase_refund_answer',
    table: 'purchase_refund_people',
    ids: ['user_id'],
    key: (db) => db`user_id`,
    where: isUser,
  },
  {
    kind: 'sandbox_listing',
    table: 'purchase_settings',
    ids: ['sandbox_listed'],
    key: (db) => db`app_id`,
    where: (db, scope, person) => db`${ofApp(db, scope)} AND ${listed(db, person, true)} <> '{}'`,
    data: (db, person) => db`jsonb_build_object('sandbox_listed', ${listed(db, person, true)})`,
    change: (db, person) => db`sandbox_listed = ${listed(db, person, false)}`,
  },
  {
    kind: 'purchase_import_line',
    table: 'purchase_import_rows',
    ids: ['user_id'],
    key: (db) => db`import_id || ' ' || lpad(line::text, 10, '0')`,
    where: isUser,
    change: (db) => db`user_id = 'erased',
      reason = CASE WHEN state = 'waiting' THEN 'erased_person' ELSE reason END,
      state = CASE WHEN state = 'waiting' THEN 'refused' ELSE state END`,
  },
];
