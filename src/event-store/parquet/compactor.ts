import type { Deps } from '../../context.ts';
import type { Tx } from '../../storage/postgres.ts';
import { spillFolder } from '../../storage/spill-folder.ts';
import { KeyIndex } from '../dedup/key-index.ts';
import type { EventRow } from '../event/columns.ts';
import type { FileWriter, Reporter } from '../store.ts';
import { openEngine } from './engine.ts';

/** Within the commit, so once for each event that counts; its failure undoes the commit. */
export type OnStored = (tx: Tx, rows: readonly EventRow[]) => Promise<void>;

export type Compactor = FileWriter & {
  keys: KeyIndex;
  log: Reporter;
  logDir: string;
  onStored?: OnStored | undefined;
};

export type CompactorDeps = Pick<Deps, 'clock' | 'config' | 'log' | 'objects' | 'sql'> &
  Pick<Compactor, 'onStored'>;

export type CompactorEngine = { name: string; memoryMb: number; threads: number };

/** A second thread does not help, and doubles the memory of sorting. */
const COMPACTOR_ENGINE: CompactorEngine = { name: 'compactor', memoryMb: 256, threads: 1 };

export async function openCompactor(
  { sql, log, clock, objects, config, onStored }: CompactorDeps,
  { name, memoryMb, threads }: CompactorEngine = COMPACTOR_ENGINE,
): Promise<Compactor> {
  const tempDir = spillFolder(config.dataDir, name);
  const connection = await openEngine({ memoryMb, threads, tempDir });
  const keys = new KeyIndex((path, part) => objects.localPath(path, { part }));
  return { sql, log, clock, objects, connection, keys, logDir: config.events.logDir, onStored };
}
