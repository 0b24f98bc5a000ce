import { textList } from '../../storage/duckdb-literal.ts';
import { columnSql, EVENT_COLUMN_NAMES, WELL_FORMED_PROPS_SQL } from '../event/columns.ts';

export type ReadableFile = { path: string; format: number };

export const readEventFilesSql = (paths: readonly string[]): string =>
  `(SELECT * REPLACE (${WELL_FORMED_PROPS_SQL} AS props)
    FROM read_parquet([${textList(paths)}], hive_partitioning = false))`;

export function eventFilesSql(files: readonly ReadableFile[]): string {
  const byColumns = Map.groupBy(files, ({ format }) =>
    EVENT_COLUMN_NAMES.map((name) => columnSql(name, format)).join(', '),
  );
  const parts = [...byColumns].map(
    ([columns, alike]) =>
      `SELECT ${columns} FROM ${readEventFilesSql(alike.map(({ path }) => path))}`,
  );
  return `(${parts.join(' UNION ALL ')})`;
}
