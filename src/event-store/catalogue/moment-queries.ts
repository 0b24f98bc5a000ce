import { type Static, Type } from '@sinclair/typebox';
import { onlyRow } from '../../shared/assert.ts';
import { Nullable, parser } from '../../shared/schema.ts';
import { toIso } from '../../shared/time.ts';
import type { Fragment, Sql } from '../../storage/postgres.ts';
import type { KeyRunInfo } from '../dedup/key-index.ts';
import { parseSections } from '../dedup/sections.ts';
import type { AppAlias, PeopleFacts } from '../event/person.ts';
import { parseCounts } from '../file/range-counts.ts';
import { COLUMN_FORMAT } from '../projection/column-format.ts';
import { isUserOfOther } from './device-users-queries.ts';
import { liveRunsSql } from './queries.ts';
import type { SourceFile, SourceWindow } from './sources-queries.ts';

export type MomentQuestion = {
  window: SourceWindow;
  /** Owners writing to this host's log. */
  owners: readonly string[];
  segmentIds: readonly string[];
  /** Anonymous ids of the app's hot rows; empty without hot rows. */
  devices: readonly string[];
  /** Receipt of the app's hot rows that may be imported. */
  importedAt: readonly Date[];
  aliasesAfter: number;
};

export type Moment = {
  now: Date;
  /** Null for a single host. */
  through: Date | null;
  files: SourceFile[];
  /** Infinity without files. */
  oldestSeq: number;
  lateAliases: AppAlias[];
  /** A late alias's anonymous id is also a user id of another device. */
  sharesIds: boolean;
  /** Erased ids the files may still hold. */
  erased: string[];
  catalogued: ReadonlySet<string>;
  /** Of `importedAt`, by undone imports. */
  undoneAt: Date[];
  /** Of the last undone import; 0 for none. */
  undoneSeq: number;
  runs: KeyRunInfo[];
  people: PeopleFacts;
};

const Time = Type.String();

const File = Type.Object({
  path: Type.String(),
  firstRow: Type.Integer(),
  rows: Type.Integer(),
  peopleSeq: Type.Integer(),
  level: Type.Integer(),
  format: Type.Integer(),
  minOccurredAt: Time,
  maxOccurredAt: Time,
  minReceivedAt: Time,
  maxReceivedAt: Time,
  developmentRows: Type.Integer(),
  counts: Nullable(Type.String()),
  projection: Nullable(Type.String()),
  columns: Type.Array(Type.String()),
});

const Run = Type.Object({
  runId: Type.String(),
  path: Type.String(),
  keys: Type.Integer(),
  seq: Type.Integer(),
  minReceivedAt: Time,
  maxReceivedAt: Time,
  sections: Nullable(Type.String()),
  settled: Type.Boolean(),
  importId: Nullable(Type.String()),
});

const MomentRow = Type.Object({
  now: Type.Date(),
  through: Nullable(Type.Date()),
  catalogued: Type.Array(Type.String()),
  erased: Type.Array(Type.String()),
  isDeleted: Type.Boolean(),
  undoneAt: Type.Array(Type.Date()),
  undoneSeq: Type.Integer(),
  files: Type.Array(File),
  lateAliases: Type.Array(
    Type.Object({ anonymousId: Type.String(), userId: Type.String(), seq: Type.Integer() }),
  ),
  sharesIds: Type.Boolean(),
  runs: Type.Array(Run),
  aliases: Type.Array(Type.Object({ anonymousId: Type.String(), userId: Type.String() })),
  erasures: Type.Array(Type.Object({ hash: Type.String(), erasedAt: Time })),
});
type MomentRow = Static<typeof MomentRow>;

const momentRow = parser(MomentRow, 'a moment of the event catalogue');

const rowsSql = (sql: Sql, statement: Fragment): Fragment =>
  sql`(SELECT coalesce(json_agg(r), '[]') FROM (${statement}) r)`;

const columnsSql = (sql: Sql, orgId: string, properties: readonly string[]): Fragment =>
  properties.length === 0
    ? sql`'[]'::json`
    : sql`(SELECT coalesce(json_agg(c.path), '[]') FROM event_property_columns c
        WHERE c.org_id = ${orgId} AND c.file_id = f.file_id AND c.projection = f.projection
          AND c.format = ${COLUMN_FORMAT} AND c.prop = ANY(${[...properties]}::text[]))`;

const filesSql = (
  sql: Sql,
  { orgId, appId, fromMs, toMs, withCounts = false, properties = [] }: SourceWindow,
) => sql`
  SELECT f.path, a.first_row AS "firstRow", a.rows, f.people_seq AS "peopleSeq", f.level, f.format,
    a.min_occurred_at AS "minOccurredAt", a.max_occurred_at AS "maxOccurredAt",
    f.min_received_at AS "minReceivedAt", f.max_received_at AS "maxReceivedAt",
    a.development_rows AS "developmentRows",
    CASE WHEN ${withCounts} THEN a.counts END AS counts, f.projection,
    ${columnsSql(sql, orgId, properties)} AS columns
  FROM event_file_apps a JOIN event_files f USING (file_id)
  WHERE a.org_id = ${orgId} AND a.app_id = ${appId} AND f.state = 'live'
    AND a.max_occurred_at >= ${new Date(fromMs)} AND a.min_occurred_at < ${new Date(toMs)}
  ORDER BY a.min_occurred_at, f.file_id`;

function logSql(sql: Sql, appId: string, devices: readonly string[]): Fragment {
  if (devices.length === 0) {
    return sql`'[]'::json AS runs, '[]'::json AS aliases, '[]'::json AS erasures`;
  }
  const aliases = sql`
    SELECT anonymous_id AS "anonymousId", user_id AS "userId" FROM event_people
    WHERE app_id = ${appId} AND anonymous_id = ANY(${[...devices]}::text[])`;
  const erasures = sql`
    SELECT subject_hash AS hash, erased_at AS "erasedAt" FROM event_erasures
    WHERE app_id = ${appId}`;
  return sql`${rowsSql(sql, liveRunsSql(sql))} AS runs, ${rowsSql(sql, aliases)} AS aliases,
    ${rowsSql(sql, erasures)} AS erasures`;
}

function toPeople(appId: string, { aliases, erasures, isDeleted }: MomentRow): PeopleFacts {
  return {
    aliases: aliases.map((alias) => ({ ...alias, appId })),
    erased: new Map(erasures.map(({ hash, erasedAt }) => [hash, new Date(erasedAt)])),
    deleted: new Set(isDeleted ? [appId] : []),
  };
}

function toFile({ peopleSeq: _, ...file }: MomentRow['files'][number]): SourceFile {
  return {
    ...file,
    minOccurredAt: new Date(file.minOccurredAt),
    maxOccurredAt: new Date(file.maxOccurredAt),
    minReceivedAt: new Date(file.minReceivedAt),
    maxReceivedAt: new Date(file.maxReceivedAt),
    counts: parseCounts(file.counts),
  };
}

const toRun = (run: MomentRow['runs'][number]): KeyRunInfo => ({
  ...run,
  minReceivedAt: new Date(run.minReceivedAt),
  maxReceivedAt: new Date(run.maxReceivedAt),
  sections: parseSections(run.sections),
});

/** One statement: one snapshot, one round trip. */
export async function readMoment(
  sql: Sql,
  { window, owners, segmentIds, devices, importedAt, aliasesAfter }: MomentQuestion,
): Promise<Moment> {
  const { orgId, appId } = window;
  const lateAliases = sql`
    SELECT anonymous_id AS "anonymousId", user_id AS "userId", catalogued_seq AS seq
    FROM event_people WHERE app_id = ${appId} AND catalogued_seq > ${aliasesAfter}`;
  const rows = await sql`
    SELECT now() AS now,
      (SELECT min(through) FROM event_hosts
        WHERE owner_id <> ALL(${[...owners]}::text[]) OR adopter IS NOT NULL) AS through,
      ARRAY(SELECT segment_id FROM event_segments
        WHERE segment_id = ANY(${[...segmentIds]}::text[])) AS catalogued,
      ARRAY(SELECT subject FROM event_erasures
        WHERE org_id = ${orgId} AND app_id = ${appId} AND subject IS NOT NULL) AS erased,
      EXISTS (SELECT FROM event_deleted_apps WHERE app_id = ${appId}) AS "isDeleted",
      ARRAY(SELECT received_at FROM event_import_chunks JOIN event_undone_imports USING (import_id)
        WHERE event_import_chunks.app_id = ${appId} AND received_at = ANY(${importedAt.map(toIso)}::timestamptz[])) AS "undoneAt",
      (SELECT coalesce(max(seq), 0)::bigint FROM event_undone_imports
        WHERE org_id = ${orgId} AND app_id = ${appId}) AS "undoneSeq",
      ${rowsSql(sql, filesSql(sql, window))} AS files,
      ${rowsSql(sql, lateAliases)} AS "lateAliases",
      EXISTS (SELECT FROM event_people d
        WHERE d.app_id = ${appId} AND d.catalogued_seq > ${aliasesAfter}
          AND ${isUserOfOther(sql, window, sql`d.anonymous_id`)}) AS "sharesIds",
      ${logSql(sql, appId, devices)}`;
  const row = momentRow.parse(onlyRow(rows));
  const oldestSeq = row.files.reduce((min, { peopleSeq }) => Math.min(min, peopleSeq), Infinity);
  return {
    now: row.now,
    through: row.through,
    files: row.files.map(toFile),
    oldestSeq,
    lateAliases: row.lateAliases
      .filter(({ seq }) => seq > oldestSeq)
      .map(({ anonymousId, userId }) => ({ anonymousId, userId })),
    sharesIds: row.sharesIds,
    erased: row.erased,
    catalogued: new Set(row.catalogued),
    undoneAt: row.undoneAt,
    undoneSeq: row.undoneSeq,
    runs: row.runs.map(toRun),
    people: toPeople(appId, row),
  };
}
