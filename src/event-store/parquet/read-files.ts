import { textLiteral } from '../../storage/duckdb-literal.ts';
import { columnSql, EVENT_COLUMN_NAMES } from '../event/columns.ts';

export type ReadableFile = { path: string; format: number };

export function eventFilesSql(files: readonly ReadableFile[]): string {
  const byColumns = Map.groupBy(files, ({ format }) =>
    EVENT_COLUMN_NAMES.map((name) => columnSql(name, format)).join(', '),
  );
  const parts = [...byColumns].map(([columns, alike]) => {
    const paths = alike.map(({ path }) => textLiteral(path)).join(', ');
    return `SELECT ${columns} FROM read_parquet([${paths}], hive_partitioning = false)`;
  });
  return `(${parts.join(' UNION ALL ')})`;
}
