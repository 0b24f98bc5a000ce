import { expect, test } from 'bun:test';
import { compactAll } from '../../../src/event-store/compaction/loop.ts';
import { HotEvents } from '../../../src/event-store/hot/hot-events.ts';
import { coalesceOnce } from '../../../src/event-store/maintenance/rewrite.ts';
import { createFlagSets } from '../../../src/modules/flags/flag-sets.ts';
import { NewFlag } from '../../../src/modules/flags/model.ts';
import { createProfiles } from '../../../src/modules/purchases/entitlement/profiles.ts';
import { createRateSource } from '../../../src/modules/sales/rates/source.ts';
import { newId } from '../../../src/shared/ids.ts';
import { systemClock } from '../../../src/shared/time.ts';
import type { Sql } from '../../../src/storage/postgres.ts';
import { cuttableProxy } from '../../support/cuttable-proxy.ts';
import { append, openEventStore } from '../../support/event-store.ts';
import { event } from '../../support/events.ts';
import { connectTo, testDatabase } from '../../support/postgres.ts';
import { pause } from '../../support/pause.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

/*
 * What a process keeps of the database: filled while the database is cut off at a random instant,
 * it says afterwards what one says that nobody disturbed.
 */
const ROUNDS = isFullRun ? 200 : 3;
/** Until the database was gone in time at least once. */
const MOST_ROUNDS = ROUNDS + 20;
const EVENTS = 200;

const database = await testDatabase();
const service = await startTestService(database);
const org = await createTestOrg(service);
const { appId } = await createTestApp(service, org.orgId);
const store = await openEventStore(database.sql);
const scope = { orgId: org.orgId, appId };
const window = {
  ...{ orgId: 'org_1', appId, fromMs: 0, toMs: Date.now() + 60_000 },
  ...{ withCounts: true, withProjections: true },
};

async function storeEvents(): Promise<void> {
  for (const isStored of [true, true, false]) {
    const log = await store.openLog();
    for (let n = 0; n < EVENTS; n += 50) {
      const events = Array.from({ length: 50 }, (_, place) =>
        event({ anonymousId: `device-${n + place}`, ...(n > 100 && { userId: `user-${place}` }) }),
      );
      await append(log, appId, events);
    }
    await log.close();
    if (isStored) await compactAll(store.compaction);
  }
  await coalesceOnce(store.compaction);
}

type Fill = () => Promise<unknown>;

const hotEvents = (sql: Sql): Fill => {
  const hot = new HotEvents({ sql, objects: store.objects, clock: systemClock }, store.logDir);
  return async () => {
    const { files, hotRows, lateAliases, erased } = await hot.snapshot(window);
    return {
      files: files.map(({ path, rows, projection }) => [path, rows, projection?.rows]),
      ...{ rows: hotRows.length, lateAliases, erased },
    };
  };
};

const CACHES: Record<string, (sql: Sql) => Fill> = {
  'the log, aliases, keys and files of an app': hotEvents,
  'rates of exchange': (sql) => {
    const rates = createRateSource(sql);
    return async () => {
      const { revision, ...table } = await rates.load('2026-01-01', '2026-03-01');
      return [revision, Object.keys(table)];
    };
  },
  'settings of purchases': (sql) => {
    const profiles = createProfiles(sql);
    return () => profiles.find(scope);
  },
  'flags of an app': (sql) => {
    const sets = createFlagSets(sql, systemClock);
    return async () => {
      const { version, flags } = await sets.find(scope);
      return [version, flags.map(({ key }) => key)];
    };
  },
};

test('no cache keeps what the database gave of it before it was gone', async () => {
  await storeEvents();
  const [flag] = NewFlag.examples as object[];
  const made = await service.call(`/v1/apps/${appId}/flags`, { headers: org.key, body: flag });
  expect(made.status).toBe(201);
  expect(await hotEvents(database.sql)()).toMatchObject({ rows: EVENTS });
  const proxy = await cuttableProxy(database.url);
  const random = randomFrom(59);
  for (const [name, open] of Object.entries(CACHES)) {
    const undisturbed = open(database.sql);
    const expected = await undisturbed();
    const startedMs = performance.now();
    expect(await open(database.sql)()).toEqual(expected);
    const fillMs = performance.now() - startedMs;
    let cut = 0;
    for (let round = 0; round < (cut > 0 ? ROUNDS : MOST_ROUNDS); round += 1) {
      const sql = connectTo(proxy.url, { maxConnections: 2, applicationName: newId('app') });
      const fill = open(sql);
      await sql`SELECT 1`;
      const disturbed = fill().catch(() => {
        cut += 1;
        return expected;
      });
      await pause(1.2 * random() * fillMs, 'a random instant of the filling');
      proxy.cut();
      expect({ name, found: await disturbed }).toEqual({ name, found: expected });
      proxy.mend();
      const again = await fill().catch(() => fill());
      expect({ name, found: again }).toEqual({ name, found: expected });
      await sql.end({ timeout: 0 });
    }
    expect({ name, wasCut: cut > 0 }).toEqual({ name, wasCut: true });
  }
}, 120_000);
