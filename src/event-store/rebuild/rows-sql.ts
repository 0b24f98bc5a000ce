import { eventFilesSql, type ReadableFile } from '../parquet/read-files.ts';
import { REBUILT_COVERED, REBUILT_PEOPLE } from '../parquet/tables.ts';

/** Unique and never rewritten: `arrival` counts microseconds. */
const ROW_COLUMNS = [
  'app_id',
  'received_at',
  'arrival',
  'batch_index',
  'anonymous_id',
  'name',
] as const;

const ROW_LIST = ROW_COLUMNS.join(', ');
const SAME_ROW = ROW_COLUMNS.map((name) => `c.${name} = o.${name}`).join(' AND ');

const sentHour = (row: string) =>
  `CASE WHEN ${row}.time_flag IS NULL THEN date_trunc('hour', ${row}.occurred_at)
    ELSE date_trunc('hour', try_cast(${row}.client_ts AS TIMESTAMPTZ)) END`;

const IDENTITY_LIFETIME = "INTERVAL '8 days'";

/** Compaction stores these once. */
const SAME_EVENT = `c.app_id = o.app_id AND c.event_key = o.event_key
  AND c.received_at BETWEEN o.received_at - ${IDENTITY_LIFETIME} AND o.received_at + ${IDENTITY_LIFETIME}
  AND ${sentHour('c')} IS NOT DISTINCT FROM ${sentHour('o')}`;

const selectCovered = (file: ReadableFile, others: readonly ReadableFile[], same: string) =>
  `SELECT ${ROW_COLUMNS.map((name) => `c.${name}`).join(', ')}
   FROM ${eventFilesSql([file])} c JOIN ${eventFilesSql(others)} o ON ${same}`;

export function coveredSql(
  file: ReadableFile,
  { rows, events }: { rows: readonly ReadableFile[]; events: readonly ReadableFile[] },
): string {
  const parts = [
    ...(rows.length > 0 ? [selectCovered(file, rows, SAME_ROW)] : []),
    ...(events.length > 0 ? [selectCovered(file, events, SAME_EVENT)] : []),
  ];
  return `CREATE OR REPLACE TEMP TABLE ${REBUILT_COVERED} AS ${parts.join(' UNION ')}`;
}

export const countCoveredSql = (file: ReadableFile): string =>
  `SELECT count(*)::DOUBLE AS rows FROM ${eventFilesSql([file])} c
   SEMI JOIN ${REBUILT_COVERED} o USING (${ROW_LIST})`;

export const uncoveredSql = (file: ReadableFile): string =>
  `(SELECT c.* FROM ${eventFilesSql([file])} c
    ANTI JOIN ${REBUILT_COVERED} o USING (${ROW_LIST}))`;

export const storedSegmentsSql = (waiting: string, files: readonly ReadableFile[]): string =>
  `SELECT DISTINCT c.segment_id AS id FROM (
    SELECT segment_id, app_id, make_timestamptz(received_us::BIGINT) AS received_at,
      arrival::BIGINT AS arrival, batch_index::INTEGER AS batch_index, anonymous_id, name
    FROM ${waiting}) c JOIN ${eventFilesSql(files)} o ON ${SAME_ROW}`;

export const createPeopleSql = `
  CREATE OR REPLACE TEMP TABLE ${REBUILT_PEOPLE} (app_id VARCHAR, org_id VARCHAR,
    anonymous_id VARCHAR, user_id VARCHAR, is_named BOOLEAN, arrival BIGINT, batch_index INTEGER,
    received_at TIMESTAMPTZ)`;

export const addPeopleSql = (files: readonly ReadableFile[]): string => `
  INSERT INTO ${REBUILT_PEOPLE}
  SELECT app_id, org_id, anonymous_id, person_id, user_id IS NOT NULL, arrival, batch_index,
    received_at
  FROM ${eventFilesSql(files)} WHERE user_id IS NOT NULL OR person_id <> anonymous_id
  QUALIFY row_number() OVER (PARTITION BY app_id, anonymous_id, user_id IS NOT NULL
    ORDER BY arrival, batch_index) = 1`;

/** As resolved in files, else the first by receipt. */
export const aliasesSql = `
  SELECT app_id, org_id, anonymous_id, user_id, epoch_ms(received_at)::DOUBLE AS mapped_ms
  FROM ${REBUILT_PEOPLE}
  QUALIFY row_number() OVER (PARTITION BY app_id, anonymous_id
    ORDER BY is_named, arrival, batch_index) = 1`;

export const idsSql = (files: readonly ReadableFile[], apps: string): string => `
  SELECT DISTINCT app_id, unnest([person_id, anonymous_id]) AS id FROM ${eventFilesSql(files)}
  WHERE app_id IN (${apps})`;

export const identitiesSql = (files: readonly ReadableFile[], sinceMs: number): string => `
  SELECT replace(event_key::VARCHAR, '-', '') AS key, epoch_us(received_at)::DOUBLE AS received_us,
    client_ts, epoch_us(occurred_at)::DOUBLE AS occurred_us, time_flag, app_id,
    arrival::DOUBLE AS arrival
  FROM ${eventFilesSql(files)}
  WHERE event_key IS NOT NULL AND received_at >= make_timestamptz(${sinceMs * 1_000}::BIGINT)`;
