import { Database } from 'bun:sqlite';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Keeps the garbage collector from closing a database and its lock with it. */
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

/**
 * Takes the lock on a data folder, or throws a message for the operator. SQLite holds an advisory
 * file lock that the kernel drops with the process, so a SIGKILL never leaves a stale one.
 */
export function acquireLock(dataDir: string): Lock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
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
