import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { judgeWithNames } from '../../../src/modules/purchases/entitlement/named.ts';
import {
  type Chain,
  type Grant,
  LEEWAY_WITH_KEY_MS,
} from '../../../src/modules/purchases/entitlement/rules.ts';
import { digestChain } from '../../../src/modules/purchases/ledger/digest.ts';
import type { EntitlementOfName } from '../../../src/modules/purchases/model/names.ts';
import { STORE_FACTS, type Store } from '../../../src/shared/stores.ts';
import {
  ACTIONS,
  type Action,
  SimulatedSubscription,
} from '../../simulators/store-server/subscription.ts';
import { FactBook } from '../../support/purchases.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 1);
/** Those that a simulated subscription changes between. */
const PRODUCTS = ['lite.monthly', 'pro.monthly', 'max.monthly'];
const STORES = ['app_store', 'second_store'] as Store[];
beforeAll(() => {
  Object.assign(STORE_FACTS, { second_store: STORE_FACTS.app_store });
});
afterAll(() => {
  Reflect.deleteProperty(STORE_FACTS, 'second_store');
});

const WAYS = ['verify', 'notification', 'history', 'import'] as const;

type Given = {
  store: Store;
  environment: 'Production' | 'Sandbox';
  family: boolean;
  trial: boolean;
  product: string;
  steps: { action: Action; wait: number }[];
  way: (typeof WAYS)[number];
};
/** `name` is the place of the name that it is of. */
type GivenGrant = { product: string; name: number | null; ends: number | null; revoked: boolean };
type World = { chains: Given[]; grants: GivenGrant[]; names: string[][] };

const products = fc.constantFrom(...PRODUCTS);
const world: fc.Arbitrary<World> = fc.record({
  chains: fc.array(
    fc.record({
      store: fc.constantFrom(...STORES),
      environment: fc.constantFrom('Production' as const, 'Sandbox' as const),
      family: fc.boolean(),
      trial: fc.boolean(),
      product: products,
      steps: fc.array(
        fc.record({
          action: fc.constantFrom(...ACTIONS),
          wait: fc.double({ min: 0, max: 0.9, noNaN: true }),
        }),
        { maxLength: 12 },
      ),
      way: fc.constantFrom(...WAYS),
    }),
    { maxLength: 4 },
  ),
  grants: fc.array(
    fc.record({
      product: products,
      name: fc.constantFrom(null, 0, 1),
      ends: fc.constantFrom(null, -3, 5, 40),
      revoked: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  names: fc.tuple(fc.subarray(PRODUCTS, { minLength: 1 }), fc.subarray(PRODUCTS, { minLength: 1 })),
});

function lived(given: Given, start: number): SimulatedSubscription {
  const subscription = new SimulatedSubscription({
    ...{ bundleId: 'com.example.focus', environment: given.environment, start },
    ...{ family: given.family, trial: given.trial, productId: given.product },
  });
  for (const { action, wait } of given.steps) {
    subscription.wait(wait);
    subscription.act(action);
  }
  return subscription;
}

const askedAt = (one: SimulatedSubscription) => Math.min(one.now, one.lastsUntil - 1);

/** Begun so that its story has come to the moment of the question. */
const livedUntilNow = (given: Given) => lived(given, NOW - askedAt(lived(given, 0)));

function bookOf(one: SimulatedSubscription, way: Given['way']): FactBook {
  const book = new FactBook();
  const all = one.periods.map((period) => ({ ...period, signedDate: one.now }));
  if (way === 'notification') for (const message of one.told) book.apply(message);
  // With a purchase key: the store is asked about what the device handed over.
  if (way === 'verify') for (const { transaction } of one.told) book.apply({ transaction });
  if (way === 'history') for (const transaction of all) book.apply({ transaction });
  if (way !== 'notification') book.apply(one.answer());
  if (way === 'import') for (const transaction of all.toReversed()) book.apply({ transaction });
  return book;
}

type Candidate = Omit<EntitlementOfName, 'name' | 'expiresAt'> & {
  /** It counts where all of them count. */
  products: readonly string[];
  expiresAt: number | null;
  own: boolean;
  purchasedAt: number;
};

/** What the store itself would say of each product of a chain. */
function candidatesOf(given: Given, one: SimulatedSubscription): Candidate[] {
  const { store, environment } = given;
  const truth = one.truth();
  const own = truth.ownership === 'purchased';
  const found: Candidate[] = [
    {
      ...{ store, environment, own, products: [truth.productId], productId: truth.productId },
      ...{ status: truth.status, willRenew: truth.willRenew, expiresAt: truth.expiresAt },
      purchasedAt: one.newest.purchaseDate,
    },
  ];
  for (const product of PRODUCTS) {
    if (product === truth.productId) continue;
    let last = null;
    for (const [index, period] of one.periods.entries()) {
      if (period.productId !== product) continue;
      let isReplaced = period.isUpgraded === true;
      for (const later of one.periods.slice(index + 1)) {
        if (later.productId === product) continue;
        if (later.purchaseDate < (period.expiresDate ?? 0)) isReplaced = true;
      }
      if (isReplaced) continue;
      if (last === null || !period.revocationDate || last.revocationDate) last = period;
    }
    if (last === null) continue;
    const expiresAt = last.expiresDate ?? 0;
    const status = last.revocationDate ? 'revoked' : expiresAt > NOW ? 'active' : 'expired';
    found.push({
      ...{
        store,
        environment,
        own,
        products: [product],
        productId: product,
        status,
        willRenew: false,
      },
      ...{ expiresAt, purchasedAt: last.purchaseDate },
    });
  }
  return found;
}

function candidateOfGrant(
  { product, name, ends, revoked }: GivenGrant,
  index: number,
  names: World['names'],
): Candidate {
  const expiresAt = ends === null ? null : NOW + ends * DAY;
  const isOver = expiresAt !== null && expiresAt <= NOW;
  return {
    products: name === null ? [product] : names[name]!,
    productId: name === null ? product : null,
    ...{ store: null, environment: 'Production', own: true },
    ...{ status: revoked ? 'revoked' : isOver ? 'expired' : 'active', willRenew: false },
    ...{ expiresAt, purchasedAt: NOW - (9 + index) * DAY },
  };
}

/** True when the first is worth more; what each line says, docs/purchases.md says in words. */
function isBetter(one: Candidate, other: Candidate): boolean {
  const order = ['active', 'billing_grace', 'billing_retry', 'over'];
  const status = (of: Candidate) =>
    order.indexOf(of.status === 'revoked' || of.status === 'expired' ? 'over' : of.status);
  const paid = (of: Candidate) => (of.store === null ? 1 : of.environment === 'Production' ? 0 : 2);
  if (status(one) !== status(other)) return status(one) < status(other);
  if (paid(one) !== paid(other)) return paid(one) < paid(other);
  if (one.own !== other.own) return one.own;
  const [end, otherEnd] = [one.expiresAt ?? Infinity, other.expiresAt ?? Infinity];
  if (end !== otherEnd) return end > otherEnd;
  return one.purchasedAt > other.purchasedAt;
}

function expectedOf(name: string, under: readonly string[], all: readonly Candidate[]) {
  let best: Candidate | null = null;
  for (const candidate of all) {
    let isUnder = true;
    for (const product of candidate.products) if (!under.includes(product)) isUnder = false;
    if (!isUnder) continue;
    if (best === null || isBetter(candidate, best)) best = candidate;
  }
  if (best === null) {
    const none = { status: 'none' as const, productId: null, expiresAt: null, willRenew: false };
    return { name, ...none, store: null, environment: 'Production' as const };
  }
  const { status, productId, willRenew, store, environment } = best;
  const expiresAt = best.expiresAt === null ? null : new Date(best.expiresAt).toISOString();
  return { name, status, productId, expiresAt, willRenew, store, environment };
}

function check({ chains: given, grants: granted, names: under }: World): void {
  const names = under.map((productIds, index) => ({ name: `name${index}`, productIds }));
  const lives = given.map((one) => ({ given: one, subscription: livedUntilNow(one) }));
  const chains = lives.map(({ given: { store, environment, way }, subscription }): Chain => {
    const facts = bookOf(subscription, way).facts(subscription.originalTransactionId);
    return { store, environment, digest: digestChain(facts), checkedAtMs: NOW };
  });
  const grants = granted.map(
    ({ product, name, ends, revoked }, index): Grant => ({
      productId: name === null ? product : null,
      gives: name === null ? [product] : under[name]!,
      grantedAt: new Date(NOW - (9 + index) * DAY),
      expiresAt: ends === null ? null : new Date(NOW + ends * DAY),
      revoked,
    }),
  );
  const terms = {
    ...{ nowMs: NOW, leewayMs: LEEWAY_WITH_KEY_MS, environment: 'Production' as const },
    productIds: null,
  };
  const candidates = [
    ...lives.flatMap(({ given: one, subscription }) => candidatesOf(one, subscription)),
    ...granted.map((one, index) => candidateOfGrant(one, index, under)),
  ];
  const { entitlement } = judgeWithNames({ chains, grants }, terms, names);
  const plain = names.map(({ name, productIds }) => expectedOf(name, productIds, candidates));
  expect(entitlement.entitlements).toEqual(plain);
  for (const [index, { productIds }] of names.entries()) {
    const asked = judgeWithNames({ chains, grants }, { ...terms, productIds }, names).entitlement;
    const { status, productId, expiresAt } = plain[index]!;
    expect(asked).toMatchObject({ status, productId, expiresAt });
    expect(asked.entitled).toBe(status === 'active' || status === 'billing_grace');
    expect(asked.entitlements).toEqual(plain);
  }
  const { entitlements: _, ...same } = entitlement;
  expect(judgeWithNames({ chains, grants }, terms, []).entitlement).toEqual(same);
}

test('random histories of three products under two names come to what plain loops say', () => {
  fc.assert(fc.property(world, check), {
    seed: 20_261_124,
    numRuns: process.env.TEST_FULL ? 5_000 : 300,
  });
});
