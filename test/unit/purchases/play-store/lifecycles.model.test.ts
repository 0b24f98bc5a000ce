import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type Chain,
  judgeEntitlement,
  LEEWAY_WITH_KEY_MS,
} from '../../../../src/modules/purchases/entitlement/rules.ts';
import { digestChain } from '../../../../src/modules/purchases/ledger/digest.ts';
import { toOverview } from '../../../../src/modules/purchases/overview/answer.ts';
import { foldChain } from '../../../../src/modules/purchases/overview/fold.ts';
import type { ChainHistory } from '../../../../src/modules/purchases/overview/history.ts';
import { packFold } from '../../../../src/modules/purchases/overview/pack.ts';
import { OverviewTally } from '../../../../src/modules/purchases/overview/tally.ts';
import { createAmounts } from '../../../../src/modules/purchases/revenue/amounts.ts';
import { toRevenue } from '../../../../src/modules/purchases/revenue/answer.ts';
import { RevenueTally } from '../../../../src/modules/purchases/revenue/tally.ts';
import { resolveRevenueWindow } from '../../../../src/modules/purchases/revenue/window.ts';
import { createRateTable } from '../../../../src/modules/sales/rates/rate-table.ts';
import type { Store } from '../../../../src/shared/purchase.ts';
import type { SimulatedSubscription } from '../../../simulators/store-server/subscription.ts';
import { appStoreHistory } from '../../../support/app-store-history.ts';
import { referenceOverview } from '../../../support/overview-reference.ts';
import { FIRST, type Lived, live, type Person, person } from '../../../support/play-lives.ts';
import {
  best,
  type Held,
  heldOfAppStore,
  heldOfProduct,
  heldOfSubscriptions,
  livedOf,
  moneyOfAppStore,
  moneyOfProduct,
  moneyOfSubscription,
  movementOf,
  revenueOf,
} from '../../../support/play-reference.ts';
import { toldOf } from '../../../support/play-told.ts';
import { FactBook } from '../../../support/purchases.ts';

const DAY = 86_400_000;
const RUNS = process.env.TEST_FULL ? 5_000 : 200;
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** A euro is a dollar and a quarter. */
const RATES = Array.from({ length: 900 }, (_, index) => ({
  ...{ day: day(FIRST + (index * 3 - 10) * DAY), currency: 'USD', rate: '1.2500' },
}));
const table = createRateTable(RATES);
const amounts = createAmounts((currency, ms) => table.converter(currency, 'USD', day(ms)));
const rateAt = (currency: string) => (currency === 'USD' ? 100 : 125);

/** Half to even, in whole numbers of eightieths of a cent. */
function worth(milliunits: number, currency: string): number {
  const eightieths = milliunits * (currency === 'USD' ? 8 : 10);
  const [whole, rest] = [Math.floor(eightieths / 80), eightieths % 80];
  return rest > 40 || (rest === 40 && whole % 2 === 1) ? whole + 1 : whole;
}

type Kept = { chain: Chain; history: ChainHistory; truths: Held[] };

function keptOfAppStore(one: SimulatedSubscription, nowMs: number): Kept {
  const book = new FactBook();
  for (const message of one.told.toReversed()) book.apply(message);
  book.apply(one.answer());
  const digest = digestChain(book.facts(one.originalTransactionId));
  const { environment } = one.options;
  return {
    chain: { store: 'app_store', environment, digest, checkedAtMs: nowMs },
    history: appStoreHistory(one.told),
    truths: [heldOfAppStore(one)],
  };
}

/** Everything that the service keeps of a person. */
function keptOf({ subscriptions, products, appStore, nowMs }: Lived, given: Person): Kept[] {
  const google = [...subscriptions, ...products].flatMap((one): Kept[] => {
    const ledger = toldOf(one, given.fates, nowMs);
    return [...ledger.chains].map(([chainId, { environment }]) => ({
      chain: {
        ...{ store: 'google_play', environment, checkedAtMs: nowMs },
        digest: ledger.digest(chainId),
      },
      history: ledger.history(chainId),
      truths: 'periods' in one ? heldOfSubscriptions(one) : [heldOfProduct(one)],
    }));
  });
  return [...google, ...appStore.map((one) => keptOfAppStore(one, nowMs))];
}

const judge = (chains: Chain[], nowMs: number, productIds: string[] | null = null) =>
  judgeEntitlement(chains, {
    ...{ nowMs, leewayMs: LEEWAY_WITH_KEY_MS, productIds, environment: 'Production' },
  }).entitlement;

const ENTITLED: ReadonlySet<string> = new Set(['active', 'billing_grace']);

function expectHeld(got: ReturnType<typeof judge>, truths: readonly Held[]): void {
  const found = truths.find(({ productId }) => productId === got.productId) ?? truths[0];
  if (!found) {
    expect(got).toMatchObject({ entitled: false, status: 'none' });
    return;
  }
  expect(got.entitled).toBe(ENTITLED.has(found.status));
  if (found.status === 'expired' || found.status === 'revoked') {
    expect(['expired', 'revoked']).toContain(got.status);
    return;
  }
  const { status, productId, willRenew, isReal } = found;
  expect(got).toMatchObject({ status, productId, ...(willRenew === null ? {} : { willRenew }) });
  expect(got.environment).toBe(isReal || status === 'none' ? 'Production' : 'Sandbox');
  if (!ENTITLED.has(status)) return;
  expect([got.expiresAt, got.graceExpiresAt]).toEqual([
    iso(found.expiresAt),
    iso(found.graceExpiresAt),
  ]);
}

function checkEntitlement(kept: readonly Kept[], { nowMs }: Lived): void {
  for (const { chain, truths } of kept) expectHeld(judge([chain], nowMs), best(truths));
  const truths = kept.flatMap((one) => one.truths);
  const chains = kept.map(({ chain }) => chain);
  expectHeld(judge(chains, nowMs), best(truths));
  for (const product of new Set(truths.flatMap(({ productId }) => productId ?? []))) {
    const isEntitled = truths.some(
      ({ productId, status }) => productId === product && ENTITLED.has(status),
    );
    expect([product, judge(chains, nowMs, [product]).entitled]).toEqual([product, isEntitled]);
  }
}

const real = (kept: readonly Kept[]) =>
  kept.filter(({ chain }) => chain.environment === 'Production');

function checkMovement(kept: readonly Kept[], lived: Lived, from: number): void {
  const { subscriptions, appStore, nowMs } = lived;
  const fromMs = FIRST + from * DAY;
  const endMs = Math.max(nowMs, fromMs + DAY);
  const days = Math.ceil((endMs - fromMs) / DAY);
  const window = { fromMs, endMs, days, nowMs: endMs };
  const tally = new OverviewTally(window, rateAt);
  for (const { history, chain } of real(kept)) tally.addChain(foldChain(history), chain.store);
  const got = toOverview(tally, window, day(fromMs));
  const own = subscriptions.filter(({ options }) => !options.isTest);
  const google = movementOf(
    own.map(({ periods }) => livedOf(periods)),
    window,
  );
  const told = appStore
    .filter(({ options }) => options.environment === 'Production')
    .map((one) => one.told);
  const apple = referenceOverview({ told, ...window, rateAt }).subscriptions;
  const moved = got.subscriptions;
  for (const name of ['start', 'new', 'returned', 'churned', 'end'] as const) {
    expect([name, moved[name]]).toEqual([name, google[name] + apple[name]]);
  }
  for (const { subscriptions: s, mrr: m } of [got, ...(got.byStore ?? [])]) {
    expect(s.start + s.new + s.returned - s.churned).toBe(s.end);
    if (!m) continue;
    const gained = m.start + m.new + m.returned + m.expansion;
    expect(gained - m.contraction - m.churned + m.exchange).toBe(m.end);
  }
}

function checkRevenue(kept: readonly Kept[], { subscriptions, products, appStore }: Lived): void {
  const years = [0, 1, 2, 3, 4].map((year) => FIRST + year * 365 * DAY);
  const money = [
    ...subscriptions.flatMap(moneyOfSubscription),
    ...products.flatMap(moneyOfProduct),
    ...appStore.flatMap(({ told }) => moneyOfAppStore(told)),
  ];
  const wanted = revenueOf(money, worth);
  const got = new Map<string, { gross: number; refunded: number; refunds: number }>();
  for (const year of years) {
    const input = { from: day(year), to: day(year + 364 * DAY), interval: 'month' as const };
    const window = resolveRevenueWindow(input, 'UTC', new Date(FIRST + 6 * 365 * DAY));
    const { boundariesMs } = window;
    const shareOf = () => 0.7;
    const tally = new RevenueTally({
      boundariesMs,
      storeDaysMs: [],
      amounts,
      shareOf,
      filters: {},
    });
    for (const { history, chain } of real(kept)) {
      tally.addChain(packFold(foldChain(history)), chain.store as Store);
    }
    for (const { from, grossMinor, refunds } of toRevenue(tally, window).points) {
      const month = got.get(from.slice(0, 7)) ?? { gross: 0, refunded: 0, refunds: 0 };
      month.gross += grossMinor;
      month.refunded += refunds.byRefundDay.amountMinor;
      month.refunds += refunds.byRefundDay.count;
      got.set(from.slice(0, 7), month);
    }
  }
  const some = [...got].filter(([, { gross, refunds }]) => gross + refunds > 0);
  const byMonth = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);
  expect(some.toSorted(byMonth)).toEqual([...wanted].toSorted(byMonth));
}

describe('random lives of a person in both stores, told late, twice, in part and out of order', () => {
  test('entitle, move and pay as the stores have them', () => {
    const began = performance.now();
    fc.assert(
      fc.property(person, fc.integer({ min: 0, max: 400 }), (given, from) => {
        const lived = live(given);
        const kept = keptOf(lived, given);
        checkEntitlement(kept, lived);
        checkMovement(kept, lived, from);
        checkRevenue(kept, lived);
      }),
      { numRuns: RUNS },
    );
    console.log(`${RUNS} lives of both stores in ${Math.round(performance.now() - began)} ms`);
  }, 1_800_000);
});
