import { Database } from 'bun:sqlite';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECOND_MS, sleep } from '../shared/time.ts';
import { makeFolder } from '../storage/files.ts';

/** Protects databases, and with them their locks, from garbage collection. */
const held = new Set<Database>();

const STOPPING = 'stopping';
const STOPPED_WITHIN_MS = 10 * SECOND_MS;
/** `bun run` that was killed is missed after half a second. */
const UNNOTICED_MS = SECOND_MS;
const LOOK_EVERY_MS = SECOND_MS / 10;

export type Lock = {
  announceStop: () => void;
  release: () => void;
};

function isBusy(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'SQLITE_BUSY';
}

function readHolder(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

/** The kernel drops SQLite's lock even on SIGKILL. */
function tryLock(dataDir: string, holderPath: string): Lock | null {
  const database = new Database(join(dataDir, 'lock.sqlite'));
  try {
    database.run('PRAGMA busy_timeout = 0');
    database.run('PRAGMA journal_mode = OFF');
    database.run('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    return null;
  }
  held.add(database);
  writeFileSync(holderPath, `${process.pid}\n`);
  return {
    announceStop: () => writeFileSync(holderPath, `${process.pid} ${STOPPING}\n`),
    release: () => {
      held.delete(database);
      database.run('ROLLBACK');
      database.close();
    },
  };
}

export async function acquireLock(dataDir: string): Promise<Lock> {
  makeFolder(dataDir);
  const holderPath = join(dataDir, 'lock.pid');
  const beganAt = performance.now();
  for (;;) {
    const lock = tryLock(dataDir, holderPath);
    if (lock !== null) return lock;
    const holder = readHolder(holderPath);
    const patienceMs = holder.endsWith(STOPPING) ? STOPPED_WITHIN_MS : UNNOTICED_MS;
    if (performance.now() - beganAt > patienceMs) {
      const named = holder === '' ? '' : ` (process ${holder})`;
      throw new Error(
        `Another start${named} uses ${dataDir}. Stop it first, or set another DATA_DIR ` +
          '(and PORT) to run a second instance beside it.',
      );
    }
    await sleep(LOOK_EVERY_MS);
  }
}
