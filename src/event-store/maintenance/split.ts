import type { DuckDBConnection } from '@duckdb/node-api';
import { textList, textLiteral } from '../../storage/duckdb-literal.ts';
import type { EventFile } from '../file/event-file.ts';
import { utcDay } from '../objects/names.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { SPLIT_ROWS } from '../parquet/tables.ts';
import type { WriteFile } from '../parquet/write-file.ts';
import { openSinceMs, WHOLE_FILE_BYTES } from './plan.ts';
import { rewriteFiles } from './rewrite.ts';

type AppDay = { appId: string; day: string; rows: number };

const DAY_SQL = "strftime(occurred_at, '%Y-%m-%d')";

async function countAppDays(connection: DuckDBConnection): Promise<AppDay[]> {
  const reader = await connection.runAndReadAll(
    `SELECT app_id, ${DAY_SQL} AS day, count(*)::DOUBLE AS rows
     FROM ${SPLIT_ROWS} GROUP BY ALL ORDER BY ALL`,
  );
  return reader.getRowObjects().map((row) => ({
    appId: String(row.app_id),
    day: String(row.day),
    rows: Number(row.rows),
  }));
}

function daysPart([first, ...more]: [AppDay, ...AppDay[]]): WriteFile {
  const days = textList([first, ...more].map(({ day }) => day));
  const ofApp = `app_id = ${textLiteral(first.appId)}`;
  const from = `(FROM ${SPLIT_ROWS} WHERE ${ofApp} AND ${DAY_SQL} IN (${days}))`;
  return more.length === 0 ? { from, level: 1, day: first.day } : { from, level: 2, day: null };
}

/** Large days get a file, smaller closed ones share one per month. */
export function splitParts(
  appDays: readonly AppDay[],
  bytesPerRow: number,
  openDay: string,
): { parts: WriteFile[]; rest: AppDay[] } {
  const parts: WriteFile[] = [];
  const rest: AppDay[] = [];
  const months = new Map<string, [AppDay, ...AppDay[]]>();
  for (const appDay of appDays) {
    const { appId, day, rows } = appDay;
    const month = `${appId} ${day.slice(0, 7)}`;
    if (rows * bytesPerRow >= WHOLE_FILE_BYTES) parts.push(daysPart([appDay]));
    else if (day >= openDay) rest.push(appDay);
    else months.set(month, [...(months.get(month) ?? []), appDay]);
  }
  return { parts: [...parts, ...months.values().map(daysPart)], rest };
}

function restPart(rest: readonly AppDay[]): WriteFile[] {
  if (rest.length === 0) return [];
  const keys = rest.map(({ appId, day }) => `(${textList([appId, day])})`).join(', ');
  const from = `(FROM ${SPLIT_ROWS} WHERE (app_id, ${DAY_SQL}) IN (VALUES ${keys}))`;
  return [{ from, level: 0, day: null }];
}

export async function splitFiles(
  compactor: Compactor,
  files: readonly EventFile[],
): Promise<boolean> {
  const { connection, clock } = compactor;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const openDay = utcDay(new Date(openSinceMs(clock().getTime())));
  try {
    return await rewriteFiles(compactor, files, async (corrected) => {
      await connection.run(
        `CREATE OR REPLACE TEMP TABLE ${SPLIT_ROWS} AS FROM ${corrected} ORDER BY app_id, occurred_at`,
      );
      const appDays = await countAppDays(connection);
      const { parts, rest } = splitParts(appDays, bytes / Math.max(rows, 1), openDay);
      return [...parts, ...restPart(rest)];
    });
  } finally {
    await connection.run(`DROP TABLE IF EXISTS ${SPLIT_ROWS}`);
  }
}
