import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { addDays, eachDay, pacificInstant } from '../../../src/shared/pacific.ts';
import { makeKey } from '../../simulators/store/auth.ts';
import { connectBody } from '../../simulators/store/connect-body.ts';
import { keepHistory } from '../../support/history.ts';
import { testDatabase } from '../../support/postgres.ts';
import { isFullRun } from '../../support/random.ts';
import { createTestKey, createTestOrg } from '../../support/service.ts';
import { NOON, startStoreSuite } from '../../support/store.ts';
import { testTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { startTestWorker } from '../../support/worker.ts';

const HOUR_MS = 3_600_000;
/** A store that keeps little, a little more than the 30 days that are read when nobody says. */
const SHORT_DAYS = 32;
/** For what is about the key and the connection; it is over in no time. */
const FEW_DAYS = 6;
const LONG_DAYS = isFullRun ? 365 : 40;

const database = await testDatabase();
const temporal = await testTemporal();
const suite = await startStoreSuite(
  database,
  { firstDay: '2026-05-01', retentionDays: SHORT_DAYS },
  { temporal },
);
await startTestWorker(suite.deps, temporal);
const { account } = suite.store;

afterEach(() => {
  suite.setNow(NOON);
  account.trouble.clear();
  account.remainingInHour = 3_500;
  account.retentionDays = SHORT_DAYS;
  suite.store.faults.clear();
});

/** An organization with a key of its own, so that the tests do not meet in one actor. */
async function connected(keyId: string) {
  const org = await createTestOrg(suite);
  const key = makeKey(crypto.randomUUID(), keyId);
  account.keys.push(key);
  const body = connectBody(suite.store, {
    issuerId: key.issuerId,
    keyId,
    privateKey: key.privateKey,
  });
  const answer = await suite.call('/v1/store/connection', { body, headers: org.key });
  expect(answer.status).toBe(201);
  return { ...org, keyId };
}
type Org = Awaited<ReturnType<typeof connected>>;
const sync = (org: Org, body: object | undefined = {}) =>
  suite.call('/v1/analytics/sync', { method: 'POST', body, headers: org.key });
const analytics = async (org: Org, query = '') => {
  const answer = await suite.call(`/v1/analytics${query}`, { headers: org.key });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  return answer.body;
};
const actor = (org: Org) => temporal.client.workflow.getHandle(`storeSync/${org.orgId}`);
/** No activity is under way: the look at the apps after a run ages with the clock of the suite. */
const isAtRest = async (org: Org) =>
  ((await actor(org).describe()).raw.pendingActivities ?? []).length === 0;
/** An actor that has not begun has nothing left either, so something has to be covered. */
const collected = (org: Org) =>
  until('the backfill is through', async (saw) => {
    const progress = await actor(org).query<{
      running: boolean;
      daysRemaining: number;
      coveredThrough: string | null;
    }>('progress');
    saw(progress);
    const isThrough =
      !progress.running && progress.daysRemaining === 0 && progress.coveredThrough !== null;
    return isThrough && (await isAtRest(org));
  });
const connection = async (org: Org) =>
  (await suite.call('/v1/store/connection', { headers: org.key })).body;

describe('a backfill', () => {
  test(`collects ${LONG_DAYS} days, newest first, and is readable on the way`, async () => {
    account.retentionDays = LONG_DAYS;
    const org = await connected('BACKFILL01');
    await collected(org);
    const model = await analytics(org, '?days=60');
    expect(model.freshness).toMatchObject({
      yesterday: '2026-07-14',
      state: 'ready',
      coveredFrom: addDays('2026-07-15', -LONG_DAYS),
      coveredThrough: '2026-07-14',
      daysBehind: 0,
      gaps: 0,
      lastError: null,
    });
    expect(model.totals.downloads).toBeGreaterThan(0);
    expect(model.totals.trials).toBeGreaterThan(0);
    expect(model.totals.refunds).toBeGreaterThan(0);
    expect(model.totals.unconvertedProceedsMinor).toBeGreaterThan(0);
    expect(model.unconverted.map((one: { currency: string }) => one.currency)).toContain('CLP');
    expect(model.byApp).toHaveLength(5);
    const order = suite.store.requests
      .map((line) => /filter%5BreportType%5D=SALES.*reportDate%5D=(\S{10})/.exec(line)?.[1])
      .filter((day) => day !== undefined);
    // The first sales report asked for is the check of the key, two days back.
    const [check, ...days] = order;
    expect(check).toBe('2026-07-13');
    // Of two lanes one may be overtaken, so each day comes at most one place early.
    const newestFirst = days.toSorted().toReversed();
    for (const [place, day] of days.entries()) {
      expect(newestFirst.slice(0, place + 2)).toContain(day);
    }
    await suite.call('/v1/store/connection', { method: 'DELETE', headers: org.key });
    await keepHistory(temporal.client, `storeSync/${org.orgId}`, 'store-sync/backfill');
  });

  test('asks for each report once, at most two at a time', async () => {
    suite.store.asked.clear();
    const org = await connected('BACKFILL02');
    await collected(org);
    const twice = [...suite.store.asked].filter(([, times]) => times > 1).map(([name]) => name);
    // The check of the key asked for that day before.
    expect(twice).toEqual(['SALES 2026-07-13']);
    expect(suite.store.mostAtOnce()).toBeLessThanOrEqual(2);
  });
});

describe('a sync on demand', () => {
  test('is skipped when one has just been done, and done again by force', async () => {
    const org = await connected('ONDEMAND01');
    await collected(org);
    expect((await sync(org)).body).toMatchObject({
      skipped: true,
      checked: 0,
      rowsWritten: 0,
      coveredThrough: '2026-07-14',
    });
    suite.setNow(new Date(NOON.getTime() + 60_000));
    const forced = (await sync(org, { force: true })).body;
    expect(forced).toMatchObject({
      skipped: false,
      checked: 21,
      rowsWritten: 0,
      stoppedBecause: null,
    });
  });

  test('ten members at once share one run', async () => {
    const org = await connected('ONDEMAND02');
    await collected(org);
    suite.store.asked.clear();
    suite.setNow(new Date(NOON.getTime() + 120_000));
    account.delayMs = 20;
    const answers = await Promise.all(Array.from({ length: 10 }, () => sync(org, { force: true })));
    account.delayMs = undefined;
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect([...suite.store.asked.values()]).toEqual(Array(21).fill(1));
  });

  test('without a body too, and not without a connection or the permission', async () => {
    account.retentionDays = FEW_DAYS;
    const org = await connected('ONDEMAND03');
    await collected(org);
    expect((await sync(org, undefined)).status).toBe(200);
    const reader = await createTestKey(suite, org, ['analytics:read']);
    const denied = await suite.call('/v1/analytics/sync', { method: 'POST', headers: reader });
    expect(denied.status).toBe(403);
    const other = await createTestOrg(suite);
    const none = await suite.call('/v1/analytics/sync', { method: 'POST', headers: other.key });
    expect([none.status, none.body.error.code]).toEqual([404, 'store_not_connected']);
  });
});

describe('a key in trouble later', () => {
  beforeEach(() => {
    account.retentionDays = FEW_DAYS;
  });

  test.each([
    ['revoked', 'credentials_rejected', 'invalid', 'does not accept'],
    ['role', 'role_missing', 'invalid', 'role'],
    ['agreement', 'role_missing', 'connected', 'agreement'],
    ['rate_limited', 'rate_limited', 'connected', 'rate limiting'],
  ] as const)(
    '%s: said in words, and healed by itself',
    async (trouble, because, status, words) => {
      const org = await connected(`TROUBLE${trouble.slice(0, 3).toUpperCase()}`);
      await collected(org);
      account.trouble.set(org.keyId, trouble);
      suite.setNow(new Date(NOON.getTime() + 2 * HOUR_MS));
      const stopped = (await sync(org, { force: true })).body;
      expect(stopped).toMatchObject({ stoppedBecause: because, skipped: false });
      const troubled = await connection(org);
      expect(troubled.status).toBe(status);
      expect(troubled.lastError).toContain(words);
      account.trouble.delete(org.keyId);
      suite.setNow(new Date(NOON.getTime() + 3 * HOUR_MS));
      expect((await sync(org, { force: true })).body.stoppedBecause).toBeNull();
      expect(await connection(org)).toMatchObject({ status: 'connected', lastError: null });
    },
  );

  test('a key that is refused for a whole day was revoked', async () => {
    const org = await connected('REVOKED');
    await collected(org);
    const statusAfter = async (hours: number) => {
      suite.setNow(new Date(NOON.getTime() + hours * HOUR_MS));
      await sync(org, { force: true });
      return (await connection(org)).status;
    };
    account.trouble.set(org.keyId, 'revoked');
    expect(await statusAfter(2)).toBe('invalid');
    expect(await statusAfter(25)).toBe('invalid');
    // The role alone would be no reason: that the store says so shows that it knows the key.
    account.trouble.set(org.keyId, 'role');
    expect(await statusAfter(27)).toBe('invalid');
    account.trouble.set(org.keyId, 'revoked');
    expect(await statusAfter(28)).toBe('invalid');
    expect(await statusAfter(51)).toBe('invalid');
    expect(await statusAfter(52)).toBe('revoked');
    account.trouble.set(org.keyId, 'rate_limited');
    expect(await statusAfter(53)).toBe('revoked');
    account.trouble.delete(org.keyId);
    expect(await statusAfter(54)).toBe('connected');
    account.trouble.set(org.keyId, 'revoked');
    expect(await statusAfter(55)).toBe('invalid');
    account.trouble.delete(org.keyId);
  });

  test('a vendor number that the store no longer takes is named, and is no revoked key', async () => {
    const org = await connected('VENDORGONE');
    await collected(org);
    const { vendorNumber } = account;
    account.vendorNumber = '80077777';
    for (const hours of [1, 26, 52]) {
      suite.setNow(new Date(NOON.getTime() + hours * HOUR_MS));
      const { body } = await sync(org, { force: true });
      expect(body.stoppedBecause).toBe('credentials_rejected');
      const troubled = await connection(org);
      expect(troubled.status).toBe('invalid');
      expect(troubled.lastError).toContain('vendor number');
    }
    account.vendorNumber = vendorNumber;
  });

  test('a store that is away stops the run and keeps the connection', async () => {
    account.retentionDays = SHORT_DAYS;
    const org = await connected('TROUBLE503');
    await collected(org);
    suite.store.faults.next({ kind: 'status', status: 502, body: '<html>' }, { times: 12 });
    suite.setNow(new Date(NOON.getTime() + HOUR_MS));
    expect((await sync(org, { force: true })).body.stoppedBecause).toBe('store_unavailable');
    suite.store.faults.clear();
    expect((await connection(org)).status).toBe('connected');
    expect((await analytics(org)).freshness.state).toBe('ready');
  });
});

describe('days that change their mind', () => {
  test('corrected, shrunk, withdrawn, issued again, emptied and dropped', async () => {
    const org = await connected('CHANGES001');
    await collected(org);
    const dayOf = async (day: string) => {
      const model = await analytics(org, `?from=${day}&to=${day}`);
      return { ...model.totals, covered: model.series[0].covered };
    };
    const day = '2026-07-14';
    const before = await dayOf(day);
    let at = NOON.getTime();
    const again = async () => {
      at += 25 * HOUR_MS;
      suite.setNow(new Date(at));
      const { body } = await sync(org, { force: true });
      expect(body.stoppedBecause).toBeNull();
    };
    /** Rows that the day says it has, and those that are there. */
    const rowsOf = async () => {
      const [kept] = await database.sql<{ said: number; there: number }[]>`
        SELECT rows AS said, (SELECT count(*) FROM store_facts f WHERE f.org_id = d.org_id
          AND f.day = d.day AND f.report_type = d.report_type) AS there
        FROM store_days d
        WHERE org_id = ${org.orgId} AND day = ${day} AND report_type = 'SALES'`;
      expect(kept?.said).toBe(kept?.there);
      return kept?.there ?? 0;
    };
    const rowsBefore = await rowsOf();
    account.corrections.set(day, 2);
    await again();
    const corrected = await dayOf(day);
    expect(corrected).not.toEqual(before);
    expect(await rowsOf()).toBeLessThan(rowsBefore);
    account.days.set(`SALES ${day}`, 'not_yet');
    await again();
    expect(await dayOf(day)).toEqual(corrected);
    account.days.set(`SALES ${day}`, 'gone');
    await again();
    expect(await dayOf(day)).toEqual(corrected);
    account.days.set(`SALES ${day}`, 'no_sales');
    await again();
    expect(await dayOf(day)).toEqual(corrected);
    await again();
    expect(await dayOf(day)).toMatchObject({ downloads: 0, proceedsMinor: 0, covered: true });
    expect(await rowsOf()).toBe(0);
    account.days.delete(`SALES ${day}`);
    await again();
    expect(await dayOf(day)).toEqual(corrected);
    account.corrections.clear();
  });

  test('a report that comes hours later is awaited, and trials do not hold sales up', async () => {
    suite.setNow(pacificInstant('2026-07-15', 6));
    const org = await connected('LATE000001');
    await collected(org);
    expect((await analytics(org)).freshness).toMatchObject({ state: 'ready', daysBehind: 0 });
    const late = async () => {
      const [row] = await database.sql`
        SELECT state FROM store_days WHERE org_id = ${org.orgId}
          AND report_type = 'SUBSCRIPTION_EVENT' AND day = '2026-07-14'`;
      return row?.state;
    };
    const trialsOf = async () =>
      (await analytics(org, '?from=2026-07-14&to=2026-07-14')).totals.trials;
    expect([await late(), await trialsOf()]).toEqual(['pending', 0]);
    suite.setNow(pacificInstant('2026-07-15', 9, 30));
    await sync(org, { force: true });
    expect(await late()).toBe('reported');
    expect(await trialsOf()).toBeGreaterThan(0);
    suite.setNow(pacificInstant('2026-07-15', 4, 30));
    const early = await connected('LATE000002');
    await collected(early);
    expect((await analytics(early)).freshness).toMatchObject({ state: 'awaiting', daysBehind: 1 });
    suite.setNow(NOON);
    expect((await sync(early, { force: true })).body.coveredThrough).toBe('2026-07-14');
  });

  test('a report that cannot be read fails its day and no other', async () => {
    const org = await connected('BROKEN0001');
    await collected(org);
    account.days.set('SALES 2026-07-12', [
      { 'Begin Date': '07/12/2026', Units: 'many', 'Product Type Identifier': '1F' },
    ]);
    account.days.set('SALES 2026-07-15', []);
    suite.setNow(new Date(NOON.getTime() + 24 * HOUR_MS));
    const { body } = await sync(org, { force: true });
    expect(body.stoppedBecause).toBeNull();
    const [broken] = await database.sql`
      SELECT state, last_error FROM store_days
      WHERE org_id = ${org.orgId} AND report_type = 'SALES' AND day = '2026-07-12'`;
    expect(broken).toMatchObject({ state: 'reported' });
    expect(broken?.last_error).toContain('Line 1');
    expect((await analytics(org)).freshness).toMatchObject({ state: 'no_sales' });
    account.days.clear();
  });
});

describe('other accounts', () => {
  test('an account without any sales is covered by zeros', async () => {
    const firstDay = account.firstDay;
    account.firstDay = '2027-01-01';
    const org = await connected('NOSALES001');
    await collected(org);
    const model = await analytics(org);
    expect(model.freshness).toMatchObject({ state: 'no_sales', gaps: 0 });
    expect(model.series.every((one: { covered: boolean }) => one.covered)).toBe(true);
    expect(model.totals.downloads).toBe(0);
    account.firstDay = firstDay;
  });

  test('another vendor number starts a history of its own; the old one comes back with it', async () => {
    const org = await connected('VENDOR0001');
    await collected(org);
    const before = (await analytics(org)).totals;
    const vendorNumber = account.vendorNumber;
    account.vendorNumber = '80054321';
    account.firstDay = '2026-07-14';
    const key = account.keys.find(({ keyId }) => keyId === org.keyId)!;
    const reconnect = () =>
      suite.call('/v1/store/connection', {
        body: connectBody(suite.store, {
          issuerId: key.issuerId,
          keyId: key.keyId,
          privateKey: key.privateKey,
        }),
        headers: org.key,
      });
    expect((await reconnect()).status).toBe(201);
    await collected(org);
    const other = (await analytics(org)).totals;
    expect(other.downloads).toBeLessThan(before.downloads);
    account.vendorNumber = vendorNumber;
    account.firstDay = '2026-05-01';
    expect((await reconnect()).status).toBe(201);
    await collected(org);
    expect((await analytics(org)).totals).toEqual(before);
  });

  test('a key that may not read subscriptions collects sales and says why trials are missing', async () => {
    account.trouble.set('NOTRIALS01', 'no_subscriptions');
    const org = await connected('NOTRIALS01');
    await collected(org);
    const { totals, freshness } = await analytics(org);
    expect(totals.downloads).toBeGreaterThan(0);
    expect(totals.trials).toBe(0);
    expect(freshness).toMatchObject({ state: 'ready', gaps: 0 });
    expect(freshness.lastError).toContain('Trials are not counted');
    account.trouble.delete('NOTRIALS01');
    suite.setNow(new Date(NOON.getTime() + HOUR_MS));
    await sync(org, { force: true });
    await collected(org);
    expect((await analytics(org)).freshness.lastError).toBeNull();
    expect((await analytics(org)).totals.trials).toBeGreaterThan(0);
  });
});

describe('days around the clock changes', () => {
  test.each(['2026-03-08', '2025-11-02'])('%s is one day like any other', async (day) => {
    suite.setNow(pacificInstant(addDays(day, 3), 12));
    account.firstDay = '2025-10-01';
    account.retentionDays = FEW_DAYS;
    const org = await connected(`CLOCK${day.replaceAll('-', '').slice(2)}`);
    await collected(org);
    const model = await analytics(org, `?from=${addDays(day, -1)}&to=${addDays(day, 1)}`);
    expect(model.series.map((one: { day: string }) => one.day)).toEqual(
      eachDay(addDays(day, -1), addDays(day, 1)),
    );
    expect(model.series.every((one: { covered: boolean }) => one.covered)).toBe(true);
    account.firstDay = '2026-05-01';
  });
});
