import type { SealedColumn } from '../../chapter.ts';
import { onlyRow } from '../../shared/assert.ts';
import type { Sql } from '../../storage/postgres.ts';
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
export async function replaceSealed(
  sql: Sql,
  { table, column }: SealedColumn,
  record: SealedRecord,
  resealed: string,
): Promise<void> {
  await sql`
    UPDATE ${sql(table)} SET ${sql(column)} = ${resealed}
    WHERE org_id = ${record.orgId} AND ${sql(column)} = ${record.sealed}`;
}

export async function countSealedWithOthers(
  sql: Sql,
  { table, column }: SealedColumn,
  keyIds: readonly string[],
): Promise<number> {
  const rows = await sql<{ records: number }[]>`
    SELECT count(*)::int AS records FROM ${sql(table)}
    WHERE ${sql(column)} IS NOT NULL
      AND split_part(${sql(column)}, '.', 2) <> ALL (${[...keyIds]}::text[])`;
  return onlyRow(rows).records;
}
