import { Type } from '@sinclair/typebox';
import type { AppScope } from '../shared/app.ts';
import { parser } from '../shared/schema.ts';
import { contractRow, type Db, type Fragment } from './postgres.ts';

export type StoredRow = {
  key: string;
  data: object;
};

export type StoredPage = { after: string | null; limit: number };

const rowParser = parser(
  Type.Object({ key: Type.String(), data: Type.Record(Type.String(), Type.Unknown()) }),
  'stored row',
);

/** Known to the caller, hence omitted. */
const SCOPE = ['org_id', 'app_id'];

type Source = {
  table: string;
  key: Fragment;
  where: Fragment;
  without?: readonly string[];
};

export async function selectStoredRows(
  db: Db,
  { table, key, where, without = [] }: Source,
  { after, limit }: StoredPage,
): Promise<StoredRow[]> {
  const rows = await db`
    SELECT key, data FROM (
      SELECT (${key}) COLLATE "C" AS key, to_jsonb(stored) - ${[...SCOPE, ...without]}::text[] AS data
      FROM ${db(table)} AS stored WHERE ${where}) AS found
    WHERE ${after}::text IS NULL OR key > ${after}
    ORDER BY key LIMIT ${limit}`;
  return rows.map((row) => {
    const { key: place, data } = rowParser.parse(row);
    return { key: place, data: contractRow(data) };
  });
}

type PersonSource = {
  table: string;
  key: (db: Db) => Fragment;
  where: (db: Db, scope: AppScope, ids: readonly string[]) => Fragment;
  without?: readonly string[];
};

export const readPersonRows =
  ({ key, where, ...source }: PersonSource) =>
  (db: Db, scope: AppScope, ids: readonly string[], page: StoredPage): Promise<StoredRow[]> =>
    selectStoredRows(db, { ...source, key: key(db), where: where(db, scope, ids) }, page);

export const deletePersonRows =
  ({ table, where }: Pick<PersonSource, 'table' | 'where'>) =>
  async (db: Db, scope: AppScope, ids: readonly string[]): Promise<void> => {
    await db`DELETE FROM ${db(table)} WHERE ${where(db, scope, ids)}`;
  };
