import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type Chain,
  judgeEntitlement,
  LEEWAY_WITH_KEY_MS,
} from '../../../../src/modules/purchases/entitlement/rules.ts';
import { Ledger } from '../../../../src/modules/purchases/cohorts/ledger.ts';
import { placePeople } from '../../../../src/modules/purchases/cohorts/place.ts';
import { countLedger } from '../../../../src/modules/purchases/cohorts/tally.ts';
import { resolveCohortWindow } from '../../../../src/modules/purchases/cohorts/window.ts';
import { digestChain } from '../../../../src/modules/purchases/ledger/digest.ts';
import { toOverview } from '../../../../src/modules/purchases/overview/answer.ts';
import { foldChain } from '../../../../src/modules/purchases/overview/fold.ts';
import type { ChainHistory } from '../../../../src/modules/purchases/overview/history.ts';
import { packFold, unpackFold } from '../../../../src/modules/purchases/overview/pack.ts';
import { OverviewTally } from '../../../../src/modules/purchases/overview/tally.ts';
import { createAmounts } from '../../../../src/modules/purchases/revenue/amounts.ts';
import { toRevenue } from '../../../../src/modules/purchases/revenue/answer.ts';
import { RevenueTally } from '../../../../src/modules/purchases/revenue/tally.ts';
import { resolveRevenueWindow } from '../../../../src/modules/purchases/revenue/window.ts';
import { createRateTable } from '../../../../src/modules/sales/rates/rate-table.ts';
import type { Store } from '../../../../src/shared/stores.ts';
import type { GoogleSubscription } from '../../../simulators/play-store/actions.ts';
import type { GoogleProduct } from '../../../simulators/play-store/product.ts';
import type { SimulatedSubscription } from '../../../simulators/store-server/subscription.ts';
import { appStoreHistory } from '../../../support/app-store-history.ts';
import { referenceOverview } from '../../../support/overview-reference.ts';
import { FIRST, type Lived, live, type Person, person } from '../../../support/play-lives.ts';
import type { PlayLedger } from '../../../support/play-ledger.ts';
import {
  best,
  type Held,
  heldOfAppStore,
  heldOfProduct,
  heldOfSubscriptions,
  knownOf,
  livedOf,
  moneyOfAppStore,
  moneyOfProduct,
  moneyOfSubscription,
  movementOf,
  partOf,
  revenueOf,
} from '../../../support/play-reference.ts';
import { toldOf } from '../../../support/play-told.ts';
import { FactBook } from '../../../support/purchases.ts';

const DAY = 86_400_000;
const RUNS = process.env.TEST_FULL ? 5_000 : 60;
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

type Known = { one: GoogleSubscription; seen: PlayLedger; connectedAt: number };
type KeptAll = { kept: Kept[]; known: Known[]; products: GoogleProduct[] };

/** Everything that the service keeps of a person. */
async function keptOf(lived: Lived, given: Person): Promise<KeptAll> {
  const { subscriptions, products, appStore, nowMs } = lived;
  const all: KeptAll = { kept: [], known: [], products: [] };

  // What was taken back before is nothing that was ever owned.
  const owned = products.filter(
    ({ state, voidedAt }) => state !== 'CANCELLED' || (voidedAt ?? Infinity) > lived.connectedAt,
  );
  for (const one of [...subscriptions, ...owned]) {
    const ledger = await toldOf(one, given.fates, lived);
    if (ledger.chains.size > 0) {
      if ('periods' in one) all.known.push({ one, seen: ledger, connectedAt: lived.connectedAt });
      else all.products.push(one);
    }
    for (const [chainId, { environment }] of ledger.chains) {
      all.kept.push({
        chain: {
          ...{ store: 'google_play', environment, checkedAtMs: nowMs },
          digest: ledger.digest(chainId),
        },
        history: ledger.history(chainId),
        truths: 'periods' in one ? heldOfSubscriptions(one) : [heldOfProduct(one)],
      });
    }
  }
  for (const one of appStore) all.kept.push(keptOfAppStore(one, nowMs));
  return all;
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
  expect(got.graceExpiresAt).toBe(iso(found.graceExpiresAt));
  // Orders of test purchases are not read, and say alone when the period before grace ended.
  if (isReal || status === 'active') expect(got.expiresAt).toBe(iso(found.expiresAt));
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

const MOVES = ['start', 'new', 'returned', 'churned', 'end'] as const;

function checkMovement({ kept, known }: KeptAll, lived: Lived, from: number): void {
  const { appStore, nowMs } = lived;
  const fromMs = FIRST + from * DAY;
  const endMs = Math.max(nowMs, fromMs + DAY);
  const days = Math.ceil((endMs - fromMs) / DAY);
  const window = { fromMs, endMs, days, nowMs: endMs };
  const tally = new OverviewTally(window, rateAt);
  for (const { history, chain } of real(kept)) {
    tally.addChain(unpackFold(packFold(foldChain(history))), chain.store);
  }
  const got = toOverview(tally, window, day(fromMs));
  const own = known.filter(({ one }) => !one.options.isTest);
  const google = movementOf(
    own.map(({ one, seen, connectedAt }) => {
      const { periods, addOns } = knownOf(one, seen.named, connectedAt);
      return { lived: livedOf(periods, addOns), rate: rateAt(one.options.currency) / 1_000 };
    }),
    window,
  );
  const told = appStore
    .filter(({ options }) => options.environment === 'Production')
    .map((one) => one.told);
  const apple = referenceOverview({ told, ...window, rateAt });
  const moved = got.subscriptions;
  for (const name of [...MOVES, 'expanded', 'contracted'] as const) {
    const wanted = google.counts[name] + apple.subscriptions[name];
    expect([name, moved[name]]).toEqual([name, wanted]);
  }
  for (const name of [...MOVES, 'expansion', 'contraction'] as const) {
    const own = name === 'expansion' ? 'expanded' : name === 'contraction' ? 'contracted' : name;
    const wanted = google.worth[own] + apple.mrr[name];
    if (Math.abs(wanted - got.mrr[name]) > 4) expect([name, got.mrr[name]]).toEqual([name, wanted]);
  }
  for (const { subscriptions: s, mrr: m } of [got, ...(got.byStore ?? [])]) {
    expect(s.start + s.new + s.returned - s.churned).toBe(s.end);
    if (!m) continue;
    const gained = m.start + m.new + m.returned + m.expansion;
    expect(gained - m.contraction - m.churned + m.exchange).toBe(m.end);
  }
}

const moneyOf = ({ known, products }: KeptAll) => [
  ...known.map(({ one, seen, connectedAt }) =>
    moneyOfSubscription(knownOf(one, seen.named, connectedAt), one),
  ),
  ...products.map(moneyOfProduct),
];

function checkRevenue(all: KeptAll, { appStore }: Lived): void {
  const years = [0, 1, 2, 3, 4].map((year) => FIRST + year * 365 * DAY);
  const google = moneyOf(all).flat();
  const money = [...google, ...appStore.flatMap(({ told }) => moneyOfAppStore(told))];
  const wanted = revenueOf(money, worth);
  const got = new Map<string, { gross: number; refunded: number; refunds: number }>();
  const kinds: Record<string, number> = {};
  for (const year of years) {
    const input = { from: day(year), to: day(year + 364 * DAY), interval: 'month' as const };
    const window = resolveRevenueWindow(input, 'UTC', new Date(FIRST + 6 * 365 * DAY));
    const { boundariesMs } = window;
    const terms = { boundariesMs, storeDaysMs: [], amounts, shareOf: () => 0.7, filters: {} };
    const tally = new RevenueTally(terms);
    const ofGoogle = new RevenueTally(terms);
    for (const { history, chain } of real(all.kept)) {
      const packed = packFold(foldChain(history));
      tally.addChain(packed, chain.store as Store);
      if (chain.store === 'google_play') ofGoogle.addChain(packed, chain.store);
    }
    for (const { kind, purchases } of toRevenue(ofGoogle, window).byKind) {
      kinds[kind] = (kinds[kind] ?? 0) + purchases;
    }
    for (const { from, grossMinor, refunds } of toRevenue(tally, window).points) {
      const month = got.get(from.slice(0, 7)) ?? { gross: 0, refunded: 0, refunds: 0 };
      month.gross += grossMinor;
      month.refunded += refunds.byRefundDay.amountMinor;
      month.refunds += refunds.byRefundDay.count;
      got.set(from.slice(0, 7), month);
    }
  }
  type Month = [string, { gross: number; refunds: number }];
  const isSome = ([, { gross, refunds }]: Month) => gross + refunds > 0;
  const byMonth = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);
  expect([...got].filter(isSome).toSorted(byMonth)).toEqual(
    [...wanted].filter(isSome).toSorted(byMonth),
  );
  const counts: Record<string, number> = { new: 0, after_trial: 0, renewal: 0, one_time: 0 };
  for (const { kind } of google) counts[kind!]! += 1;
  expect(kinds).toEqual(counts);
}

/** Each purchase as a person's own, by the month of the first payment. */
function checkCohorts(all: KeptAll): void {
  const to = FIRST + 700 * DAY;
  const input = { from: day(FIRST), to: day(to), interval: 'month' as const };
  const window = resolveCohortWindow(input, 'UTC', new Date(to));
  const ledger = new Ledger(window, amounts, 'first_purchase');
  const google = real(all.kept).filter(({ chain }) => chain.store === 'google_play');
  const names = google.map((_, index) => `${index}`);
  for (const [index, { history }] of google.entries()) {
    ledger.addChain(packFold(foldChain(history)), `${index}`, null);
  }
  ledger.giveTo(new Map(names.map((name) => [name, name])));
  const placing = placePeople(ledger, window, null, { by: 'first_purchase', breakdown: null });
  const counted = countLedger(ledger, window, placing.placed, 0);
  const got = placing.sizes.map((people, cohort) => [people, counted.total.net[cohort]]);
  const wanted = placing.sizes.map(() => [0, 0]);
  const monthOf = (ms: number) => {
    const at = new Date(ms);
    return (at.getUTCFullYear() - 2026) * 12 + at.getUTCMonth();
  };
  for (const money of moneyOf(all)) {
    const paid = money.filter(({ at }) => at <= to);
    if (paid.length === 0) continue;
    const cohort = wanted[monthOf(Math.min(...paid.map(({ at }) => at)))]!;
    cohort[0]! += 1;
    for (const { at, milliunits, currency, back } of paid) {
      const minor = worth(milliunits, currency);
      if (monthOf(at) < monthOf(to) + 1) cohort[1]! += minor;
      if (back && back.at <= to) cohort[1]! -= partOf(minor, back.milliunits, milliunits);
    }
  }
  expect(got).toEqual(wanted);
}

describe('random lives of a person in both stores, told late, twice, in part and out of order', () => {
  test('entitle, move, pay and stay as the stores have them', async () => {
    const began = performance.now();
    await fc.assert(
      fc.asyncProperty(person, fc.integer({ min: 0, max: 400 }), async (given, from) => {
        const lived = live(given);
        const all = await keptOf(lived, given);
        checkEntitlement(all.kept, lived);
        checkMovement(all, lived, from);
        checkRevenue(all, lived);
        checkCohorts(all);
      }),
      { numRuns: RUNS },
    );
    console.log(`${RUNS} lives of both stores in ${Math.round(performance.now() - began)} ms`);
  }, 1_800_000);
});
