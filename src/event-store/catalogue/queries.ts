import { rowsOf } from '../../storage/row-parser.ts';
import type { PendingQuery, Row } from 'postgres';
import { onlyRow } from '../../shared/assert.ts';
import {
  type Db,
  hasRows,
  isRolledBack,
  type Tx,
  singleValue,
  done,
} from '../../storage/postgres.ts';
import type { KeyRunInfo } from '../dedup/key-index.ts';
import { parseSections } from '../dedup/sections.ts';
import type {
  AppRange,
  EventFile,
  NewEventFile,
  NewKeyRun,
  StoredProjection,
} from '../file/event-file.ts';
import type { FileLevel } from '../objects/names.ts';

/** Throws when the catalogue changed since the read: read again and retry. */
export class CatalogueMoved extends Error {
  constructor() {
    super('The catalogue changed in the meantime.');
    this.name = 'CatalogueMoved';
  }
}

export const isUncommitted = (thrown: unknown): boolean =>
  thrown instanceof CatalogueMoved || isRolledBack(thrown);

export async function readSeq(sql: Db): Promise<number> {
  return onlyRow(await sql<{ seq: number }[]>`SELECT seq FROM event_catalogue WHERE id = 1`).seq;
}

/** Serializes commits; returns the last sequence number. */
export const lockCatalogue = (tx: Tx) =>
  singleValue(tx<{ seq: number }[]>`
    SELECT seq FROM event_catalogue WHERE id = 1 FOR UPDATE`);

export const advanceCatalogue = (tx: Tx) =>
  singleValue(tx<{ seq: number }[]>`
    UPDATE event_catalogue SET seq = seq + 1 WHERE id = 1 RETURNING seq`);

const insertRanges = (tx: Tx, fileId: string, apps: readonly AppRange[]) =>
  done(tx`
    INSERT INTO event_file_apps
      (file_id, app_id, org_id, first_row, rows, min_occurred_at, max_occurred_at,
        development_rows, counts, aliases)
    SELECT ${fileId}, range.*, coalesce(aliases, 0) FROM unnest(
      ${apps.map((app) => app.appId)}::text[],
      ${apps.map((app) => app.orgId)}::text[],
      ${apps.map((app) => app.firstRow)}::bigint[],
      ${apps.map((app) => app.rows)}::bigint[],
      ${apps.map((app) => app.minOccurredAt.toISOString())}::timestamptz[],
      ${apps.map((app) => app.maxOccurredAt.toISOString())}::timestamptz[],
      ${apps.map((app) => app.developmentRows)}::bigint[],
      ${apps.map((app) => app.counts && JSON.stringify(app.counts))}::text[])
      AS range (app_id, org_id, first_row, rows, min_at, max_at, development_rows, counts)
    LEFT JOIN event_alias_counts c ON c.app_id = range.app_id`);

export async function insertFile(tx: Tx, file: NewEventFile, peopleSeq: number): Promise<void> {
  await tx`
    INSERT INTO event_files (file_id, org_id, app_id, level, format, day, path, rows,
      bytes, props_bytes, min_occurred_at, max_occurred_at, min_received_at, max_received_at,
      people_seq, stats, projection, projection_bytes, projection_format, state)
    VALUES (${file.fileId}, ${file.orgId}, ${file.appId}, ${file.level}, ${file.format}, ${file.day},
      ${file.path}, ${file.rows}, ${file.bytes}, ${file.propsBytes}, ${file.minOccurredAt},
      ${file.maxOccurredAt}, ${file.minReceivedAt}, ${file.maxReceivedAt}, ${peopleSeq},
      ${JSON.stringify(file.stats)}, ${file.projection}, ${file.projectionBytes},
      ${file.projectionFormat}, 'live')`;
  await insertRanges(tx, file.fileId, file.apps);
}

/** Hides live files from later queries. Throws `CatalogueMoved` when one is not live. */
export async function retireFiles(tx: Tx, fileIds: readonly string[]): Promise<void> {
  const retired = await tx`
    UPDATE event_files SET state = 'retired', retired_at = now()
    WHERE file_id = ANY(${[...fileIds]}) AND state = 'live' RETURNING file_id`;
  if (retired.length !== fileIds.length) throw new CatalogueMoved();
  await tx`DELETE FROM event_file_apps WHERE file_id = ANY(${[...fileIds]})`;
}

export const insertSegments = (tx: Tx, ids: readonly string[], seq: number) =>
  done(tx`
    INSERT INTO event_segments (segment_id, seq)
    SELECT id, ${seq} FROM unnest(${[...ids]}::text[]) AS t(id)`);

/** A late bucket copy must never be compacted. */
export const insertEmptySegments = (db: Db, ids: readonly string[]) =>
  done(db`
    INSERT INTO event_segments (segment_id, seq)
    SELECT id, (SELECT seq FROM event_catalogue) FROM unnest(${[...ids]}::text[]) AS t(id)
    ON CONFLICT DO NOTHING`);

export async function catalogued(sql: Db, segmentIds: readonly string[]): Promise<Set<string>> {
  if (segmentIds.length === 0) return new Set();
  const rows = await sql<{ segment_id: string }[]>`
    SELECT segment_id FROM event_segments WHERE segment_id = ANY(${[...segmentIds]})`;
  return new Set(rows.map((row) => row.segment_id));
}

type FileRow = Omit<EventFile, 'level'> & { level: number };

const fileColumns = (sql: Db) => sql`
  file_id AS "fileId", org_id AS "orgId", app_id AS "appId", level, format,
  to_char(day, 'YYYY-MM-DD') AS day, path, rows, bytes, props_bytes AS "propsBytes",
  min_occurred_at AS "minOccurredAt", max_occurred_at AS "maxOccurredAt",
  min_received_at AS "minReceivedAt", max_received_at AS "maxReceivedAt",
  people_seq AS "peopleSeq", created_at AS "createdAt", projection,
  projection_bytes AS "projectionBytes", projection_format AS "projectionFormat"`;

function toFile({ level, ...file }: FileRow): EventFile {
  if (level === 0 || level === 1 || level === 2) return { ...file, level };
  throw new Error(`Event file of unknown level ${level}.`);
}
const fileRows = rowsOf(toFile);

const liveFiles = (sql: Db, which: PendingQuery<Row[]>) =>
  fileRows.all(sql<FileRow[]>`
    SELECT ${fileColumns(sql)} FROM event_files WHERE state = 'live' AND ${which}`);

export const liveFilesOfLevel = (sql: Db, level: FileLevel) =>
  liveFiles(sql, sql`level = ${level} ORDER BY created_at, file_id`);

export const liveFilesOfApps = (sql: Db, appIds: readonly string[]) =>
  liveFiles(sql, sql`app_id = ANY(${[...appIds]}) ORDER BY min_occurred_at, file_id`);

export const liveFilesOfApp = (sql: Db, appId: string) => liveFilesOfApps(sql, [appId]);

export const liveFilesWith = (sql: Db, appId: string) =>
  liveFiles(
    sql,
    sql`file_id IN (SELECT file_id FROM event_file_apps WHERE app_id = ${appId}) ORDER BY file_id`,
  );

export const liveFilesReceived = (
  sql: Db,
  { minReceivedAt, maxReceivedAt }: Pick<KeyRunInfo, 'maxReceivedAt' | 'minReceivedAt'>,
) =>
  liveFiles(
    sql,
    sql`max_received_at >= ${minReceivedAt} AND min_received_at <= ${maxReceivedAt}
      ORDER BY file_id`,
  );

/** Single-app files, oldest first; shared ones are split anyway. */
export const liveFilesBefore = (sql: Db, format: number, limit: number) =>
  liveFiles(sql, sql`level > 0 AND format < ${format} ORDER BY created_at, file_id LIMIT ${limit}`);

export const liveFilesToProject = (sql: Db, format: number, fileFormat: number, limit: number) =>
  liveFiles(
    sql,
    sql`level > 0 AND projection_format < ${format} AND format = ${fileFormat}
      ORDER BY created_at DESC, file_id LIMIT ${limit}`,
  );

/** False when the file is no longer live. */
export const setProjection = (
  sql: Db,
  fileId: string,
  { projection, projectionBytes }: StoredProjection,
  format: number,
) =>
  hasRows(sql`
    UPDATE event_files SET projection = ${projection}, projection_bytes = ${projectionBytes},
      projection_format = ${format}
    WHERE file_id = ${fileId} AND state = 'live' AND projection_format < ${format} RETURNING 1`);

export const replaceProjection = (
  sql: Db,
  fileId: string,
  { before, after, bytes }: { before: string; after: string; bytes: number },
) =>
  hasRows(sql`
    UPDATE event_files SET projection = ${after}, projection_bytes = ${bytes}
    WHERE file_id = ${fileId} AND state = 'live' AND projection = ${before} RETURNING 1`);

export const clearProjections = (sql: Db, paths: readonly string[]) =>
  done(sql`
    UPDATE event_files SET projection = NULL, projection_bytes = NULL, projection_format = 0
    WHERE projection = ANY(${[...paths]}) AND state = 'live'`);

export const liveFilesById = (sql: Db, fileIds: readonly string[]) =>
  liveFiles(sql, sql`file_id = ANY(${[...fileIds]}) ORDER BY created_at, file_id`);

/** Oldest first; `sections` is JSON text. */
export const liveRunsSql = (sql: Db) => sql`
  SELECT run_id AS "runId", path, keys, seq, min_received_at AS "minReceivedAt",
    max_received_at AS "maxReceivedAt", sections, settled, import_id AS "importId"
  FROM event_key_runs WHERE state <> 'retired' ORDER BY seq, run_id`;

export async function liveRuns(sql: Db): Promise<KeyRunInfo[]> {
  const rows = await sql<(Omit<KeyRunInfo, 'sections'> & { sections: string | null })[]>`
    ${liveRunsSql(sql)}`;
  return rows.map((row) => ({ ...row, sections: parseSections(row.sections) }));
}

export const insertRun = (tx: Tx, run: NewKeyRun, seq: number) =>
  done(tx`
    INSERT INTO event_key_runs
      (run_id, path, keys, seq, min_received_at, max_received_at, sections, settled, import_id,
        state)
    VALUES (${run.runId}, ${run.path}, ${run.keys}, ${seq}, ${run.minReceivedAt},
      ${run.maxReceivedAt}, ${JSON.stringify(run.sections)}, ${run.settled}, ${run.importId},
      'sectioned')`);

export async function retireRuns(tx: Tx, runIds: readonly string[]): Promise<void> {
  const retired = await tx`
    UPDATE event_key_runs SET state = 'retired', retired_at = now()
    WHERE run_id = ANY(${[...runIds]}) AND state <> 'retired' RETURNING run_id`;
  if (retired.length !== runIds.length) throw new CatalogueMoved();
}
