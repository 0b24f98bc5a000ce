import { listTables, qualified } from './tables.ts';
import type { Sql } from '../postgres.ts';

const BATCH = 10_000;

export async function deleteOwned(
  sql: Sql,
  owner: Readonly<Record<string, string>>,
  isKept: (table: string) => boolean,
): Promise<void> {
  const names = Object.keys(owner);
  const isOwned = names.map((name, n) => `${name} = $${n + 1}`).join(' AND ');
  for (const table of (await listTables(sql)).toReversed()) {
    const { schema, name, columns } = table;
    if (schema !== 'public' || isKept(name)) continue;
    if (!names.every((column) => columns.includes(column))) continue;
    const rows = `DELETE FROM ${qualified(table)} WHERE ctid IN (
      SELECT ctid FROM ${qualified(table)} WHERE ${isOwned} LIMIT ${BATCH})`;
    for (let deleted = BATCH; deleted === BATCH; ) {
      deleted = (await sql.unsafe(rows, Object.values(owner))).count;
    }
  }
}
