import type { DuckDBConnection } from '@duckdb/node-api';
import type { EventFile } from '../catalogue/types.ts';
import { quoted } from '../parquet/quoted.ts';
import { openSinceMs, WHOLE_FILE_BYTES } from './plan.ts';
import { type Part, type Rewriting, rewriteFiles } from './rewrite.ts';

type AppDay = { appId: string; day: string; rows: number };

const DAY_SQL = "strftime(occurred_at, '%Y-%m-%d')";

async function countAppDays(connection: DuckDBConnection): Promise<AppDay[]> {
  const reader = await connection.runAndReadAll(
    `SELECT app_id, ${DAY_SQL} AS day, count(*)::DOUBLE AS rows
     FROM split_rows GROUP BY ALL ORDER BY ALL`,
  );
  return reader.getRowObjects().map((row) => ({
    appId: String(row.app_id),
    day: String(row.day),
    rows: Number(row.rows),
  }));
}

function dayPart({ appId, day }: AppDay): Part {
  const from = `(FROM split_rows WHERE app_id = ${quoted(appId)} AND ${DAY_SQL} = ${quoted(day)})`;
  return { from, level: 1, day };
}

function daysPart(appId: string, days: readonly AppDay[]): Part {
  const [only] = days;
  if (only && days.length === 1) return dayPart(only);
  const list = days.map((one) => quoted(one.day)).join(', ');
  const from = `(FROM split_rows WHERE app_id = ${quoted(appId)} AND ${DAY_SQL} IN (${list}))`;
  return { from, level: 2, day: null };
}

/**
 * How rows of many apps become files: an app's day of its own where that fills one, the closed days
 * of an app's month together where it does not; days that are still open stay as they are.
 */
export function splitParts(
  appDays: readonly AppDay[],
  bytesPerRow: number,
  openDay: string,
): { parts: Part[]; rest: AppDay[] } {
  const isWhole = (one: AppDay) => one.rows * bytesPerRow >= WHOLE_FILE_BYTES;
  const closedSmall = appDays.filter((one) => !isWhole(one) && one.day < openDay);
  const months = Map.groupBy(closedSmall, (one) => `${one.appId} ${one.day.slice(0, 7)}`);
  return {
    parts: [
      ...appDays.filter(isWhole).map(dayPart),
      ...[...months.values()].map((days) => daysPart(days[0]?.appId ?? '', days)),
    ],
    rest: appDays.filter((one) => !isWhole(one) && one.day >= openDay),
  };
}

function restPart(rest: readonly AppDay[]): Part[] {
  if (rest.length === 0) return [];
  const keys = rest.map((one) => `(${quoted(one.appId)}, ${quoted(one.day)})`).join(', ');
  const from = `(FROM split_rows WHERE (app_id, ${DAY_SQL}) IN (VALUES ${keys}))`;
  return [{ from, level: 0, day: null }];
}

/** Splits files of many apps. False when they changed in the meantime. */
export async function splitFiles(r: Rewriting, files: readonly EventFile[]): Promise<boolean> {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const openDay = new Date(openSinceMs(r.clock().getTime())).toISOString().slice(0, 10);
  try {
    return await rewriteFiles(r, files, async (corrected) => {
      await r.connection.run(
        `CREATE OR REPLACE TEMP TABLE split_rows AS FROM ${corrected} ORDER BY app_id, occurred_at`,
      );
      const appDays = await countAppDays(r.connection);
      const { parts, rest } = splitParts(appDays, bytes / Math.max(rows, 1), openDay);
      return [...parts, ...restPart(rest)];
    });
  } finally {
    await r.connection.run('DROP TABLE IF EXISTS split_rows');
  }
}
