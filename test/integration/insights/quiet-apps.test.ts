import { expect, setDefaultTimeout, test } from 'bun:test';
import type { Recommendation } from '../../../src/modules/insights/model.ts';
import { link, upsertStoreApps } from '../../../src/modules/sales/collection/apps-queries.ts';
import { insertFacts, upsertDay } from '../../../src/modules/sales/days/queries.ts';
import type { SalesFact } from '../../../src/providers/store/port.ts';
import { at } from '../../../src/shared/assert.ts';
import { drawsFrom } from '../../support/draws.ts';
import { groundOf, numbersOf } from '../../support/insight-claims.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { busyness, COUNTRIES, isAlarm, poisson, quietDay } from '../../support/quiet-apps.ts';
import { isFullRun } from '../../support/random.ts';
import { createTestApp, createTestOrg, type TestApp } from '../../support/service.ts';
import { placeConnection, startStoreSuite } from '../../support/store.ts';

/**
 * Apps of all sizes and ages in which nothing happens, by the service itself: their events come in
 * by HTTP and lie in log and files, the store sells every day, and insights are asked by HTTP, while
 * the clock goes on for 60 days.
 */
const APPS = isFullRun ? 300 : 8;
const LARGEST = isFullRun ? 40 : 12;
/** Days between two looks. */
const PACE = isFullRun ? 6 : 15;
const FILES_EVERY = isFullRun ? 12 : 60;
const [HISTORY, LOOKED] = [60, 60];
const AT_ONCE = 4;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const START_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS - (HISTORY + LOOKED) * DAY_MS;

// 42,000 batches in the full form.
if (isFullRun) setDefaultTimeout(60 * 60_000);

const suite = await startStoreSuite(await testDatabase());
const { call, deps, setNow } = suite;
await startTestQueries(deps);
const org = await createTestOrg(suite);
const draw = drawsFrom(301);
const STEPS = ['app_opened', 'onboarding_completed', 'paywall_viewed', 'purchase_completed'];
const dayName = (day: number) => new Date(START_MS + day * DAY_MS).toISOString().slice(0, 10);

type QuietApp = TestApp & {
  newPeople: number;
  firstDay: number;
  storeAppId: string;
  /** Days between two releases. */
  pace: number;
};
type Sent = { name: string; ts: string; anonymousId: string };
type Told = Map<number, Sent[]>;

async function quietApp(index: number): Promise<QuietApp> {
  const app = await createTestApp(suite, org.orgId);
  const newPeople = Math.round(2 * LARGEST ** draw.uniform());
  const age = Math.floor(draw.uniform() * 460) - LOOKED;
  const body = {
    name: 'Main',
    steps: STEPS.map((event) => ({ event, label: event })),
    isDefault: true,
  };
  const made = await call(`/v1/apps/${app.appId}/funnels`, { headers: org.key, body });
  expect(made.status).toBe(201);
  const storeAppId = String(900 + index);
  const bundleId = `com.example.quiet${index}`;
  const store = { storeAppId, name: `Quiet ${index}`, bundleId, sku: `QUIET${index}` };
  await upsertStoreApps(deps.sql, org.orgId, [store]);
  const when = new Date(START_MS);
  await deps.sql.begin((tx) => link(tx, org.orgId, { storeAppId, appId: app.appId, at: when }));
  const pace = 6 + (index % 14);
  return { ...app, newPeople, firstDay: Math.max(0, HISTORY - age), storeAppId, pace };
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const busyBefore = (hour: number) =>
  HOURS.slice(0, hour).reduce((sum, one) => sum + busyness(one), 0);
const BUSY = busyBefore(24);

/** An instant of the day, by how busy its hours are; what follows is of the same day. */
function instantOf(day: number): number {
  const drawn = draw.uniform() * BUSY;
  const hour = HOURS.findLast((one) => drawn >= busyBefore(one)) ?? 0;
  return (
    START_MS + day * DAY_MS + hour * HOUR_MS + Math.floor(draw.uniform() * (HOUR_MS - 400_000))
  );
}

const iso = (ms: number) => new Date(ms).toISOString();

/** What people of a country do on a day: each step by some of those of the one before. */
function eventsOf(day: number, country: number, people: readonly number[]): Sent[] {
  return Array.from({ length: people[0] ?? 0 }, (_, person) => {
    const anonymousId = `person-${day}-${country}-${person}`;
    const from = instantOf(day);
    return STEPS.filter((_step, index) => person < (people[index] ?? 0)).map((name) => ({
      ...{ name, anonymousId },
      ts: iso(from + STEPS.indexOf(name) * 60_000),
    }));
  }).flat();
}

const FACT: Omit<SalesFact, 'line' | 'storeId' | 'sku' | 'country' | 'units'> = {
  ...{ parentStoreId: null, parentSku: null, title: 'Quiet', productType: '1F', device: 'iPhone' },
  ...{ bundleCredit: false, isRenewal: null, trials: 0, proceeds: '0', customerSpend: '0' },
  ...{ proceedsCurrency: 'USD', customerCurrency: 'USD' },
};

function factsOf(
  { storeAppId }: QuietApp,
  { people, units, refunds }: ReturnType<typeof quietDay>,
): Omit<SalesFact, 'line'>[] {
  const sku = `QUIET${Number(storeAppId) - 900}`;
  const app = { ...FACT, storeId: storeAppId, sku };
  const pro = {
    ...{ ...FACT, storeId: `${storeAppId}7`, parentStoreId: storeAppId, sku: `pro.${storeAppId}` },
    ...{ parentSku: sku, productType: 'IAY', isRenewal: false, proceeds: '7', customerSpend: '10' },
  };
  const bought = people.map((steps, index) => ({
    ...pro,
    country: at(COUNTRIES, index),
    units: String(steps[3] ?? 0),
  }));
  // Renewals, which nobody's event tells of.
  const renewed = { ...pro, isRenewal: true, country: 'US', units: String(units) };
  const given = { ...renewed, proceeds: '-7', units: String(-refunds) };
  return [
    ...people.map(([opened = 0], index) => ({
      ...app,
      country: at(COUNTRIES, index),
      units: String(opened),
    })),
    ...[...bought, renewed, given],
  ].filter((row) => Number(row.units) !== 0);
}

async function sellOn(day: number, facts: readonly Omit<SalesFact, 'line'>[]): Promise<void> {
  const { vendorNumber } = suite.store.account;
  const sales = { orgId: org.orgId, vendorNumber, reportType: 'SALES', day: dayName(day) } as const;
  await deps.sql.begin(async (tx) => {
    await insertFacts(
      tx,
      sales,
      facts.map((fact, line) => ({ ...fact, line })),
    );
    await upsertDay(tx, sales, {
      ...{ state: 'reported', checkedAt: new Date(START_MS + day * DAY_MS) },
      ...{ emptySeenAt: null, lastError: null },
      facts: { contentHash: dayName(day), rows: facts.length },
    });
  });
}

/**
 * The newest of the day on which somebody came; every seventh has the one before, however far they
 * came: the first of a day are those who come furthest.
 */
function versionOf({ pace }: QuietApp, { anonymousId }: Sent): string {
  const [, day] = anonymousId.split('-').map(Number);
  const isEarlier = Bun.hash(anonymousId) % 7n === 0n;
  return `2.${Math.floor(day! / pace) + (isEarlier ? 0 : 1)}`;
}

async function send(app: QuietApp, told: Told): Promise<void> {
  for (const [country, all] of told) {
    for (const [appVersion, events] of Map.groupBy(all, (event) => versionOf(app, event))) {
      for (let from = 0; from < events.length; from += 100) {
        const context = { platform: 'ios', country: at(COUNTRIES, country), appVersion };
        const body = { events: events.slice(from, from + 100), context };
        const { status, text } = await call('/v1/events', { headers: app.device, body });
        expect([status, status === 202 ? '' : text]).toEqual([202, '']);
      }
    }
  }
}

/** Runs `work` on every one of them, some at a time. */
async function onEach<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const next = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

/** Days of an app, as its people and its store tell of them. */
function drawDays(
  app: QuietApp,
  from: number,
  before: number,
  sold: Map<number, Omit<SalesFact, 'line'>[]>,
): Told {
  const told: Told = new Map(COUNTRIES.map((_, country) => [country, []]));
  for (let day = from; day < before; day += 1) {
    const quiet = quietDay(draw, day, app.newPeople);
    sold.set(day, [...(sold.get(day) ?? []), ...factsOf(app, quiet)]);
    if (day < app.firstDay) continue;
    for (const [country, people] of quiet.people.entries()) {
      const events = told.get(country)!;
      events.push(...eventsOf(day, country, people));
      // Who came back.
      for (let again = poisson(draw, app.newPeople / 6); again > 0; again -= 1) {
        const anonymousId = `person-${day}-${country}-0`;
        events.push({ name: 'session_started', ts: iso(instantOf(day)), anonymousId });
      }
    }
  }
  return told;
}

test('quiet apps of all sizes and ages are left in peace, and asked to act on nothing that their own figures contradict', async () => {
  setNow(new Date(START_MS));
  await placeConnection(suite, org.orgId);
  const apps: QuietApp[] = [];
  for (let index = 0; index < APPS; index += 1) apps.push(await quietApp(index));
  const alarmed = new Map<string, Set<string>>();
  const counts = { looks: 0, judged: 0, versions: 0, acts: 0, events: 0 };
  for (let day = 0; day < HISTORY + LOOKED; day += PACE) {
    const now = START_MS + (day + PACE) * DAY_MS;
    setNow(new Date(now));
    const sold = new Map<number, Omit<SalesFact, 'line'>[]>();
    const told = new Map(apps.map((app) => [app, drawDays(app, day, day + PACE, sold)]));
    await onEach(apps, async (app) => send(app, told.get(app)!));
    for (const events of [...told.values()].flatMap((one) => [...one.values()])) {
      counts.events += events.length;
    }
    for (const [on, facts] of sold) await sellOn(on, facts);
    if ((day + PACE) % FILES_EVERY === 0) await compactEverything(deps);
    if (day + PACE <= HISTORY) continue;
    await onEach(apps, async ({ appId }) => {
      const path = `/v1/apps/${appId}/insights?days=30`;
      const { status, body } = await call(path, { headers: org.key });
      expect(status).toBe(200);
      counts.looks += 1;
      expect(body.store.downloads).toBeGreaterThan(0);
      if ((body.judged?.people ?? 0) >= 50) counts.judged += 1;
      const isReady = ({ verdict }: { verdict: string }) => verdict === 'ready';
      if (body.versions.figures.filter(isReady).length > 1) counts.versions += 1;
      const said: Recommendation[] = body.recommendations;
      for (const one of said.filter(({ severity }) => severity === 'act')) {
        expect(numbersOf(one)).toEqual(groundOf(one, body, new Date(now)));
        if (body.events.people > 0) counts.acts += 1;
      }
      // Before its first event an app with downloads is told that none arrive, and rightly so.
      if (body.events.people === 0) return;
      for (const { code } of said.filter(isAlarm)) {
        alarmed.set(code, (alarmed.get(code) ?? new Set()).add(appId));
      }
    });
  }
  const shares = [...alarmed].map(([code, told]) => [code, told.size / APPS] as const);
  if (isFullRun) console.log(counts, Object.fromEntries(shares));
  expect(counts.looks).toBe((APPS * LOOKED) / PACE);
  expect(counts.judged).toBeGreaterThan(0);
  expect(counts.versions).toBeGreaterThan(0);
  // One in a hundred in a month; and what chance adds to that with so few of them.
  const most = 0.02 + 4 * Math.sqrt(0.0196 / APPS);
  for (const [code, share] of shares) {
    expect({ code, isRare: share <= most }).toEqual({ code, isRare: true });
  }
});
