import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Fault } from '../../simulators/kit/faults.ts';
import { between, pick, seeded } from '../../simulators/store/random.ts';
import { poolerEnv, testDatabase } from '../../support/postgres.ts';
import { collectAll, NOON, placeConnection, startStoreSuite } from '../../support/store.ts';
import { pause } from '../../support/pause.ts';

const FULL = process.env.TEST_FULL === '1';
const DAYS = FULL ? 365 : 90;
const KILLS = FULL ? 50 : 8;
const CUT_CONNECTIONS = FULL ? 50 : 8;
const STORE_FAULTS = FULL ? 100 : 34;

const database = await testDatabase();
const suite = await startStoreSuite(database, { retentionDays: DAYS });
const { sql } = database;

const FAULTS: readonly Fault[] = [
  { kind: 'status', status: 503, body: '<html>' },
  { kind: 'status', status: 500, body: 'x' },
  { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
  { kind: 'cut' },
  { kind: 'hang_up' },
];

/** Everything that was collected but the times at which it was. */
async function collected(orgId: string) {
  const days = await sql`
    SELECT report_type, day::text, state, content_hash, rows FROM store_days
    WHERE org_id = ${orgId} ORDER BY report_type, day`;
  const facts = await sql`
    SELECT report_type, day::text, line, store_id, sku, units, proceeds, proceeds_currency,
      customer_spend, trials FROM store_facts
    WHERE org_id = ${orgId} ORDER BY report_type, day, line`;
  return { days: [...days], facts: [...facts] };
}

/** Runs the collector once; true when it came to its end. */
async function runChild(orgId: string, killAfterMs: number | null): Promise<boolean> {
  const ready = Promise.withResolvers<void>();
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, '../../support/collect-child.ts')],
    {
      env: {
        PATH: process.env.PATH ?? '',
        DATABASE_URL: database.url,
        ...poolerEnv,
        DATA_DIR: suite.dataDir,
        TEMPORAL_ADDRESS: '127.0.0.1:1',
        STORE_API_URL: suite.store.url,
        SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
        LOG_LEVEL: 'fatal',
        CHILD_NOW: NOON.toISOString(),
        CHILD_ORG: orgId,
      },
      stdout: 'ignore',
      stderr: process.env.TEST_LOG_LEVEL ? 'inherit' : 'ignore',
      ipc: () => ready.resolve(),
      onExit: () => ready.resolve(),
    },
  );
  await ready.promise;
  if (killAfterMs !== null) {
    await pause(killAfterMs, 'a kill at any moment');
    child.kill('SIGKILL');
  }
  return (await child.exited) === 0;
}

describe('a backfill that is interrupted again and again', () => {
  test('ends with the same rows, and asks for little twice', async () => {
    await placeConnection(suite, 'calm');
    await collectAll(suite, 'calm');
    const needed = [...suite.store.asked.values()].reduce((sum, times) => sum + times, 0);
    const calm = await collected('calm');
    expect(calm.facts.length).toBeGreaterThan(1000);

    suite.store.asked.clear();
    await placeConnection(suite, 'storm');
    const random = seeded('storm');
    let kills = 0;
    let cuts = 0;
    let faults = 0;
    let finished = false;
    let rounds = 0;
    while (!finished) {
      const kill = kills < KILLS;
      if (cuts < CUT_CONNECTIONS) {
        cuts += 1;
        setTimeout(
          () => {
            // Every connection of the collector breaks, in the middle of whatever it does.
            void sql`
              SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE datname = current_database() AND application_name LIKE 'control-plane-worker%'`;
          },
          between(random, 20, 300),
        );
      }
      if (kill) kills += 1;
      rounds += 1;
      expect(rounds).toBeLessThan(2 * (KILLS + CUT_CONNECTIONS));
      for (let more = 0; more < 4 && faults < STORE_FAULTS; more += 1, faults += 1) {
        suite.store.faults.next(pick(random, FAULTS));
      }
      finished = await runChild('storm', kill ? between(random, 30, 400) : null);
    }
    expect(await collected('storm')).toEqual(calm);
    const asked = [...suite.store.asked.values()].reduce((sum, times) => sum + times, 0);
    // Two requests are under way at a time, and a cut answer was asked for too.
    expect(asked - needed).toBeLessThanOrEqual(2 * (kills + cuts) + faults);
  });
});
