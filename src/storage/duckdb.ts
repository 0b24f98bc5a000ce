import { mkdirSync } from 'node:fs';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

const INTERRUPT_AGAIN_MS = 50;

export type DuckOptions = {
  memoryMb: number;
  threads: number;
  /** Spill folder, exclusive to this process. */
  tempDir: string;
  tempLimitMb: number;
};

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
  // DuckDB 1.5.6 ignores this as a startup option.
  await connection.run(`SET max_temp_directory_size = '${options.tempLimitMb}MB'`);
  connection.closeSync();
  return duck;
}

/** DuckDB drops an interrupt between two statements. */
export function keepInterrupting(connection: DuckDBConnection): Timer {
  connection.interrupt();
  return setInterval(() => connection.interrupt(), INTERRUPT_AGAIN_MS);
}
