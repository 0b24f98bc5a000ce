import { afterAll, expect, test } from 'bun:test';
import { readRunning } from '../../src/launcher/running.ts';
import { addDays, pacificDay } from '../../src/shared/pacific.ts';
import { createSql } from '../../src/storage/postgres.ts';
import type { Fault } from '../simulators/kit/faults.ts';
import { connectBody } from '../simulators/store/connect-body.ts';
import { startStoreSimulator } from '../simulators/store/server.ts';
import { bootstrapClient, type CrashClient } from '../support/crash-client.ts';
import { startInstance } from '../support/instance.ts';
import { isFullRun, randomFrom } from '../support/random.ts';
import { until } from '../support/until.ts';
import { pause } from '../support/pause.ts';

const DAYS = isFullRun ? 365 : 21;
const INTERRUPTIONS = isFullRun ? 50 : 5;
const LIMIT_MS = isFullRun ? 45 * 60_000 : 20 * 60_000;
/** So slow is the store that a kill finds something under way. */
const ANSWER_MS = 30;
const LANES = 2;
const FAULTS_AT_ONCE = 4;
const PRESS_EVERY_MS = 1_000;

const FAULTS: readonly Fault[] = [
  { kind: 'status', status: 503, body: '<html>' },
  { kind: 'status', status: 500, body: 'x' },
  { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
  { kind: 'hang_up' },
  { kind: 'cut' },
];
const VICTIMS = ['worker', 'postgres', 'temporal', 'api', 'store'] as const;

const random = randomFrom(20_261_121);
const today = pacificDay(new Date());
// Yesterday's report may appear, and the oldest vanish, while this runs.
const [oldest, newest] = [addDays(today, 2 - DAYS), addDays(today, -2)];
// The last week is fetched again each morning, which may be now.
const lastJudged = addDays(today, -9);
const isJudged = (name: string) => name.slice(-10) >= oldest && name.slice(-10) <= lastJudged;

const store = await startStoreSimulator({ seed: 7, retentionDays: DAYS, delayMs: ANSWER_MS });
afterAll(() => store.stop());
const instance = await startInstance({
  env: { RATE_LIMIT_SCALE: '1000', STORE_API_URL: store.url, FX_RATES_URL: 'file:///nowhere.csv' },
});
afterAll(() => instance.stop());
const running = await readRunning(instance.dataDir);
const sql = createSql(running?.env.DATABASE_URL ?? '', {
  maxConnections: 2,
  applicationName: 'crash-test',
});
afterAll(() => sql.end());

/** Asks again while the database is away. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  return until('the database answers', () => ask().catch(() => null));
}

/** Every time that a day is stored, a line: what was stored once must not be fetched again. */
async function recordWrites(): Promise<void> {
  await sql.unsafe(`
    CREATE TABLE test_day_writes (org_id text, name text);
    CREATE FUNCTION test_note_day() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO test_day_writes VALUES (new.org_id, new.report_type || ' ' || new.day);
      RETURN new; END $$;
    CREATE TRIGGER test_day_writes AFTER INSERT OR UPDATE ON store_days
      FOR EACH ROW EXECUTE FUNCTION test_note_day();`);
}

async function connect({ call }: CrashClient): Promise<string> {
  const answer = await call('POST', '/v1/store/connection', connectBody(store));
  expect(answer.status).toBe(201);
  const [row] = await sql<{ orgId: string }[]>`
    SELECT org_id AS "orgId" FROM store_connections ORDER BY connected_at DESC LIMIT 1`;
  return row?.orgId ?? '';
}

const storedDays = async (orgId: string): Promise<number> => {
  const [row] = await sql<{ days: number }[]>`
    SELECT count(*) AS days FROM store_days WHERE org_id = ${orgId}`;
  return row?.days ?? 0;
};

const collected = (orgId: string) =>
  until('the year is there', async (saw) => {
    const [row] = await sql<{ days: number }[]>`
        SELECT (SELECT count(*) FROM store_days
          WHERE org_id = ${orgId} AND day BETWEEN ${oldest} AND ${newest})
        + (SELECT count(*) FROM store_subscription_days
          WHERE org_id = ${orgId} AND day BETWEEN ${oldest} AND ${newest}) AS days`.catch(() => []);
    saw(row?.days);
    return row?.days === 3 * (DAYS - 3);
  });

/** Everything that was collected but the times at which it was. */
async function contentOf(orgId: string) {
  const between = sql`org_id = ${orgId} AND day BETWEEN ${oldest} AND ${newest}`;
  const days = await sql`
    SELECT report_type, day::text, state, content_hash, rows FROM store_days
    WHERE ${between} ORDER BY report_type, day`;
  const facts = await sql`
    SELECT report_type, day::text, line, store_id, sku, title, units, proceeds, proceeds_currency,
      customer_spend, trials FROM store_facts
    WHERE ${between} ORDER BY report_type, day, line`;
  const packs = await sql`
    SELECT report_type, day::text, pack FROM analytics_packs
    WHERE ${between} ORDER BY report_type, day`;
  const snapshots = await sql`
    SELECT s.day::text, s.line, s.plan, s.subscription_id, s.paid, s.trials, d.content_hash
    FROM store_subscriptions s JOIN store_subscription_days d USING (org_id, vendor_number, day)
    WHERE s.org_id = ${orgId} AND s.day BETWEEN ${oldest} AND ${newest}
    ORDER BY s.day, s.line, s.plan`;
  return { days: [...days], facts: [...facts], packs: [...packs], snapshots: [...snapshots] };
}

function interrupt(victim: (typeof VICTIMS)[number]): boolean {
  if (victim === 'store') {
    for (let count = 0; count < FAULTS_AT_ONCE; count += 1) {
      const fault = FAULTS[Math.floor(random() * FAULTS.length)];
      if (fault) store.faults.next(fault, { match: /salesReports/ });
    }
    return true;
  }
  const pid = Object.entries(instance.children()).find(([name]) => name.startsWith(victim))?.[1];
  try {
    // It may be between two lives: then another moment is tried.
    return pid !== undefined && process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Asks for a sync again and again, so that a run which the store has ended begins anew at once. */
async function pressRefresh({ call }: CrashClient, done: () => boolean): Promise<void> {
  while (!done()) {
    const { status } = await call('POST', '/v1/analytics/sync', { force: false });
    expect(status).toBe(200);
    await pause(PRESS_EVERY_MS, 'somebody presses again and again');
  }
}

/** One interruption in each stretch of the backfill, at a random place in the middle of it. */
async function interruptAlong(orgId: string): Promise<string[]> {
  const done: string[] = [];
  const stretch = (2 * DAYS) / INTERRUPTIONS;
  for (let index = 0; index < INTERRUPTIONS; index += 1) {
    const at = (index + 0.25 + random() / 2) * stretch;
    await until(`${at.toFixed(0)} days are stored`, async (saw) => {
      const stored = await storedDays(orgId).catch(() => 0);
      saw(stored);
      return stored >= at;
    });
    const victim = VICTIMS[index % VICTIMS.length] ?? 'worker';
    await until(`${victim} is interrupted`, async () => interrupt(victim));
    done.push(victim);
  }
  return done;
}

test(
  `a backfill of ${DAYS} days through ${INTERRUPTIONS} interruptions ends as one in peace`,
  async () => {
    await recordWrites();
    const calm = await connect(bootstrapClient(instance, 'calm'));
    await collected(calm);
    const inPeace = [...store.delivered].filter(([name]) => isJudged(name));
    for (const [name, times] of inPeace) expect([name, times]).toEqual([name, 1]);

    store.delivered.clear();
    const member = bootstrapClient(instance, 'storm');
    const storm = await connect(member);
    let done = false;
    const pressing = pressRefresh(member, () => done);
    const interruptions = await interruptAlong(storm);
    await collected(storm);
    done = true;
    await pressing;
    const [expected, found] = await Promise.all([
      patiently(() => contentOf(calm)),
      patiently(() => contentOf(storm)),
    ]);
    expect(expected.facts.length).toBeGreaterThan(DAYS * 20);
    expect(found).toEqual(expected);

    const writes = await sql<{ name: string; times: number }[]>`
      SELECT name, count(*) AS times FROM test_day_writes WHERE org_id = ${storm} GROUP BY name`;
    const twice = writes.filter(({ name, times }) => isJudged(name) && times !== 1);
    expect(twice).toEqual([]);
    const again = [...store.delivered]
      .map(([name, times]) => ({ name, again: times - 1 }))
      .filter((one) => isJudged(one.name) && one.again > 0);
    console.log(`  ${interruptions.length} interruptions, ${again.length} reports fetched again`);
    expect(again.filter((one) => one.again > 1)).toEqual([]);
    // What a kill finds under way is lost with it: a report for each lane.
    expect(again.length).toBeLessThanOrEqual(LANES * interruptions.length);
  },
  LIMIT_MS + 60_000,
);
