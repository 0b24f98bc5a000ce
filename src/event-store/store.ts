import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Deps } from '../context.ts';
import type { Clock } from '../shared/time.ts';
import type { ObjectStore } from '../storage/object-store/port.ts';
import type { Sql } from '../storage/postgres.ts';
import { KeyIndex } from './dedup/key-index.ts';
import { openEngine } from './parquet/engine.ts';

type LogLine = (fields: object, message: string) => void;

/** The part of a logger that the event store uses. */
export type Reporter = { error: LogLine; warn: LogLine; info: LogLine };

/** Catalogue and files: enough to read events and to clean up. */
export type EventStore = { sql: Sql; objects: ObjectStore; clock: Clock };

/** What writes event files. One job at a time uses `connection`: its tables have fixed names. */
export type Compactor = EventStore & {
  connection: DuckDBConnection;
  keys: KeyIndex;
  log: Reporter;
  logDir: string;
};

export type CompactorEngine = { name: string; memoryMb: number; threads: number };

/** A second thread makes compaction no faster, and sorting take twice the memory. */
const COMPACTOR_ENGINE: CompactorEngine = { name: 'compactor', memoryMb: 256, threads: 1 };

export async function openCompactor(
  { sql, log, clock, objects, config }: Pick<Deps, 'clock' | 'config' | 'log' | 'objects' | 'sql'>,
  { name, memoryMb, threads }: CompactorEngine = COMPACTOR_ENGINE,
): Promise<Compactor> {
  const tempDir = join(config.dataDir, 'tmp', `${name}-${process.pid}`);
  const connection = await openEngine({ memoryMb, threads, tempDir });
  const keys = new KeyIndex((path) => objects.localPath(path));
  return { sql, log, clock, objects, connection, keys, logDir: config.events.logDir };
}
