import { type Static, Type } from '@sinclair/typebox';
import { onlyRow } from '../../shared/assert.ts';
import { Nullable, OneOf, parser } from '../../shared/schema.ts';
import { toIso } from '../../shared/time.ts';
import type { Fragment, Sql } from '../../storage/postgres.ts';
import type { KeyRunInfo } from '../dedup/key-index.ts';
import { parseSections } from '../dedup/sections.ts';
import * as persons from '../event/person.ts';
import { parseCounts } from '../file/range-counts.ts';
import { COLUMN_FORMAT } from '../projection/column-format.ts';
import { liveRunsSql } from './queries.ts';
import { isUserOfOther, type SourceFile, type SourceWindow } from './sources-queries.ts';

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
  /** `people` of an earlier moment, whose late aliases are known. */
  knownPeople: string | null;
  knownLog: string | null;
};

/** State of an app's rows in the log. */
export type LogFacts = {
  /** Changes with every alias, erasure and run of keys. */
  state: string;
  runs: readonly KeyRunInfo[];
  aliases: readonly persons.Alias[];
  erased: ReadonlyMap<string, persons.Tombstone>;
};

export type LateAlias = persons.AppAlias & { seq: number };

export type LateAliases = {
  aliases: readonly LateAlias[];
  /** The anonymous id of one of them is also a user id of another device. */
  sharesIds: boolean;
};

export type Moment = {
  now: Date;
  /** Null for a single host. */
  through: Date | null;
  files: SourceFile[];
  /** Infinity without files. */
  oldestSeq: number;
  /** Changes with every alias and erasure of the app. */
  people: string;
  /** After `aliasesAfter`; null where `knownPeople` is `people`. */
  late: LateAliases | null;
  /** Erased ids the files may still hold. */
  erased: string[];
  erasedAs: ReadonlyMap<string, persons.ErasedAs>;
  catalogued: ReadonlySet<string>;
  /** Values of `importedAt`, by undone imports. */
  undoneAt: Date[];
  /** Id of the last undone import; 0 for none. */
  undoneSeq: number;
  isDeleted: boolean;
  /** Null where `knownLog` is their state. */
  ofLog: LogFacts | null;
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
  erasedAs: Type.Record(Type.String(), OneOf(persons.ERASED_AS)),
  isDeleted: Type.Boolean(),
  undoneAt: Type.Array(Type.Date()),
  undoneSeq: Type.Integer(),
  files: Type.Array(File),
  people: Type.String(),
  lateAliases: Nullable(
    Type.Array(
      Type.Object({ anonymousId: Type.String(), userId: Type.String(), seq: Type.Integer() }),
    ),
  ),
  sharesIds: Nullable(Type.Boolean()),
  logState: Type.String(),
  ofLog: Nullable(
    Type.Object({
      runs: Type.Array(Run),
      aliases: Type.Array(Type.Object({ anonymousId: Type.String(), userId: Type.String() })),
      erasures: Type.Array(
        Type.Object({ hash: Type.String(), erasedAt: Time, erasedAs: OneOf(persons.ERASED_AS) }),
      ),
    }),
  ),
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
    return sql`json_build_object('runs', '[]'::json, 'aliases', '[]'::json, 'erasures', '[]'::json)`;
  }
  // A join: a prepared plan compares each row with a whole list.
  const aliases = sql`
    SELECT anonymous_id AS "anonymousId", user_id AS "userId"
    FROM unnest(${[...devices]}::text[]) AS device(id)
    JOIN event_people ON app_id = ${appId} AND anonymous_id = device.id`;
  const erasures = sql`
    SELECT subject_hash AS hash, erased_at AS "erasedAt", erased_as AS "erasedAs"
    FROM event_erasures
    WHERE app_id = ${appId}`;
  return sql`json_build_object('runs', ${rowsSql(sql, liveRunsSql(sql))},
    'aliases', ${rowsSql(sql, aliases)}, 'erasures', ${rowsSql(sql, erasures)})`;
}

const logStateSql = (sql: Sql, devices: readonly string[]): Fragment =>
  devices.length === 0
    ? sql`''`
    : sql`concat(state, ' ', (SELECT string_agg(run_id, ' ' ORDER BY seq, run_id)
        FROM event_key_runs WHERE state <> 'retired'))`;

function toLogFacts(appId: string, { logState, ofLog }: MomentRow): LogFacts | null {
  return (
    ofLog && {
      state: logState,
      runs: ofLog.runs.map(toRun),
      aliases: ofLog.aliases.map((alias) => ({ ...alias, appId })),
      erased: new Map(
        ofLog.erasures.map(({ hash, erasedAt, erasedAs }) => [
          hash,
          { erasedAt: new Date(erasedAt), erasedAs },
        ]),
      ),
    }
  );
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

const toRun = (run: Static<typeof Run>): KeyRunInfo => ({
  ...run,
  minReceivedAt: new Date(run.minReceivedAt),
  maxReceivedAt: new Date(run.maxReceivedAt),
  sections: parseSections(run.sections),
});

/** Each writer of `event_people` moves one of its numbers, in the same transaction. */
const peopleSql = (sql: Sql, { orgId, appId }: SourceWindow): Fragment => sql`
  SELECT concat(
    (SELECT aliases FROM event_alias_counts WHERE org_id = ${orgId} AND app_id = ${appId}), ' ',
    (SELECT max(seq) FROM event_erasures WHERE org_id = ${orgId} AND app_id = ${appId}), ' ',
    (SELECT max(seq) FROM event_undone_imports WHERE org_id = ${orgId} AND app_id = ${appId})
  ) AS state`;

/** One statement: one snapshot, one round trip. */
export async function readMoment(sql: Sql, { window, ...asked }: MomentQuestion): Promise<Moment> {
  const { orgId, appId } = window;
  const { owners, segmentIds, devices, importedAt, aliasesAfter, knownPeople, knownLog } = asked;
  const lateAliases = sql`
    SELECT anonymous_id AS "anonymousId", user_id AS "userId", catalogued_seq AS seq
    FROM event_people WHERE app_id = ${appId} AND catalogued_seq > ${aliasesAfter}`;
  const ifUnknown = (value: Fragment) =>
    sql`CASE WHEN state IS DISTINCT FROM ${knownPeople}::text THEN ${value} END`;
  const shared = sql`
    EXISTS (SELECT FROM event_people d
      WHERE d.app_id = ${appId} AND d.catalogued_seq > ${aliasesAfter}
        AND ${isUserOfOther(sql, window, sql`d.anonymous_id`)})`;
  const rows = await sql`
    WITH people AS MATERIALIZED (${peopleSql(sql, window)}),
      log AS MATERIALIZED (SELECT ${logStateSql(sql, devices)} AS log_state FROM people)
    SELECT now() AS now, state AS people, log_state AS "logState",
      (SELECT min(through) FROM event_hosts
        WHERE owner_id <> ALL(${[...owners]}::text[]) OR adopter IS NOT NULL) AS through,
      ARRAY(SELECT segment_id FROM event_segments
        WHERE segment_id = ANY(${[...segmentIds]}::text[])) AS catalogued,
      ARRAY(SELECT subject FROM event_erasures
        WHERE org_id = ${orgId} AND app_id = ${appId} AND subject IS NOT NULL) AS erased,
      (SELECT coalesce(json_object_agg(subject, erased_as), '{}') FROM event_erasures
        WHERE org_id = ${orgId} AND app_id = ${appId} AND subject IS NOT NULL
          AND erased_as <> 'both') AS "erasedAs",
      EXISTS (SELECT FROM event_deleted_apps WHERE app_id = ${appId}) AS "isDeleted",
      ARRAY(SELECT received_at FROM event_import_chunks JOIN event_undone_imports USING (import_id)
        WHERE event_import_chunks.app_id = ${appId} AND received_at = ANY(${importedAt.map(toIso)}::timestamptz[])) AS "undoneAt",
      (SELECT coalesce(max(seq), 0)::bigint FROM event_undone_imports
        WHERE org_id = ${orgId} AND app_id = ${appId}) AS "undoneSeq",
      ${rowsSql(sql, filesSql(sql, window))} AS files,
      ${ifUnknown(rowsSql(sql, lateAliases))} AS "lateAliases",
      ${ifUnknown(shared)} AS "sharesIds",
      CASE WHEN log_state IS DISTINCT FROM ${knownLog}::text
        THEN ${logSql(sql, appId, devices)} END AS "ofLog"
    FROM people, log`;
  const row = momentRow.parse(onlyRow(rows));
  const oldestSeq = row.files.reduce((min, { peopleSeq }) => Math.min(min, peopleSeq), Infinity);
  return {
    now: row.now,
    through: row.through,
    files: row.files.map(toFile),
    oldestSeq,
    people: row.people,
    late: row.lateAliases && { aliases: row.lateAliases, sharesIds: row.sharesIds === true },
    erased: row.erased,
    erasedAs: new Map(Object.entries(row.erasedAs)),
    catalogued: new Set(row.catalogued),
    undoneAt: row.undoneAt,
    undoneSeq: row.undoneSeq,
    isDeleted: row.isDeleted,
    ofLog: toLogFacts(appId, row),
  };
}
