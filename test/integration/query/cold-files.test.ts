import { afterAll, expect, test } from 'bun:test';
import { compactAll } from '../../../src/event-store/compaction/loop.ts';
import { HotEvents } from '../../../src/event-store/hot/hot-events.ts';
import { QueryEngine } from '../../../src/query/engine.ts';
import { newId } from '../../../src/shared/ids.ts';
import { systemClock } from '../../../src/shared/time.ts';
import { openDuck } from '../../../src/storage/duckdb.ts';
import { append, openEventStore } from '../../support/event-store.ts';
import { event, temporaryFolder } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';

const { sql } = await testDatabase();
const store = await openEventStore(sql);
const tempDir = temporaryFolder('cold');
const duck = await openDuck({ memoryMb: 64, threads: 1, tempDir, tempLimitMb: 64 });
afterAll(() => duck.closeSync());

test('files that are not here yet end a question with a fault of its own, and come for the next', async () => {
  const appId = newId('app');
  const log = await store.openLog();
  await append(log, appId, [event({})]);
  await log.close();
  await compactAll(store.compaction);

  const bucket = Promise.withResolvers<void>();
  let fetches = 0;
  const objects = {
    ...store.objects,
    localPath: async (key: string) => {
      fetches += 1;
      await bucket.promise;
      return store.objects.localPath(key);
    },
  };
  const hot = new HotEvents({ sql, objects, clock: systemClock }, store.logDir);
  const engine = new QueryEngine({
    duck,
    hot,
    timeoutMs: 3_000,
    onStuck: () => {
      throw new Error('The process would end.');
    },
  });
  const window = { orgId: 'org_1', appId, fromUs: 0, beforeUs: Number.MAX_SAFE_INTEGER };
  const ask = () =>
    engine.run(window, { columns: ['name'] }, async ({ source }) => source.files.length);
  await expect(ask()).rejects.toMatchObject({ kind: 'fetching' });
  expect(fetches).toBe(1);
  bucket.resolve();
  expect(await ask()).toBe(1);
});
