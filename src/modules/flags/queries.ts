import { rowsOf } from '../../storage/row-parser.ts';
import type { AppScope } from '../../shared/app.ts';
import { Author } from '../../shared/author.ts';
import { OneOf, parser } from '../../shared/schema.ts';
import { toIso, toIsoOrNull } from '../../shared/time.ts';
import { type Db, type Tx, done, singleValue, firstRow } from '../../storage/postgres.ts';
import { existsInApp } from '../../storage/rows-of-app.ts';
import { ASKS_DAYS, type Flag, FlagDefinition, type FlagVersion } from './model.ts';

const definitions = parser(FlagDefinition, 'stored flag');
const acts = parser(OneOf(['created', 'changed', 'restored']), 'act of a stored flag version');
const authors = parser(Author, 'author of a stored flag version');

type FlagRow = {
  id: string;
  appId: string;
  key: string;
  definition: unknown;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  lastAt: Date | null;
  lastKeyId: string | null;
  times: number;
  inBulkAt: Date | null;
};

function toFlag(row: FlagRow): Flag {
  const { definition, createdAt, updatedAt, lastAt, lastKeyId, times, inBulkAt, ...flag } = row;
  return {
    ...flag,
    ...definitions.parse(definition),
    createdAt: toIso(createdAt),
    updatedAt: toIso(updatedAt),
    asks: {
      lastAt: toIsoOrNull(lastAt),
      lastKeyId,
      times,
      // Answers of before the flag was there did not carry it.
      inBulkAt: inBulkAt !== null && inBulkAt >= createdAt ? toIso(inBulkAt) : null,
    },
  };
}
const flagRows = rowsOf(toFlag);

export async function selectFlagType(
  db: Db,
  { orgId, appId }: AppScope,
  key: string,
): Promise<FlagDefinition['type'] | null> {
  const [row] = await db<{ definition: unknown }[]>`
    SELECT definition FROM flags
    WHERE org_id = ${orgId} AND app_id = ${appId} AND key = ${key}`;
  return row ? definitions.parse(row.definition).type : null;
}

export const selectFlags = (db: Db, { orgId, appId }: AppScope, flagId: string | null = null) =>
  flagRows.all(db<FlagRow[]>`
    SELECT f.flag_id AS id, f.app_id AS "appId", f.key, f.definition, f.version,
      f.created_at AS "createdAt", f.updated_at AS "updatedAt", l.last_at AS "lastAt",
      l.key_id AS "lastKeyId", coalesce(s.times, 0)::float8 AS times,
      b.bulk_asked_at AS "inBulkAt"
    FROM flags f
    LEFT JOIN flag_sets b ON b.org_id = f.org_id AND b.app_id = f.app_id
    LEFT JOIN LATERAL (
      SELECT a.last_at, a.key_id FROM flag_asks a
      WHERE a.org_id = f.org_id AND a.flag_id = f.flag_id
      ORDER BY a.last_at DESC, a.key_id LIMIT 1
    ) l ON true
    LEFT JOIN LATERAL (
      SELECT sum(a.asks) AS times FROM flag_asks a
      WHERE a.org_id = f.org_id AND a.flag_id = f.flag_id
        AND a.day > (SELECT max(n.day) FROM flag_asks n WHERE n.flag_id = f.flag_id) - ${ASKS_DAYS}::integer
    ) s ON true
    WHERE f.org_id = ${orgId} AND f.app_id = ${appId}
      AND (${flagId}::text IS NULL OR f.flag_id = ${flagId})
    ORDER BY f.key COLLATE "C"`);

export const flagExists = existsInApp('flags', 'flag_id');

export type StoredFlag = { id: string; key: string; version: number; definition: FlagDefinition };

export async function selectServed(db: Db, { orgId, appId }: AppScope): Promise<StoredFlag[]> {
  const rows = await db<(Omit<StoredFlag, 'definition'> & { definition: unknown })[]>`
    SELECT flag_id AS id, key, version, definition FROM flags
    WHERE org_id = ${orgId} AND app_id = ${appId} ORDER BY key COLLATE "C"`;
  return rows.map((row) => ({ ...row, definition: definitions.parse(row.definition) }));
}

/** '0' for an app that never had a flag. */
export async function selectSetVersion(db: Db, { orgId, appId }: AppScope): Promise<string> {
  const [row] = await db<{ version: string }[]>`
    SELECT version::text FROM flag_sets WHERE org_id = ${orgId} AND app_id = ${appId}`;
  return row?.version ?? '0';
}

/** Last in the transaction: its row is locked until the commit. */
export const raiseSetVersion = (tx: Tx, { orgId, appId }: AppScope) =>
  done(tx`
    INSERT INTO flag_sets (app_id, org_id, version) VALUES (${appId}, ${orgId}, 1)
    ON CONFLICT (app_id) DO UPDATE SET version = flag_sets.version + 1
    WHERE flag_sets.org_id = ${orgId}`);

type NewRow = { id: string; key: string; definition: FlagDefinition; at: Date };

export const insertFlag = (
  tx: Tx,
  { orgId, appId }: AppScope,
  { id, key, definition, at }: NewRow,
) =>
  done(tx`
    INSERT INTO flags
      (flag_id, org_id, app_id, key, definition, version, created_at, updated_at)
    VALUES (${id}, ${orgId}, ${appId}, ${key}, ${JSON.stringify(definition)}::text::jsonb, 1,
      ${at}, ${at})`);

export const updateFlagRow = (
  tx: Tx,
  { orgId, appId }: AppScope,
  { id, definition, at }: Omit<NewRow, 'key'>,
) =>
  singleValue(tx<{ version: number }[]>`
    UPDATE flags SET definition = ${JSON.stringify(definition)}::text::jsonb,
      version = version + 1, updated_at = ${at}
    WHERE org_id = ${orgId} AND app_id = ${appId} AND flag_id = ${id}
    RETURNING version`);

export const deleteFlagRow = (tx: Tx, { orgId, appId }: AppScope, id: string) =>
  firstRow(tx<{ key: string }[]>`
    DELETE FROM flags WHERE org_id = ${orgId} AND app_id = ${appId} AND flag_id = ${id}
    RETURNING key`);

type NewVersion = {
  flagId: string;
  version: number;
  act: FlagVersion['act'];
  definition: FlagDefinition;
  why: string | null;
  by: Author;
  at: Date;
};

export const insertVersion = (
  tx: Tx,
  { orgId, appId }: AppScope,
  { flagId, version, act, definition, why, by, at }: NewVersion,
) =>
  done(tx`
    INSERT INTO flag_versions
      (flag_id, version, org_id, app_id, act, definition, why, by_kind, by_id, at)
    VALUES (${flagId}, ${version}, ${orgId}, ${appId}, ${act},
      ${JSON.stringify(definition)}::text::jsonb, ${why}, ${by.kind}, ${by.id}, ${at})`);

type VersionRow = {
  version: number;
  act: string;
  definition: unknown;
  why: string | null;
  kind: string;
  byId: string;
  at: Date;
};

/** Newest first; `version`: only that one. */
export async function selectVersions(
  db: Db,
  { orgId, appId }: AppScope,
  flagId: string,
  version: number | null = null,
): Promise<FlagVersion[]> {
  const rows = await db<VersionRow[]>`
    SELECT version, act, definition, why, by_kind AS kind, by_id AS "byId", at
    FROM flag_versions
    WHERE org_id = ${orgId} AND app_id = ${appId} AND flag_id = ${flagId}
      AND (${version}::integer IS NULL OR version = ${version})
    ORDER BY version DESC`;
  return rows.map(({ act, definition, kind, byId, at, ...row }) => {
    const { type: _, ...shown } = definitions.parse(definition);
    const by = authors.parse({ kind, id: byId });
    return { ...row, act: acts.parse(act), at: toIso(at), by, ...shown };
  });
}
