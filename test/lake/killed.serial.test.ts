import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { newId } from '../../src/shared/ids.ts';
import { openEventStore } from '../support/event-store.ts';
import { livePaths, someEvents, take } from '../support/lake/events.ts';
import { lakeOf } from '../support/lake/lake.ts';
import { checkNoOrphan } from '../support/lake/orphans.ts';
import { currentFiles, readTable } from '../support/lake/read-table.ts';
import { testDatabase } from '../support/postgres.ts';
import { isFullRun, randomFrom } from '../support/random.ts';
import { until } from '../support/until.ts';
import { pause } from '../support/pause.ts';

const { sql, url } = await testDatabase();
const store = await openEventStore(sql);
const lake = lakeOf(sql, store);
const read = (table: string) =>
  readTable(sql, { objects: store.objects, base: `file://${store.dir}/objects` }, table);

test('a publisher killed at any moment leaves a table that can be read, and no orphan', async () => {
  const random = randomFrom(3);
  for (let file = 0; file < 12; file += 1) {
    await take(store, [newId('app'), someEvents(random, 20)]);
  }
  await lake.publish();
  const kills = isFullRun ? 50 : 8;
  const published = new Set<string>();
  for (let kill = 0; kill < kills; kill += 1) {
    const child = Bun.spawn(
      ['bun', join(import.meta.dir, '../support/lake-publisher-child.ts'), url, store.dir],
      { stdout: 'pipe', stderr: 'inherit' },
    );
    await child.stdout.getReader().read();
    await pause(random() * 400, 'a kill at any moment');
    child.kill('SIGKILL');
    await child.exited;
    const table = await read('events');
    published.add(table.location);
    for (const { path, bytes } of table.snapshots.flatMap(({ files }) => files)) {
      expect(Bun.file(`${store.dir}/objects/${path}`).size).toBe(bytes);
    }
    await read('people');
  }
  expect(published.size).toBe(kills);
  // The server ends what a killed process had begun when it notices that nobody is there.
  await until('it is published', async () => (await lake.publish()) !== null);
  expect(
    currentFiles(await read('events'))
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual(await livePaths(sql));
  await lake.sweep();
  await checkNoOrphan(sql, store);
}, 600_000);
