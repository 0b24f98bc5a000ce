import type { DuckDBConnection } from '@duckdb/node-api';
import { textOrNull } from '../../shared/text.ts';
import { RESERVED_SQL } from '../event/columns.ts';
import type { RangeCounts } from '../file/range-counts.ts';

/** Limit per column: larger catalogue rows would be too long. */
const MAX_VALUES = 1_000;

/** Production events from clients; null with too many values. */
export async function countValues(
  connection: DuckDBConnection,
  from: string,
  rows: number,
): Promise<RangeCounts | null> {
  const reader = await connection.runAndReadAll(`
    SELECT grouping(name) = 0 AS by_name, grouping(platform) = 0 AS by_platform,
      name, platform, app_version AS version, count(*)::DOUBLE AS events,
      epoch_us(min(occurred_at))::DOUBLE AS first_us, epoch_us(max(occurred_at))::DOUBLE AS last_us
    FROM ${from} WHERE NOT ${RESERVED_SQL} AND environment = 'production'
    GROUP BY GROUPING SETS ((name), (platform), (app_version))
    ORDER BY events DESC, name, platform, version LIMIT ${3 * MAX_VALUES}`);
  const counts: RangeCounts = {
    names: [],
    platforms: [],
    versions: [],
    firstAtUs: null,
    lastAtUs: null,
    reserved: rows,
  };
  for (const row of reader.getRowObjects()) {
    const events = Number(row.events);
    if (row.by_name) {
      counts.names.push([String(row.name), events]);
      counts.reserved -= events;
      counts.firstAtUs = Math.min(counts.firstAtUs ?? Infinity, Number(row.first_us));
      counts.lastAtUs = Math.max(counts.lastAtUs ?? -Infinity, Number(row.last_us));
    } else if (row.by_platform) counts.platforms.push([textOrNull(row.platform), events]);
    else counts.versions.push([textOrNull(row.version), events]);
  }
  const lists = [counts.names, counts.platforms, counts.versions];
  return lists.some((list) => list.length > MAX_VALUES) || reader.currentRowCount === 3 * MAX_VALUES
    ? null
    : counts;
}
