import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { KeyIndex } from '../../src/event-store/dedup/key-index.ts';
import type { Compactor } from '../../src/event-store/parquet/compactor.ts';
import { openEngine } from '../../src/event-store/parquet/engine.ts';
import { repairDamaged } from '../../src/event-store/scrub/repair.ts';
import { checkedObjectStore } from '../../src/event-store/sums/checked-store.ts';
import { systemClock } from '../../src/shared/time.ts';
import { localObjectStore } from '../../src/storage/object-store/local.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { quietLog } from './events.ts';

/** Repairs what is damaged and is killed at its `AT`-th step; it exits with 0 where it has fewer. */
const { DATABASE_URL = '', OBJECTS = '', COPIES = '', AT = '' } = process.env;
const log = quietLog();
let steps = 0;
async function step(): Promise<void> {
  steps += 1;
  if (steps !== Number(AT)) return;
  process.kill(process.pid, 'SIGKILL');
  await Promise.withResolvers<never>().promise;
}

const pool = createSql(DATABASE_URL, {
  maxConnections: 2,
  applicationName: 'killed-repairing',
  isPooled: process.env.DATABASE_POOLER === 'transaction',
});
const plain = localObjectStore(OBJECTS);
const checked = checkedObjectStore({ objects: plain, sql: pool, log });
const objects = {
  ...checked,
  adopt: async (scratch: string, key: string) => {
    await step();
    await checked.adopt(scratch, key);
    await step();
  },
};
const sql = new Proxy(pool, {
  get: (target, name) => {
    const found: unknown = Reflect.get(target, name);
    if (name !== 'begin' || typeof found !== 'function') return found;
    return async (...args: unknown[]) => {
      await step();
      const done: unknown = await Reflect.apply(found, target, args);
      await step();
      return done;
    };
  },
});
const tempDir = join(COPIES, '.tmp');
const compactor: Compactor = {
  ...{ sql, objects, log, clock: systemClock, logDir: COPIES },
  connection: await openEngine({ memoryMb: 128, threads: 1, tempDir }),
  keys: new KeyIndex((path, part) => objects.localPath(path, { part })),
};
await repairDamaged({
  ...{ sql, log, objects, place: { isRemote: false, localPath: (key) => plain.localPath(key) } },
  copiesOf: async function* (key) {
    await step();
    if (readdirSync(COPIES).includes(basename(key))) yield join(COPIES, basename(key));
  },
  withCompactor: (work) => work(compactor),
});
process.exit(0);
