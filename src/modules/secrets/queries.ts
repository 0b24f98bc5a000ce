import type { SealedColumn } from '../../chapter.ts';
import { type Sql, done, singleValue } from '../../storage/postgres.ts';
import { readPages } from '../../storage/read-pages.ts';

export type SealedRecord = { orgId: string; sealed: string };

const BATCH = 200;

export function sealedRecords(
  sql: Sql,
  { table, column }: SealedColumn,
): AsyncIterable<SealedRecord[]> {
  return readPages(
    sql<SealedRecord[]>`
    SELECT org_id AS "orgId", ${sql(column)} AS sealed FROM ${sql(table)}
    WHERE ${sql(column)} IS NOT NULL`,
    BATCH,
  );
}

/** Unless changed since it was read. */
export const replaceSealed = (
  sql: Sql,
  { table, column }: SealedColumn,
  record: SealedRecord,
  resealed: string,
) =>
  done(sql`
    UPDATE ${sql(table)} SET ${sql(column)} = ${resealed}
    WHERE org_id = ${record.orgId} AND ${sql(column)} = ${record.sealed}`);

export const countSealedWithOthers = (
  sql: Sql,
  { table, column }: SealedColumn,
  keyIds: readonly string[],
) =>
  singleValue(sql<{ records: number }[]>`
    SELECT count(*)::int AS records FROM ${sql(table)}
    WHERE ${sql(column)} IS NOT NULL
      AND split_part(${sql(column)}, '.', 2) <> ALL (${[...keyIds]}::text[])`);
