import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { readRecords } from '../../../src/sql/queries.ts';
import { PURCHASE_EVENTS } from '../../../src/modules/webhooks/events.ts';
import { importRates } from '../../../src/modules/sales/rates/import.ts';
import type { SimulatedSubscription, Told } from '../../simulators/store-server/subscription.ts';
import { type RateAt, referenceOverview } from '../../support/overview-reference.ts';
import { testDatabase } from '../../support/postgres.ts';
import { recordTold } from '../../support/purchase-facts.ts';
import {
  type Announced,
  anHourLate,
  announcedByLife,
  type Delivery,
  expectSameAnnounced,
  inAnyOrder,
  inOrder,
  isOvertaken,
  notOvertaken,
} from '../../support/purchase-announcements.ts';
import { life, live } from '../../support/purchase-lives.ts';
import { connectStore, linkStoreApp, reportLengths } from '../../support/purchase-reports.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const FIRST = Date.UTC(2026, 0, 1);
const service = await startPurchaseService(await testDatabase());
const { clock, deps } = service;
clock.now = Date.UTC(2026, 9, 20, 12);
const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Quoted for one euro: none at weekends, and no pound for a month. */
const QUOTED: Readonly<Record<string, number>> = { USD: 1.0831, JPY: 162.31, GBP: 0.8453 };
const quotes = new Map<string, number>();
for (let at = FIRST - 10 * DAY; at <= clock.now; at += DAY) {
  if ([0, 6].includes(new Date(at).getUTCDay())) continue;
  for (const [currency, rate] of Object.entries(QUOTED)) {
    if (currency === 'GBP' && day(at) >= '2026-03-10' && day(at) < '2026-04-10') continue;
    const moved = rate * (1 + ((at / DAY) % 97) / 1_000);
    quotes.set(`${currency} ${day(at)}`, Number(moved.toFixed(4)));
  }
}
const lines = [...new Set([...quotes.keys()].map((key) => key.slice(4)))].map((date) =>
  [date, ...Object.keys(QUOTED).map((one) => quotes.get(`${one} ${date}`) ?? 'N/A')].join(','),
);
await deps.rates.load('2026-01-01', '2026-01-02');
await deps.sql`DELETE FROM exchange_rates`;
await importRates(deps, {
  file: new TextEncoder().encode([`Date,${Object.keys(QUOTED).join(',')}`, ...lines].join('\n')),
  source: 'test',
});

/** By the day's quote, or the last of the seven days before. */
const rateAt: RateAt = (currency, atMs) => {
  if (currency === 'USD') return 100;
  const quoted = (name: string) => {
    for (let back = 0; back <= 7; back += 1) {
      const rate = quotes.get(`${name} ${day(atMs - back * DAY)}`);
      if (rate !== undefined) return rate;
    }
    return null;
  };
  const [own, dollars] = [currency === 'EUR' ? 1 : quoted(currency), quoted('USD')];
  return own === null || dollars === null ? null : (dollars / own) * 100;
};

const get = async (app: PurchaseApp, path: string) => {
  const { status, body } = await service.call(`/v1/apps/${app.appId}/purchases/${path}`, {
    headers: app.org.key,
  });
  expect(status).toBe(200);
  return body;
};

const ALL_ORDERS = ['123', '132', '213', '231', '312', '321', '1322113'];

const AT_ONCE = 8;
const WINDOWS = [
  [FIRST, FIRST + 60 * DAY],
  [FIRST + 45 * DAY, FIRST + 200 * DAY],
  [clock.now - 100 * DAY, clock.now],
].map(([from = 0, to = 0]) => ({ from: day(from), to: day(to) }));

/** Every answer about these purchases, without the app's own id and the time of asking. */
async function answersOf(app: PurchaseApp, lives: readonly SimulatedSubscription[]) {
  const answers: unknown[] = [];
  for (const { from, to } of WINDOWS)
    answers.push(await get(app, `overview?from=${from}&to=${to}`));
  const { customers } = await get(app, 'customers');
  answers.push(customers);
  const paths = lives.flatMap(({ originalTransactionId: id }) => [
    `customers/${id}`,
    `entitlement?originalTransactionId=${id}`,
    `entitlement?originalTransactionId=${id}&productId=max.monthly`,
  ]);
  for (let from = 0; from < paths.length; from += AT_ONCE) {
    const chunk = paths.slice(from, from + AT_ONCE);
    answers.push(...(await Promise.all(chunk.map((path) => get(app, path)))));
  }
  for (const view of ['purchases', 'subscriptions'] as const) {
    for await (const rows of readRecords(deps.sql, view, app.org.orgId)) answers.push(rows);
  }
  return JSON.parse(JSON.stringify(answers).replaceAll(app.appId, 'app'));
}

/** Tells each life in its order. */
async function tellAll(app: PurchaseApp, lives: readonly (readonly Delivery[])[]) {
  const scope = { orgId: app.org.orgId, appId: app.appId };
  const waiting = [...lives];
  const tellNext = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      for (const { told, receivedAt } of next) {
        await recordTold(deps.sql, scope, told, new Date(receivedAt));
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, tellNext));
}

/** Subscriptions of each app. */
const LIVES = 25;

/** An app whose organization is told of everything that happens to a purchase. */
async function appWithHook(): Promise<PurchaseApp> {
  const app = await service.app();
  const { status } = await service.call('/v1/webhooks', {
    headers: app.org.key,
    body: { url: 'https://example.com/hooks', events: ['entitlement.changed', ...PURCHASE_EVENTS] },
  });
  expect(status).toBe(201);
  return app;
}

/**
 * What the store's report calls the products, and the length that it means; of one it says what no
 * period lasts, of others nothing.
 */
const REPORTED = {
  'pro.weekly': '7 Days',
  'pro.monthly': '1 Month',
  'pro.yearly': '1 Year',
  'pro.season': '3 Months',
  'lite.monthly': '2 Months',
};
const LENGTHS = {
  'pro.weekly': '1 week',
  'pro.monthly': '1 month',
  'pro.yearly': '1 year',
  'pro.season': '3 months',
  'lite.monthly': '2 months',
};

async function readReports(app: PurchaseApp): Promise<void> {
  await connectStore(service, app);
  await linkStoreApp(service, app);
  await reportLengths(service, app, '2026-06-01', REPORTED);
}

/** By life, and the lives whose entitlement may have changed. */
async function announcedTo({ org, appId }: PurchaseApp) {
  const rows = await deps.sql<(Announced & { id: string })[]>`
    SELECT event_type AS type, event_id AS id, body::json->'data' AS data
    FROM webhook_deliveries WHERE org_id = ${org.orgId}`;
  const [changes, about] = [
    rows.filter(({ type }) => type === 'entitlement.changed'),
    rows.filter(({ type }) => type !== 'entitlement.changed'),
  ];
  expect(new Set(about.map(({ id }) => id)).size).toBe(about.length);
  return {
    byLife: announcedByLife(
      about.map(({ type, data }) => ({ type, data })),
      appId,
    ),
    changed: new Set(changes.map(({ data }) => data.originalTransactionId)),
  };
}

const near = (got: number, wanted: number) => expect(Math.abs(got - wanted)).toBeLessThanOrEqual(1);

type Amounts = Readonly<Record<string, number>>;
function nearAll(got: Amounts, wanted: Amounts) {
  for (const [name, amount] of Object.entries(wanted)) near(got[name]!, amount);
}

/** An overview equals its recomputation by plain loops. */
function expectReference(
  got: any,
  told: readonly (readonly Told[])[],
  { from, to, reported }: { from: string; to: string; reported: Readonly<Record<string, string>> },
) {
  const nowMs = clock.now;
  const fromMs = Date.parse(from);
  const endMs = Math.min(Date.parse(to) + DAY, nowMs);
  const wanted = referenceOverview({ told, fromMs, endMs, nowMs, rateAt, reported });
  const { mrrMinor, mrr, subscriptions, days, products, countries, churn, ...counts } = wanted;
  expect(got).toMatchObject({ ...counts, subscriptions, withoutPrice: 0 });
  near(got.mrrMinor, mrrMinor);
  nearAll(got.mrr, mrr);
  const refunds = { count: 0, amountMinor: 0, paid: 0, refunded: 0 };
  for (const [index, { mrr: amounts, mrrMinor: level, cohort, ...one }] of days.entries()) {
    const { refunds: given, paid, refunded, subscriptions: moved, ...levels } = one;
    const { start: _, end: __, ...moves } = moved;
    const shown = got.byDay[index];
    expect(shown).toMatchObject({ ...levels, refunds: { count: given.count } });
    expect(shown.subscriptions).toMatchObject(moves);
    near(shown.mrrMinor, level);
    const { start: ___, end: ____, ...amountsMoved } = amounts;
    nearAll(shown.mrr, amountsMoved);
    near(shown.refunds.amountMinor, given.amountMinor);
    expect(got.trialConversion.cohorts[index]).toMatchObject(cohort);
    refunds.count += given.count;
    refunds.amountMinor += given.amountMinor;
    refunds.paid += paid;
    refunds.refunded += refunded;
  }
  expect(got.refunds.byRefundDay.count).toBe(refunds.count);
  near(got.refunds.byRefundDay.amountMinor, refunds.amountMinor);
  const { paid, refunded } = refunds;
  expect(got.refunds.byPurchaseDay.subscriptions).toMatchObject({ paid, refunded });
  for (const [shown, parts, key] of [
    [got.byProduct, products, 'productId'],
    [got.byCountry, countries, 'country'],
  ] as const) {
    for (const part of shown) {
      const { mrrMinor: level, ...rest } = parts.get(part[key])!;
      const { start, new: begun, returned, churned, switchedIn, switchedOut, ...levels } = rest;
      expect(part).toMatchObject({
        ...levels,
        subscriptions: { start, new: begun, returned, churned, switchedIn, switchedOut },
      });
      near(part.mrrMinor, level);
    }
    const isSome = (part: Amounts) => Object.values(part).some((value) => value !== 0);
    const some = [...parts].filter(([, part]) => isSome(part)).map(([name]) => name);
    const names = shown.map((part: Record<string, string>) => part[key]);
    expect(names).toEqual(expect.arrayContaining(some));
  }
  const rows = got.churn.map(
    ({ duration, churned, rate, voluntaryRate, billingRate, netRate, ...row }: any) => [
      duration,
      row,
    ],
  );
  expect(new Map(rows)).toEqual(churn);
}

describe('the order of notifications', () => {
  test('changes nothing of who changed their mind and back', async () => {
    for (const trial of [true, false]) {
      for (const order of isFullRun ? ALL_ORDERS : ['132', '1322113']) {
        const app = await service.app();
        const subscription = buy(app, clock.now - DAY, { trial });
        subscription.now = clock.now - 12 * HOUR;
        subscription.act('cancel');
        subscription.now = clock.now - HOUR;
        subscription.act('resume');
        for (const number of order) {
          await service.deliver(subscription, subscription.told[Number(number) - 1]!, app);
        }
        const { trialConversion, willNotRenew } = await get(app, 'overview');
        const { started, pending, abandoned } = trialConversion.cohorts.at(-2);
        expect([order, willNotRenew, started, pending, abandoned]).toEqual(
          trial ? [order, 0, 1, 1, 0] : [order, 0, 0, 0, 0],
        );
        const { purchases } = await get(app, `customers/${subscription.originalTransactionId}`);
        expect(purchases[0].renewals.map((one: { willRenew: boolean }) => one.willRenew)).toEqual([
          true,
          false,
          true,
        ]);
      }
    }
  });

  test('changes nothing of what is said twice in one instant, nor who said it first', async () => {
    const told = (app: PurchaseApp) => {
      const subscription = buy(app, clock.now - DAY);
      const [first] = subscription.told;
      const other: Told = structuredClone(first!);
      other.renewal.autoRenewStatus = 0;
      other.transaction.expiresDate = other.transaction.expiresDate! + DAY;
      other.transaction.price = 4_990;
      other.status = 3;
      return { subscription, told: [first!, other] };
    };
    const app = await service.app();
    const { subscription, told: both } = told(app);
    const now = (one: Told) => ({ told: one, receivedAt: clock.now });
    await tellAll(app, [both.map(now)]);
    const reversed = await service.app();
    await tellAll(reversed, [[...both.toReversed(), both[0]!].map(now)]);
    expect(await answersOf(reversed, [subscription])).toEqual(await answersOf(app, [subscription]));
  });

  test('changes no answer of random lives, and no webhook but for what the document says', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(life, { minLength: LIVES, maxLength: LIVES }),
        fc.nat(),
        async (given, seed) => {
          const random = randomFrom(seed);
          const [app, other, without] = [
            await appWithHook(),
            await appWithHook(),
            await appWithHook(),
          ];
          const lives = given.map((one) => live(one, app.bundleId, FIRST));
          const told = lives.map((one) =>
            one.told.filter(({ signedDate }) => signedDate < clock.now - 3 * HOUR),
          );
          const hasReports = seed % 3 === 0;
          for (const one of hasReports ? [app, other] : []) await readReports(one);
          const reorder = seed % 2 === 0 ? inAnyOrder : anHourLate;
          const orders = told.map((one) => reorder(one, random));
          await tellAll(app, told.map(inOrder));
          await tellAll(other, orders);
          const [asSigned, reordered] = [
            await answersOf(app, lives),
            await answersOf(other, lives),
          ];
          expect(reordered).toEqual(asSigned);
          for (const [index, window] of WINDOWS.entries()) {
            expectReference(asSigned[index], told, {
              ...window,
              reported: hasReports ? LENGTHS : {},
            });
          }
          await tellAll(without, orders.filter(isOvertaken).map(notOvertaken));
          const [signed, announced, rest] = [
            await announcedTo(app),
            await announcedTo(other),
            await announcedTo(without),
          ];
          expect(announced.changed).toEqual(signed.changed);
          for (const [index, { originalTransactionId: id }] of lives.entries()) {
            const ofSigned = signed.byLife.get(id) ?? [];
            const inOrderToo = { all: ofSigned, asSigned: ofSigned, withoutOvertaken: ofSigned };
            expectSameAnnounced({ ...inOrderToo, deliveries: inOrder(told[index]!) });
            const deliveries = orders[index]!;
            const all = announced.byLife.get(id) ?? [];
            const withoutOvertaken = isOvertaken(deliveries) ? (rest.byLife.get(id) ?? []) : all;
            expectSameAnnounced({ deliveries, all, asSigned: ofSigned, withoutOvertaken });
          }
        },
      ),
      { numRuns: isFullRun ? 200 : 4, endOnFailure: true },
    );
  });
});
