import { Database } from 'bun:sqlite';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../storage/files.ts';

/** Protects databases, and with them their locks, from garbage collection. */
const held = new Set<Database>();

export type Lock = { release: () => void };

function isBusy(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'SQLITE_BUSY';
}

function holder(path: string): string {
  try {
    return ` (process ${readFileSync(path, 'utf8').trim()})`;
  } catch {
    return '';
  }
}

/** The kernel drops SQLite's lock even on SIGKILL. Throws a message for the operator. */
export function acquireLock(dataDir: string): Lock {
  makeFolder(dataDir);
  const holderPath = join(dataDir, 'lock.pid');
  const database = new Database(join(dataDir, 'lock.sqlite'));
  try {
    database.run('PRAGMA busy_timeout = 0');
    database.run('PRAGMA journal_mode = OFF');
    database.run('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new Error(
      `Another start${holder(holderPath)} uses ${dataDir}. Stop it first, or set another DATA_DIR ` +
        '(and PORT) to run a second instance beside it.',
    );
  }
  held.add(database);
  writeFileSync(holderPath, `${process.pid}\n`);
  return {
    release: () => {
      held.delete(database);
      database.run('ROLLBACK');
      database.close();
    },
  };
}
