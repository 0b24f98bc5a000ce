import type { DuckDBConnection } from '@duckdb/node-api';
import { AssertionError, must, onlyRow } from '../../shared/assert.ts';
import { newId } from '../../shared/ids.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import * as columns from '../event/columns.ts';
import type { AppRange, NewEventFile } from '../file/event-file.ts';
import { writtenStats } from '../file/file-stats.ts';
import type { FileLevel } from '../objects/names.ts';
import { eventFileName } from '../objects/names.ts';
import { NOT_YET, writeProjection } from '../projection/write.ts';
import type { FileWriter } from '../store.ts';
import { countValues } from './count-values.ts';
import { originSql, type Swap } from './file-origin.ts';

/** Queries read few rows of other apps or people; sizes stay the same. */
const ROW_GROUP_ROWS: Record<FileLevel, number> = { 0: 16_384, 1: 32_768, 2: 32_768 };

export type WriteFile = {
  from: string;
  level: FileLevel;
  day: string | null;
  /** Absent for compaction. */
  swap?: Swap;
};

function statsSql(from: string): string {
  return `
    SELECT app_id, min(org_id) AS org_id, max(org_id) AS last_org_id, count(*)::DOUBLE AS rows,
      countif(environment = 'development')::DOUBLE AS development_rows,
      coalesce(sum(strlen(props)), 0)::DOUBLE AS props_bytes,
      epoch_ms(min(occurred_at))::DOUBLE AS min_occurred, epoch_ms(max(occurred_at))::DOUBLE AS max_occurred,
      epoch_ms(min(received_at))::DOUBLE AS min_received, epoch_ms(max(received_at))::DOUBLE AS max_received
    FROM ${from} GROUP BY GROUPING SETS ((app_id), ()) ORDER BY grouping(app_id), app_id`;
}

type Stats = Omit<AppRange, 'counts' | 'firstRow'> &
  Pick<NewEventFile, 'minReceivedAt' | 'maxReceivedAt'> & { propsBytes: number };

export async function readStats(connection: DuckDBConnection, from: string): Promise<Stats[]> {
  const reader = await connection.runAndReadAll(statsSql(from));
  const rows = reader.getRowObjects();
  for (const { app_id, org_id, last_org_id } of rows) {
    if (app_id !== null && org_id !== last_org_id) {
      throw new AssertionError(`Rows of app ${app_id} name several organizations.`);
    }
  }
  return rows.map((row) => ({
    appId: String(row.app_id),
    orgId: String(row.org_id),
    rows: Number(row.rows),
    developmentRows: Number(row.development_rows),
    propsBytes: Number(row.props_bytes),
    minOccurredAt: new Date(Number(row.min_occurred)),
    // Millisecond bounds of microseconds.
    maxOccurredAt: new Date(Number(row.max_occurred) + 1),
    minReceivedAt: new Date(Number(row.min_received)),
    maxReceivedAt: new Date(Number(row.max_received) + 1),
  }));
}

export function appRanges(stats: readonly Stats[], counts: AppRange['counts']): AppRange[] {
  let firstRow = 0;
  return stats.map((app) => {
    firstRow += app.rows;
    return { ...app, counts, firstRow: firstRow - app.rows };
  });
}

/** Invisible until catalogued; null without rows. */
export async function writeEventFile(
  store: Pick<FileWriter, 'connection' | 'objects' | 'clock'>,
  { from, level, day, swap = undefined }: WriteFile,
): Promise<NewEventFile | null> {
  const { connection, objects, clock } = store;
  const stats = await readStats(connection, from);
  const total = must(stats.pop(), 'the sums of all rows');
  if (total.rows === 0) return null;
  // Readers, deletion and retention rely on one app.
  const owner = level === 0 ? null : onlyRow(stats);
  const counts = owner ? await countValues(connection, from, total.rows) : null;
  const fileId = newId('fil');
  const names = { orgId: owner?.orgId ?? null, appId: owner?.appId ?? null };
  const origin = {
    fileId,
    ...names,
    level,
    day,
    format: columns.EVENT_FILE_FORMAT,
    swap: swap ?? null,
  };
  const scratch = objects.scratchPath(`${fileId}.parquet`);
  const written = await connection.runAndReadAll(`
    COPY (SELECT ${columns.FILE_COLUMNS_SQL} FROM ${from} ORDER BY ${columns.EVENT_ORDER_SQL})
    TO ${textLiteral(scratch)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP_ROWS[level]},
      FIELD_IDS ${columns.EVENT_FIELD_IDS_SQL}, KV_METADATA ${originSql(origin)}, RETURN_STATS)`);
  const { bytes, stats: fileStats } = writtenStats(written.getRowObjectsJson());
  const projection = owner ? await writeProjection(store, scratch, owner, total.rows) : NOT_YET;
  const path = eventFileName(fileId, level, clock());
  await objects.adopt(scratch, path);
  return {
    ...total,
    ...projection,
    fileId,
    ...names,
    level,
    format: columns.EVENT_FILE_FORMAT,
    day,
    path,
    bytes,
    stats: fileStats,
    apps: appRanges(stats, counts),
  };
}
