import type { DuckDBConnection } from '@duckdb/node-api';
import { footerSql, footerStats } from '../event-store/read.ts';
import { limitConcurrency } from '../shared/concurrency.ts';
import type { ObjectStore } from '../storage/object-store/port.ts';
import type { Sql } from '../storage/postgres.ts';
import { filesWithoutStats, noteStats } from './files-queries.ts';

type FillStatsDeps = {
  sql: Sql;
  objects: Pick<ObjectStore, 'localPath'>;
  duck: () => Promise<DuckDBConnection>;
  log: { info: (fields: object, message: string) => void };
};

const AT_ONCE = 100;
const FETCHES_AT_ONCE = 8;

/** Fetches whole files from a bucket. */
export async function fillStats({ sql, objects, duck, log }: FillStatsDeps): Promise<void> {
  const limited = limitConcurrency(FETCHES_AT_ONCE);
  let filled = 0;
  for (;;) {
    const files = await filesWithoutStats(sql, AT_ONCE);
    if (files.length === 0) break;
    const connection = await duck();
    const paths = await Promise.all(
      files.map((path) => limited(async () => ({ path, local: await objects.localPath(path) }))),
    );
    for (const { path, local } of paths) {
      const footer = await connection.runAndReadAll(footerSql(local));
      await noteStats(sql, path, footerStats(footer.getRowObjectsJson()));
    }
    filled += files.length;
  }
  if (filled > 0) log.info({ files: filled }, 'statistics of older event files noted');
}
