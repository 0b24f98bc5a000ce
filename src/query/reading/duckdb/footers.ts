import type { DuckDBConnection } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import { textList } from '../../../storage/duckdb-literal.ts';
import { checkRows } from '../../../storage/missing-rows.ts';
import type { EventSource } from '../source/events.ts';

const checked = new LRUCache<string, true>({ max: 100_000 });

/** Projections were made of a whole file. A shared one has the rows of other apps too. */
export async function checkFooters(
  connection: DuckDBConnection,
  { files, uses }: Pick<EventSource, 'files' | 'uses'>,
): Promise<void> {
  const unchecked = new Map(
    files.flatMap((file) => (file.projection || checked.has(file.path) ? [] : [[file.path, file]])),
  );
  if (unchecked.size === 0) return;
  uses?.note([...unchecked.keys()]);
  const footers = await connection.runAndReadAll(
    `SELECT file_name, num_rows FROM parquet_file_metadata([${textList([...unchecked.keys()])}])`,
  );
  const found = new Map(footers.getRows().map(([path, rows]) => [String(path), Number(rows)]));
  for (const [path, { level, rows }] of unchecked) {
    const stored = found.get(path) ?? 0;
    checkRows(level === 0 ? Math.min(stored, rows) : stored, rows, path);
    checked.set(path, true);
  }
}
