import { writeFile } from 'node:fs/promises';
import { KeyIndex } from '../../src/event-store/dedup/key-index.ts';
import { runJob } from '../../src/event-store/maintenance/jobs.ts';
import type { Compactor } from '../../src/event-store/parquet/compactor.ts';
import { openEngine } from '../../src/event-store/parquet/engine.ts';
import { DAY_MS } from '../../src/shared/time.ts';
import { localObjectStore } from '../../src/storage/object-store/local.ts';
import type { ObjectStore } from '../../src/storage/object-store/port.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { quietLog } from './events.ts';

/** Does one job of file maintenance and is killed at a place of it. */
const { DATABASE_URL = '', STORE_DIR = '', JOB = '', KILLED = '', NAME = '' } = process.env;
const sql = createSql(DATABASE_URL, {
  maxConnections: 2,
  applicationName: 'killed-projecting',
  isPooled: process.env.DATABASE_POOLER === 'transaction',
});
const whole = localObjectStore(`${STORE_DIR}/objects`);

async function dieIf(place: string): Promise<void> {
  if (KILLED !== place) return;
  process.kill(process.pid, 'SIGKILL');
  await Promise.withResolvers<never>().promise;
}

const objects: ObjectStore = {
  ...whole,
  putBytes: async (key, bytes) => {
    if (KILLED === 'within its projection') {
      await writeFile(whole.scratchPath(`half-${NAME}`), bytes.subarray(0, bytes.length / 2));
    }
    await dieIf('within its projection');
    await whole.putBytes(key, bytes);
    await dieIf('after its projection');
  },
  adopt: async (scratch, key) => {
    await whole.adopt(scratch, key);
    await dieIf('before the catalogue names both');
  },
};
const compactor: Compactor = {
  sql,
  objects,
  log: quietLog(),
  // Two days on, so that what has just been written lies in closed days.
  clock: () => new Date(Date.now() + 2 * DAY_MS),
  connection: await openEngine({ memoryMb: 128, threads: 1, tempDir: `${STORE_DIR}/tmp-${NAME}` }),
  keys: new KeyIndex((path) => objects.localPath(path)),
  logDir: `${STORE_DIR}/log`,
};
await runJob(compactor, JSON.parse(JOB));
process.exit(0);
