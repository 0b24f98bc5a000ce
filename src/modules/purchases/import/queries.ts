import { selectErased } from '../../../event-store/people.ts';
import { spellingsOf } from '../../../shared/account-token.ts';
import type { AppScope } from '../../../shared/app.ts';
import { type Db, type Tx, singleValue, done, singleRow } from '../../../storage/postgres.ts';
import { existsInApp } from '../../../storage/rows-of-app.ts';
import { chainField } from '../model/wire.ts';
import type { ImportRefusal, PurchaseImport } from './model.ts';
import type { ImportLine } from './parse-csv.ts';

export type ImportKey = AppScope & { importId: string };

export const countOpenImports = (db: Db, { orgId, appId }: AppScope) =>
  singleValue(db<{ count: number }[]>`
    SELECT count(*) AS count FROM purchase_imports
    WHERE org_id = ${orgId} AND app_id = ${appId} AND finished_at IS NULL`);

export async function insertImport(
  tx: Tx,
  key: ImportKey,
  { lines, at }: { lines: readonly ImportLine[]; at: Date },
): Promise<void> {
  const erased = await selectErased(
    tx,
    key,
    lines.flatMap(({ userId }) => spellingsOf(userId)),
  );
  const isErased = ({ userId }: ImportLine) => spellingsOf(userId).some((id) => erased.has(id));
  const { orgId, appId, importId } = key;
  await tx`
    INSERT INTO purchase_imports (import_id, app_id, org_id, total, created_at)
    VALUES (${importId}, ${appId}, ${orgId}, ${lines.length}, ${at})`;
  await tx`
    INSERT INTO purchase_import_rows (import_id, line, app_id, org_id, user_id,
      original_transaction_id, state, reason)
    SELECT ${importId}, line, ${appId}, ${orgId}, user_id, transaction_id,
      CASE WHEN reason IS NULL THEN 'waiting' ELSE 'refused' END, reason
    FROM unnest(${lines.map(({ line }) => line)}::int[], ${lines.map((one) => (isErased(one) ? 'erased' : one.userId))}::text[],
      ${lines.map((one) => one.chainId)}::text[],
      ${lines.map((one) => (isErased(one) ? 'erased_person' : one.isValid ? null : 'invalid_line'))}::text[])
      AS l (line, user_id, transaction_id, reason)`;
}

export type WaitingRow = ImportKey & {
  line: number;
  userId: string;
  chainId: string;
};

export const selectWaiting = (db: Db, scope: AppScope, limit: number) => db<WaitingRow[]>`
  SELECT org_id AS "orgId", app_id AS "appId", import_id AS "importId", line, user_id AS "userId",
    original_transaction_id AS "chainId"
  FROM purchase_import_rows
  WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND state = 'waiting'
  ORDER BY import_id, line LIMIT ${limit}`;

/** `refusal`: null for a purchase bound to its user. */
export const settleRow = (
  db: Db,
  { orgId, appId, importId, line }: WaitingRow,
  refusal: ImportRefusal | null,
) =>
  done(db`
    UPDATE purchase_import_rows SET state = ${refusal === null ? 'bound' : 'refused'},
      reason = ${refusal}
    WHERE org_id = ${orgId} AND app_id = ${appId} AND import_id = ${importId} AND line = ${line}
      AND state = 'waiting'`);

export const finishImports = (db: Db, { orgId, appId }: AppScope, at: Date) =>
  done(db`
    UPDATE purchase_imports i SET finished_at = ${at}, last_error = NULL
    WHERE i.org_id = ${orgId} AND i.app_id = ${appId} AND i.finished_at IS NULL AND NOT EXISTS (
      SELECT FROM purchase_import_rows r
      WHERE r.app_id = i.app_id AND r.import_id = i.import_id AND r.state = 'waiting')`);

export const noteImports = (db: Db, { orgId, appId }: AppScope, error: string | null) =>
  done(db`
    UPDATE purchase_imports SET last_error = ${error}
    WHERE org_id = ${orgId} AND app_id = ${appId} AND finished_at IS NULL
      AND last_error IS DISTINCT FROM ${error}`);

/** Across organizations. */
export const selectOpenImports = (db: Db, limit: number) => db<AppScope[]>`
  SELECT DISTINCT i.org_id AS "orgId", i.app_id AS "appId"
  FROM purchase_imports i JOIN apps a ON a.app_id = i.app_id AND a.deleted_at IS NULL
  WHERE i.finished_at IS NULL ORDER BY 2 LIMIT ${limit}`;

export type ImportCounts = {
  total: number;
  waiting: number;
  bound: number;
  refused: number;
  createdAt: Date;
  finishedAt: Date | null;
  lastError: string | null;
};

export const selectImport = (db: Db, key: ImportKey) =>
  singleRow(db<ImportCounts[]>`
    SELECT i.total, i.created_at AS "createdAt", i.finished_at AS "finishedAt",
      i.last_error AS "lastError", count(r.line) FILTER (WHERE r.state = 'waiting') AS waiting,
      count(r.line) FILTER (WHERE r.state = 'bound') AS bound,
      count(r.line) FILTER (WHERE r.state = 'refused') AS refused
    FROM purchase_imports i LEFT JOIN purchase_import_rows r ON r.import_id = i.import_id
    WHERE i.org_id = ${key.orgId} AND i.app_id = ${key.appId} AND i.import_id = ${key.importId}
    GROUP BY i.import_id`);

export async function selectRefusals(
  db: Db,
  key: ImportKey,
  { afterLine, limit }: { afterLine: number; limit: number },
): Promise<PurchaseImport['refusals']> {
  const rows = await db<{ line: number; userId: string; chainId: string; reason: ImportRefusal }[]>`
    SELECT line, user_id AS "userId", original_transaction_id AS "chainId", reason
    FROM purchase_import_rows
    WHERE org_id = ${key.orgId} AND app_id = ${key.appId} AND import_id = ${key.importId}
      AND state = 'refused' AND line > ${afterLine}
    ORDER BY line LIMIT ${limit}`;
  return rows.map(({ chainId, ...row }) => ({ ...row, ...chainField(chainId) }));
}

export const importExists = existsInApp('purchase_imports', 'import_id');
