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

export type PersonIds = {
  /** The user's, and those of devices that are nobody else's. */
  ids: readonly string[];
  /** Their records without a user are the person's. */
  devices: readonly string[];
  /** The user's id as purchases may spell it. */
  spellings?: readonly string[];
};

export const userIds = ({ ids, spellings = [] }: PersonIds): string[] => [...ids, ...spellings];

/** All that is erased is exported. */
export type PersonPlace = {
  kind: string;
  table: string;
  /** A text or a list. */
  ids: readonly string[];
  words?: readonly string[];
  key: (db: Db) => Fragment;
  where: (db: Db, scope: AppScope, person: PersonIds) => Fragment;
  data?: (db: Db, person: PersonIds) => Fragment;
  without?: readonly string[];
  /** Deleted without. */
  change?: (db: Db, person: PersonIds) => Fragment;
  erase?: (db: Db, scope: AppScope, person: PersonIds) => Promise<unknown>;
};

export async function selectPlace(
  db: Db,
  { table, key, where, data, without = [] }: PersonPlace,
  { scope, person, page }: { scope: AppScope; person: PersonIds; page: StoredPage },
): Promise<StoredRow[]> {
  const rows = await db`
    SELECT key, data FROM (
      SELECT (${key(db)}) COLLATE "C" AS key,
        (${data?.(db, person) ?? db`to_jsonb(stored)`}) - ${[...SCOPE, ...without]}::text[] AS data
      FROM ${db(table)} AS stored WHERE ${where(db, scope, person)}) AS found
    WHERE ${page.after}::text IS NULL OR key > ${page.after}
    ORDER BY key LIMIT ${page.limit}`;
  return rows.map((row) => {
    const { key: place, data } = rowParser.parse(row);
    return { key: place, data: contractRow(data) };
  });
}

export async function erasePlaces(
  db: Db,
  places: readonly PersonPlace[],
  scope: AppScope,
  person: PersonIds,
): Promise<void> {
  for (const { table, where, change, erase } of places) {
    const found = where(db, scope, person);
    if (erase) await erase(db, scope, person);
    else if (change) await db`UPDATE ${db(table)} SET ${change(db, person)} WHERE ${found}`;
    else await db`DELETE FROM ${db(table)} WHERE ${found}`;
  }
}

/** `jsonb` refuses NUL and lone surrogates. */
export const asJson = (db: Db, column: string): Fragment =>
  db`regexp_replace(${db(column)}, '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\ufffd', 'gi')::jsonb`;

export const ofApp = (db: Db, { orgId, appId }: AppScope): Fragment =>
  db`org_id = ${orgId} AND app_id = ${appId}`;

export const namedIn =
  (column: string, by: 'ids' | 'devices' = 'ids'): PersonPlace['where'] =>
  (db, scope, person) =>
    db`${ofApp(db, scope)} AND ${db(column)} = ANY(${[...person[by]]})`;
