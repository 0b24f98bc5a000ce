import type { DuckDBConnection } from '@duckdb/node-api';
import type { Db } from '../../storage/postgres.ts';
import { readSeq } from '../catalogue/queries.ts';
import { EVENT_COLUMN_NAMES } from '../columns.ts';
import { appendTexts } from '../parquet/engine.ts';
import { eventFilesSql, type ReadableFile } from '../parquet/read-files.ts';
import { correctionsSince, type Forgotten, type LinkOfApp } from './queries.ts';

export type Corrections = {
  /** What is written with these is right up to this number. */
  seq: number;
  links: LinkOfApp[];
  forgotten: Forgotten;
};

/** What changed about the people and apps of these files since `sinceSeq`. */
export async function readCorrections(
  sql: Db,
  appIds: readonly string[],
  sinceSeq: number,
): Promise<Corrections> {
  const seq = await readSeq(sql);
  return { seq, ...(await correctionsSince(sql, appIds, sinceSeq)) };
}

async function fillTable(
  connection: DuckDBConnection,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  const body = columns.map((column) => `${column} VARCHAR`).join(', ');
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} (${body})`);
  await appendTexts(connection, table, rows);
}

/** Puts the corrections into tables of the connection, for `correctedSql` and `affectedSql`. */
export async function loadCorrections(
  connection: DuckDBConnection,
  { links, forgotten }: Corrections,
): Promise<void> {
  await fillTable(
    connection,
    'late_links',
    ['app_id', 'anonymous_id', 'mapped_user'],
    links.map((link) => [link.appId, link.anonymousId, link.userId]),
  );
  await fillTable(
    connection,
    'erased_people',
    ['app_id', 'subject'],
    forgotten.erased.map(({ appId, subject }) => [appId, subject]),
  );
  await fillTable(
    connection,
    'gone_apps',
    ['app_id'],
    forgotten.deletedApps.map((appId) => [appId]),
  );
  await fillTable(
    connection,
    'kept_since',
    ['app_id', 'since'],
    forgotten.keptSince.map(({ appId, since }) => [appId, since.toISOString()]),
  );
}

/** What has to be joined and asked; a join costs every row, so none where its table is empty. */
function correctionSql({ links, forgotten }: Corrections) {
  const [person, joined] =
    links.length > 0
      ? [
          'coalesce(e.user_id, l.mapped_user, e.person_id)',
          'LEFT JOIN late_links l ON l.app_id = e.app_id AND l.anonymous_id = e.anonymous_id',
        ]
      : ['e.person_id', ''];
  const kept: string[] = [];
  if (forgotten.deletedApps.length > 0) kept.push('e.app_id NOT IN (SELECT app_id FROM gone_apps)');
  if (forgotten.erased.length > 0) {
    kept.push(`NOT EXISTS (SELECT 1 FROM erased_people p WHERE p.app_id = e.app_id
      AND (p.subject = ${person} OR (e.user_id IS NULL AND p.subject = e.anonymous_id)))`);
  }
  if (forgotten.keptSince.length > 0) {
    kept.push(`NOT EXISTS (SELECT 1 FROM kept_since k
      WHERE k.app_id = e.app_id AND e.occurred_at < k.since::TIMESTAMPTZ)`);
  }
  return { person, joined, kept: kept.length > 0 ? kept.join(' AND ') : 'true' };
}

/** The rows of files as they are now: persons resolved, erased people and deleted apps left out. */
export function correctedSql(files: readonly ReadableFile[], corrections: Corrections): string {
  const { person, joined, kept } = correctionSql(corrections);
  const columns = EVENT_COLUMN_NAMES.map((name) =>
    name === 'person_id' ? `${person} AS person_id` : `e.${name}`,
  );
  return `(SELECT ${columns.join(', ')} FROM ${eventFilesSql(files)} e ${joined} WHERE ${kept})`;
}

/** How many rows of the files would be other than they are. */
export function affectedSql(files: readonly ReadableFile[], corrections: Corrections): string {
  const { person, joined, kept } = correctionSql(corrections);
  return `
    SELECT count(*)::DOUBLE AS n FROM ${eventFilesSql(files)} e ${joined}
    WHERE ${person} <> e.person_id OR NOT (${kept})`;
}
