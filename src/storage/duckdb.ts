import { mkdirSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

export type DuckOptions = {
  memoryMb: number;
  threads: number;
  /** Where what does not fit into memory goes; of this process alone. */
  tempDir: string;
  tempLimitMb: number;
};

/** A DuckDB in memory that cannot take more of the machine than it is given. */
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
  // Among the options above it is taken and then not kept to (DuckDB 1.5.6).
  await connection.run(`SET max_temp_directory_size = '${options.tempLimitMb}MB'`);
  connection.closeSync();
  return duck;
}
