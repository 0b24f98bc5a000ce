import { mkdirSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

export type DuckOptions = {
  memoryMb: number;
  threads: number;
  /** Folder for what does not fit into memory; not shared with other processes. */
  tempDir: string;
  tempLimitMb: number;
};

/** An in-memory DuckDB with limits and without extensions from outside. */
export async function openDuck(options: DuckOptions): Promise<DuckDBInstance> {
  mkdirSync(options.tempDir, { recursive: true, mode: 0o700 });
  const duck = await DuckDBInstance.create(':memory:', {
    memory_limit: `${options.memoryMb}MB`,
    threads: String(options.threads),
    temp_directory: options.tempDir,
    preserve_insertion_order: 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await duck.connect();
  // DuckDB 1.5.6 ignores this when passed as a startup option.
  await connection.run(`SET max_temp_directory_size = '${options.tempLimitMb}MB'`);
  connection.closeSync();
  return duck;
}
