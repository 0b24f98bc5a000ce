import { rename } from 'node:fs/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import type { ObjectStore } from '../../src/storage/object-store/port.ts';
import type { Sql } from '../../src/storage/postgres.ts';

/** Makes live files what an earlier release wrote: without derived columns, counts and checksums. */
export async function makeOld(
  { sql, objects }: { sql: Sql; objects: ObjectStore },
  paths: readonly string[],
): Promise<void> {
  const duck = await DuckDBInstance.create(':memory:');
  const connection = await duck.connect();
  for (const key of paths) {
    const path = await objects.localPath(key);
    await connection.run(`COPY (SELECT * EXCLUDE (person_key, is_anonymous, environment) FROM '${path}')
      TO '${path}.old' (FORMAT parquet)`);
    await rename(`${path}.old`, path);
  }
  await sql`UPDATE event_files SET format = 1, projection = NULL, projection_format = 0 WHERE path = ANY(${[...paths]})`;
  await sql`
    UPDATE event_file_apps SET counts = NULL
    WHERE file_id IN (SELECT file_id FROM event_files WHERE path = ANY(${[...paths]}))`;
  await sql`DELETE FROM event_sums WHERE path = ANY(${[...paths]})`;
  connection.closeSync();
  duck.closeSync();
}
