import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type Chain,
  judgeEntitlement,
  LEEWAY_WITH_KEY_MS,
} from '../../../src/modules/purchases/entitlement/rules.ts';
import { digestChain } from '../../../src/modules/purchases/ledger/digest.ts';
import {
  ACTIONS,
  type Action,
  SimulatedSubscription,
  type Told,
} from '../../simulators/store-server/subscription.ts';
import { FactBook } from '../../support/purchases.ts';

const START = Date.UTC(2026, 0, 1);

type History = {
  family: boolean;
  trial: boolean;
  sandbox: boolean;
  /** A year that is billed by month. */
  committed?: boolean;
  steps: { action: Action; wait: number }[];
  /** How each message fares: its place in the shuffle, how often it comes, whether it is lost. */
  fates: { order: number; copies: number; lost: boolean }[];
  /** Losses are made good by the notification history, or by asking for the present status. */
  recovery: 'history' | 'status';
};

const history: fc.Arbitrary<History> = fc.record({
  family: fc.boolean(),
  trial: fc.boolean(),
  sandbox: fc.boolean(),
  committed: fc.boolean(),
  steps: fc.array(
    fc.record({
      action: fc.constantFrom(...ACTIONS),
      wait: fc.double({ min: 0, max: 0.9, noNaN: true }),
    }),
    { maxLength: 24 },
  ),
  fates: fc.array(
    fc.record({
      order: fc.nat({ max: 1_000 }),
      copies: fc.integer({ min: 1, max: 3 }),
      lost: fc.boolean(),
    }),
    { minLength: 30, maxLength: 30 },
  ),
  recovery: fc.constantFrom('history' as const, 'status' as const),
});

function live(given: History): SimulatedSubscription {
  const subscription = new SimulatedSubscription({
    bundleId: 'com.example.focus',
    environment: given.sandbox ? 'Sandbox' : 'Production',
    start: START,
    family: given.family,
    trial: given.trial && !given.committed,
    ...(given.committed ? { commitmentPeriods: 3, periodMonths: 1 } : {}),
  });
  for (const { action, wait } of given.steps) {
    subscription.wait(wait);
    subscription.act(action);
  }
  return subscription;
}

/** The messages in the order that they reach us in, the lost ones only if recovery brings them. */
function delivered(told: readonly Told[], given: History): Told[] {
  const fated = told.map((message, index) => ({ message, fate: given.fates[index % 30]! }));
  const arriving = fated
    .filter(({ fate }) => !fate.lost)
    .flatMap(({ message, fate }) =>
      Array.from({ length: fate.copies }, (_, copy) => ({
        message,
        order: fate.order + copy * 400,
      })),
    )
    .toSorted((a, b) => a.order - b.order)
    .map(({ message }) => message);
  if (given.recovery === 'status') return arriving;
  return [...arriving, ...fated.filter(({ fate }) => fate.lost).map(({ message }) => message)];
}

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

function check(given: History): void {
  const subscription = live(given);
  const book = new FactBook();
  for (const message of delivered(subscription.told, given)) book.apply(message);
  if (given.recovery === 'status') book.apply(subscription.answer());
  const digest = digestChain(book.facts(subscription.originalTransactionId));
  const nowMs = Math.min(subscription.now, subscription.lastsUntil - 1);
  const { environment } = subscription.options;
  const chain: Chain = { store: 'app_store', environment, digest, checkedAtMs: nowMs };
  const { entitlement, stale } = judgeEntitlement([chain], {
    nowMs,
    leewayMs: LEEWAY_WITH_KEY_MS,
    productIds: null,
    environment: 'Production',
  });
  const truth = subscription.truth();
  const info = subscription.newest.commitmentInfo;
  const isOver = truth.status === 'expired' || truth.status === 'revoked';
  const committed = info && {
    committedUntil: iso(info.commitmentExpiresDate)!,
    commitmentPeriod: { number: info.billingPeriodNumber, total: info.totalBillingPeriods },
  };
  expect(entitlement).toEqual({
    ...(isOver ? {} : committed),
    entitled: truth.status === 'active' || truth.status === 'billing_grace',
    status: truth.status,
    productId: truth.productId,
    expiresAt: iso(truth.expiresAt),
    graceExpiresAt: iso(truth.graceExpiresAt),
    willRenew: truth.willRenew,
    ownership: truth.ownership,
    originalTransactionId: truth.originalTransactionId,
    environment,
    checkedAt: iso(nowMs)!,
  });
  expect(stale).toEqual([]);
}

describe('a random life of a subscription, told shuffled, twice, late and in part', () => {
  test('ends in the entitlement that the true state implies', () => {
    fc.assert(fc.property(history, check), { numRuns: process.env.TEST_FULL ? 10_000 : 1_000 });
  });

  test('stays in billing retry no longer than the store tries', () => {
    const steps = [0, 0.9, 0.9, 0.9, 0.9, 0.9].map((wait, index) => ({
      action: index === 0 ? ('failIntoRetry' as const) : ('renew' as const),
      wait,
    }));
    const fates = Array.from({ length: 30 }, () => ({ order: 0, copies: 1, lost: false }));
    check({ family: false, trial: false, sandbox: false, steps, fates, recovery: 'history' });
  });

  test('comes to the same whatever the order of the messages', () => {
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.nat()), (given, numbers) => {
        const subscription = live(given);
        const inOrder = new FactBook();
        for (const message of subscription.told) inOrder.apply(message);
        const shuffled = new FactBook();
        const keys = subscription.told.map(() => numbers.next().value as number);
        const order = subscription.told
          .map((_, index) => index)
          .sort((a, b) => keys[a]! - keys[b]!);
        for (const index of order) shuffled.apply(subscription.told[index]!);
        const id = subscription.originalTransactionId;
        expect(digestChain(shuffled.facts(id))).toEqual(digestChain(inOrder.facts(id)));
      }),
      { numRuns: 1_000 },
    );
  });
});
