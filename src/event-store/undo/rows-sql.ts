import { textLiteral } from '../../storage/duckdb-literal.ts';
import { NOBODY_SQL } from '../event/columns.ts';
import * as tables from '../parquet/tables.ts';

const isImported = (appId: string) => `e.app_id = ${textLiteral(appId)} AND e.arrival % 2 = 1
  AND (e.received_at IN (SELECT received_at::TIMESTAMPTZ FROM ${tables.UNDONE_CHUNKS})
    OR coalesce((e.event_key, e.received_at) IN (
      SELECT (key::UUID, received_at::TIMESTAMPTZ) FROM ${tables.UNDONE_ADOPTED}), false))`;

const IS_REPEATED = `e.event_key IN (SELECT key::UUID FROM ${tables.UNDONE_REPEATS})`;

/** Condition on `e`: imported, and by nobody else. */
export const isUndoneSql = (appId: string): string =>
  `(${isImported(appId)} AND NOT coalesce(${IS_REPEATED}, false))`;

export const CREATE_TABLES = [
  `CREATE OR REPLACE TEMP TABLE ${tables.UNDONE_ROWS} (file_id VARCHAR, person VARCHAR, name VARCHAR,
    events BIGINT, first_at TIMESTAMPTZ, last_at TIMESTAMPTZ)`,
  `CREATE OR REPLACE TEMP TABLE ${tables.UNDONE_KEPT} (file_id VARCHAR, key VARCHAR, received_us DOUBLE,
    client_ts VARCHAR, occurred_us DOUBLE, time_flag VARCHAR)`,
  `CREATE OR REPLACE TEMP TABLE ${tables.UNDONE_NAMING} (anonymous_id VARCHAR, user_id VARCHAR,
    arrival BIGINT, batch_index INTEGER, received_ms DOUBLE)`,
];

export function addFileSql(fileId: string, from: string, appId: string): string[] {
  const file = textLiteral(fileId);
  return [
    `DELETE FROM ${tables.UNDONE_ROWS} WHERE file_id = ${file}`,
    `DELETE FROM ${tables.UNDONE_KEPT} WHERE file_id = ${file}`,
    `INSERT INTO ${tables.UNDONE_ROWS}
     SELECT ${file}, nullif(person_id, ${NOBODY_SQL.id}), name, count(*), min(occurred_at), max(occurred_at)
     FROM ${from} e WHERE ${isUndoneSql(appId)} GROUP BY person_id, name`,
    `INSERT INTO ${tables.UNDONE_KEPT}
     SELECT ${file}, replace(event_key::VARCHAR, '-', ''), epoch_us(received_at), client_ts,
       epoch_us(occurred_at), time_flag
     FROM ${from} e WHERE ${isImported(appId)} AND ${IS_REPEATED}`,
    `INSERT INTO ${tables.UNDONE_NAMING}
     SELECT anonymous_id, user_id, arrival, batch_index, epoch_ms(received_at)
     FROM ${from} e WHERE e.app_id = ${textLiteral(appId)} AND user_id IS NOT NULL
       AND anonymous_id IN (SELECT id FROM ${tables.UNDONE_DEVICES}) AND NOT ${isUndoneSql(appId)}
     QUALIFY row_number() OVER (PARTITION BY anonymous_id, user_id
       ORDER BY arrival, batch_index) = 1`,
  ];
}

export const affectedSql = (from: string, appId: string): string => `
  SELECT countif(${isUndoneSql(appId)} OR (e.app_id = ${textLiteral(appId)} AND e.user_id IS NULL
      AND e.person_id <> e.anonymous_id
      AND e.anonymous_id IN (SELECT id FROM ${tables.UNDONE_DEVICES})))::DOUBLE AS affected,
    countif(${isImported(appId)} AND coalesce(${IS_REPEATED}, false))::DOUBLE AS kept
  FROM ${from} e`;

const listSql = (fileIds: readonly string[]) => `['', ${fileIds.map(textLiteral).join(', ')}]`;

const ofFiles = (fileIds: readonly string[]) => `list_contains(${listSql(fileIds)}, file_id)`;

export const namesSql = (fileIds: readonly string[]): string => `
  SELECT name, sum(events)::DOUBLE AS events FROM ${tables.UNDONE_ROWS} WHERE ${ofFiles(fileIds)}
  GROUP BY name ORDER BY events DESC, name`;

export const totalsSql = (fileIds: readonly string[]): string => `
  SELECT coalesce(sum(events), 0)::DOUBLE AS events, count(DISTINCT person)::DOUBLE AS people,
    epoch_ms(min(first_at))::DOUBLE AS first_ms, epoch_ms(max(last_at))::DOUBLE AS last_ms
  FROM ${tables.UNDONE_ROWS} WHERE ${ofFiles(fileIds)}`;

export const keptSql = (fileIds: readonly string[]): string =>
  `SELECT * FROM ${tables.UNDONE_KEPT} WHERE ${ofFiles(fileIds)}`;

export const NAMING_SQL = `SELECT * FROM ${tables.UNDONE_NAMING} ORDER BY arrival, batch_index`;
