import { afterAll, expect, test } from 'bun:test';
import type { EventRow } from '../../../src/event-store/event/columns.ts';
import { HotEvents } from '../../../src/event-store/hot/hot-events.ts';
import { systemClock } from '../../../src/shared/time.ts';
import { ALL_TIME, append, openEventStore } from '../../support/event-store.ts';
import { testDatabase } from '../../support/postgres.ts';

const database = await testDatabase();
const store = await openEventStore(database.sql);
const log = await store.openLog();
afterAll(() => log.close());

const APPS = ['app_a', 'app_b', 'app_c'];
for (const appId of APPS) {
  const events = Array.from({ length: 50 }, (_, n) => ({
    id: `event-${appId}-${n}`,
    name: 'step',
    anonymousId: `anonymous-${n}`,
  }));
  await append(log, appId, events);
}
const bytesOfAnApp = 50 * 60;

function reader(maxKeptBytes: number) {
  const { objects, logDir } = store;
  const deps = { sql: database.sql, objects, clock: systemClock };
  const hot = new HotEvents(deps, logDir, maxKeptBytes);
  return async (appId: string) =>
    (await hot.snapshot({ orgId: 'org_1', appId, ...ALL_TIME })).hotRows;
}

test('rows of the log are kept for the next query of the app', async () => {
  const rowsOf = reader(100 * bytesOfAnApp);
  const before = await rowsOf('app_a');
  expect(before).toHaveLength(50);
  await rowsOf('app_b');
  expect((await rowsOf('app_a')).every((row, index) => row === before[index])).toBe(true);
});

test('of many apps only as many are kept as there is room for; the others are read again', async () => {
  const rowsOf = reader(bytesOfAnApp);
  const before = new Map<string, EventRow | undefined>();
  for (const appId of APPS) before.set(appId, (await rowsOf(appId))[0]);
  expect((await rowsOf('app_c'))[0]).toBe(before.get('app_c'));
  for (const appId of ['app_a', 'app_b']) {
    const again = await rowsOf(appId);
    expect(again).toHaveLength(50);
    expect(again[0]).not.toBe(before.get(appId));
  }
});
