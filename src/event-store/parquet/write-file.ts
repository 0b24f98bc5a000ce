import { stat } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { newId } from '../../shared/ids.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import type { AppRange, FileLevel, NewEventFile } from '../catalogue/types.ts';
import {
  EVENT_FIELD_IDS_SQL,
  EVENT_FILE_FORMAT,
  EVENT_ORDER_SQL,
  FILE_COLUMNS_SQL,
} from '../event/columns.ts';
import { eventFileName } from '../names.ts';
import type { Compactor } from '../store.ts';
import { countValues } from './count-values.ts';

/** Small row groups in files of many apps, so that a query reads few rows of other apps. */
const ROW_GROUP_ROWS: Record<FileLevel, number> = { 0: 16_384, 1: 122_880, 2: 122_880 };

export type WriteFile = {
  /** A table or subquery with the event columns. */
  from: string;
  level: FileLevel;
  day: string | null;
};

function statsSql(from: string): string {
  return `
    SELECT app_id, any_value(org_id) AS org_id, count(*)::DOUBLE AS rows,
      countif(environment = 'development')::DOUBLE AS development_rows,
      coalesce(sum(strlen(props)), 0)::DOUBLE AS props_bytes,
      epoch_ms(min(occurred_at))::DOUBLE AS min_occurred, epoch_ms(max(occurred_at))::DOUBLE AS max_occurred,
      epoch_ms(min(received_at))::DOUBLE AS min_received, epoch_ms(max(received_at))::DOUBLE AS max_received
    FROM ${from} GROUP BY app_id ORDER BY app_id`;
}

type AppStats = {
  range: AppRange;
  propsBytes: number;
  minReceivedMs: number;
  maxReceivedMs: number;
};

async function readStats(connection: DuckDBConnection, from: string): Promise<AppStats[]> {
  const reader = await connection.runAndReadAll(statsSql(from));
  let firstRow = 0;
  return reader.getRowObjects().map((row) => {
    const rows = Number(row.rows);
    const range: AppRange = {
      appId: String(row.app_id),
      orgId: String(row.org_id),
      firstRow,
      rows,
      minOccurredAt: new Date(Number(row.min_occurred)),
      // Bounds in milliseconds around microseconds.
      maxOccurredAt: new Date(Number(row.max_occurred) + 1),
      developmentRows: Number(row.development_rows),
      counts: null,
    };
    firstRow += rows;
    return {
      range,
      propsBytes: Number(row.props_bytes),
      minReceivedMs: Number(row.min_received),
      maxReceivedMs: Number(row.max_received),
    };
  });
}

const earliest = (dates: Date[]) =>
  new Date(dates.reduce((min, d) => Math.min(min, d.getTime()), Infinity));
const latest = (dates: Date[]) =>
  new Date(dates.reduce((max, d) => Math.max(max, d.getTime()), -Infinity));

/**
 * Writes the rows of `from` as one Parquet file, sorted, and puts it into the object store. The
 * file is invisible until the catalogue names it. Null when there are no rows.
 */
export async function writeEventFile(
  { connection, objects, clock }: Pick<Compactor, 'connection' | 'objects' | 'clock'>,
  { from, level, day }: WriteFile,
): Promise<NewEventFile | null> {
  const stats = await readStats(connection, from);
  const [first] = stats;
  if (!first) return null;
  if (level > 0) first.range.counts = await countValues(connection, from, first.range.rows);
  const fileId = newId('fil');
  const scratch = objects.scratchPath(`${fileId}.parquet`);
  await connection.run(`
    COPY (SELECT ${FILE_COLUMNS_SQL} FROM ${from} ORDER BY ${EVENT_ORDER_SQL})
    TO ${textLiteral(scratch)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP_ROWS[level]},
      FIELD_IDS ${EVENT_FIELD_IDS_SQL})`);
  const { size } = await stat(scratch);
  const path = eventFileName(fileId, level, clock());
  await objects.adopt(scratch, path);
  const apps = stats.map((app) => app.range);
  return {
    fileId,
    orgId: level === 0 ? null : first.range.orgId,
    appId: level === 0 ? null : first.range.appId,
    level,
    format: EVENT_FILE_FORMAT,
    day,
    path,
    rows: apps.reduce((sum, app) => sum + app.rows, 0),
    bytes: size,
    propsBytes: stats.reduce((sum, app) => sum + app.propsBytes, 0),
    minOccurredAt: earliest(apps.map((app) => app.minOccurredAt)),
    maxOccurredAt: latest(apps.map((app) => app.maxOccurredAt)),
    minReceivedAt: new Date(Math.min(...stats.map((app) => app.minReceivedMs))),
    maxReceivedAt: new Date(Math.max(...stats.map((app) => app.maxReceivedMs)) + 1),
    apps,
  };
}
