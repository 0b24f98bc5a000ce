import type { Db } from './postgres.ts';

export async function deleteOldRows(
  db: Db,
  table: string,
  keepDays: number,
  column = 'created_at',
): Promise<void> {
  await db`
    DELETE FROM ${db(table)} WHERE ${db(column)} < now() - make_interval(days => ${keepDays})`;
}
