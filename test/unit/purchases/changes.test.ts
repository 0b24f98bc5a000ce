import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type ChainBefore, findChanges } from '../../../src/modules/purchases/ledger/changes.ts';
import type { StatusAsOf } from '../../../src/modules/purchases/model/chain.ts';
import { toRenewal, toStatus, toTransaction } from '../../../src/providers/store-server/map.ts';
import { must } from '../../../src/shared/assert.ts';
import type { Renewal, Transaction } from '../../../src/shared/purchase.ts';
import {
  ACTIONS,
  type Action,
  SimulatedSubscription,
  type Told,
} from '../../simulators/store-server/subscription.ts';
import { isFullRun } from '../../support/random.ts';
import { isFirstOfChain } from '../../../src/modules/purchases/ledger/period.ts';

const START = Date.parse('2026-03-01T10:00:00Z');
const DAY = 86_400_000;

/** A chain as the tables keep it: what is signed earlier never overwrites what is signed later. */
class Chain {
  readonly transactions = new Map<string, Transaction>();
  renewal: Renewal | null = null;
  status: StatusAsOf | null = null;

  record(told: Told, receivedAt = told.signedDate) {
    const transaction = toTransaction(told.transaction);
    const renewal = toRenewal(told.renewal);
    const known = this.transactions.get(transaction.transactionId) ?? null;
    const before: ChainBefore = {
      transaction: known,
      renewal: this.renewal,
      status: this.status,
    };
    if (!known || known.signedAt <= transaction.signedAt) {
      this.transactions.set(transaction.transactionId, transaction);
    }
    if ((this.renewal?.signedAt ?? 0) <= renewal.signedAt) this.renewal = renewal;
    if ((this.status?.asOf ?? 0) <= told.signedDate) {
      const { transactionId } = transaction;
      const status = must(toStatus(told.status), 'a known status');
      this.status = { status, asOf: told.signedDate, transactionId };
    }
    const after = {
      transaction: this.transactions.get(transaction.transactionId) ?? null,
      transactions: [...this.transactions.values()],
      renewal: this.renewal,
      status: this.status,
    };
    return findChanges(before, after, new Date(receivedAt));
  }
}

const begin = (options = {}) =>
  new SimulatedSubscription({
    bundleId: 'com.example.app',
    environment: 'Production',
    start: START,
    ...options,
  });
const types = (changes: { type: string }[]) => changes.map(({ type }) => type);

/** What an action means, said by hand. */
function meaningOf(
  action: Action,
  before: { productId: string; trialsOnly: boolean; phase: string },
  { newest, phase }: SimulatedSubscription,
) {
  const simple: Partial<Record<Action, string[]>> = {
    failIntoGrace: ['subscription.billing_issue.v1'],
    failIntoRetry: ['subscription.billing_issue.v1'],
    endGrace: [],
    cancel: ['subscription.canceled.v1'],
    resume: ['subscription.uncanceled.v1'],
    expire: ['subscription.expired.v1'],
    refund: ['purchase.refunded.v1'],
    refundEarlier: ['purchase.refunded.v1'],
    crossgradeAtRenewal: [],
    extend: [],
    revokeShare: ['purchase.unshared.v1'],
  };
  if (action === 'reverseRefund') {
    const isOver = phase === 'expired' && before.phase !== 'expired';
    return ['purchase.refund_reversed.v1', ...(isOver ? ['subscription.expired.v1'] : [])];
  }
  const known = simple[action];
  if (known) return known;
  if (before.trialsOnly) return ['subscription.trial_converted.v1'];
  const isSame = before.productId === newest.productId;
  return [isSame ? 'subscription.renewed.v1' : 'subscription.product_changed.v1'];
}

describe('what happens to a subscription', () => {
  test('is told once each, whatever happens', () => {
    fc.assert(
      fc.property(
        fc.record({ trial: fc.boolean(), family: fc.boolean() }),
        fc.array(fc.constantFrom(...ACTIONS), { maxLength: 25 }),
        (options, actions) => {
          const subscription = begin(options);
          const chain = new Chain();
          const first = options.trial ? 'trial_started' : 'started';
          expect(types(chain.record(subscription.told[0]!))).toEqual([`subscription.${first}.v1`]);
          for (const action of actions) {
            const before = {
              productId: subscription.newest.productId,
              phase: subscription.phase,
              trialsOnly: subscription.periods.every(
                ({ offerDiscountType }) => offerDiscountType === 'FREE_TRIAL',
              ),
            };
            const count = subscription.told.length;
            if (!subscription.act(action)) continue;
            const said = subscription.told
              .slice(count)
              .flatMap((told) => types(chain.record(told)));
            expect([action, said]).toEqual([action, meaningOf(action, before, subscription)]);
          }
          for (const told of subscription.told.toReversed()) {
            expect([told.type, types(chain.record(told))]).toEqual([told.type, []]);
          }
        },
      ),
      { numRuns: isFullRun ? 3_000 : 200 },
    );
  });

  test('is told once each, and refunds come to what is true, when some of it is an hour late', () => {
    const isBought = /started|converted|renewed|product_changed/;
    fc.assert(
      fc.property(
        fc.record({ trial: fc.boolean(), family: fc.boolean() }),
        fc.array(fc.constantFrom(...ACTIONS), { maxLength: 25 }),
        fc.infiniteStream(fc.nat()),
        (options, actions, numbers) => {
          const subscription = begin(options);
          for (const action of actions) subscription.act(action);
          const sent = subscription.told.flatMap((told) => {
            const late = { told, at: told.signedDate + 3_600_000 };
            const kind = numbers.next().value! % 4;
            if (kind === 0) return [late];
            return kind === 1
              ? [{ told, at: told.signedDate }, late]
              : [{ told, at: told.signedDate }];
          });
          const chain = new Chain();
          const said = sent
            .toSorted((a, b) => a.at - b.at)
            .flatMap(({ told, at }) => chain.record(told, at));
          const bought = said
            .filter(({ type }) => isBought.test(type))
            .map(({ transaction }) => transaction.transactionId);
          const lived = subscription.periods.map((one) => one.transactionId);
          expect(bought.toSorted()).toEqual(lived.toSorted());
          const first = said.find(({ transaction }) => transaction.transactionId === lived[0]);
          expect(first?.type).toBe(`subscription.${options.trial ? 'trial_' : ''}started.v1`);
          for (const { transactionId, revokedAt, upgraded } of chain.transactions.values()) {
            const of = (pattern: RegExp) =>
              said.filter((one) => {
                return one.transaction.transactionId === transactionId && pattern.test(one.type);
              }).length;
            expect(of(/refunded|unshared/) - of(/refund_reversed/)).toBe(
              revokedAt === null || upgraded ? 0 : 1,
            );
          }
        },
      ),
      { numRuns: isFullRun ? 3_000 : 200 },
    );
  });

  test('is told although its refund came first, and what comes first is no start', () => {
    const subscription = begin();
    subscription.act('refund');
    const [bought, refunded] = subscription.told;
    const chain = new Chain();
    expect(types(chain.record(refunded!))).toEqual([
      'subscription.started.v1',
      'purchase.refunded.v1',
    ]);
    expect(types(chain.record(bought!))).toEqual([]);
    const upgraded = begin();
    upgraded.act('upgrade');
    const later = new Chain();
    expect(types(later.record(upgraded.told[1]!))).toEqual(['subscription.renewed.v1']);
    expect(types(later.record(upgraded.told[0]!))).toEqual(['subscription.started.v1']);
    const { signedDate } = upgraded.told[1]!;
    const prorated = { ...upgraded.periods[0]!, signedDate };
    const resigned = { ...upgraded.told[0]!, signedDate, transaction: prorated };
    expect(types(later.record(resigned))).toEqual([]);
  });

  test('of Google Play begins with the order that no renewal is counted of', () => {
    const of = (transactionId: string, more: object = {}) =>
      isFirstOfChain({ transactionId, chainId: 'gp_1', ...more });
    expect([of('GPA.1'), of('GPA.1/pro'), of('GPA.1..0'), of('GPA.1..11/pro')]).toEqual([
      ...[true, true],
      ...[false, false],
    ]);
    expect(of('GPA.1/extra', { isAddOn: true })).toBe(false);
  });

  test('says why: recovered, returned, in grace or without', () => {
    const reasons = (actions: Action[]) => {
      const subscription = begin();
      const chain = new Chain();
      chain.record(subscription.told[0]!);
      for (const action of actions) subscription.act(action);
      return subscription.told
        .slice(1)
        .flatMap((told) => chain.record(told))
        .map((one) => one.reason);
    };
    expect(reasons(['renew'])).toEqual([null]);
    expect(reasons(['failIntoRetry', 'recover'])).toEqual(['billing_retry', 'billing_recovered']);
    expect(reasons(['failIntoGrace', 'recover'])).toEqual(['grace_period', 'billing_recovered']);
    expect(reasons(['cancel', 'expire', 'resubscribe'])).toEqual([null, null, 'resubscribed']);
  });

  test('that comes four days late is history, not news', () => {
    const subscription = begin();
    const [told] = subscription.told;
    expect(types(new Chain().record(told!, START + 4 * DAY - 1))).toHaveLength(1);
    expect(types(new Chain().record(told!, START + 4 * DAY))).toEqual([]);
  });

  test('names the product before a change', () => {
    const subscription = begin();
    const chain = new Chain();
    chain.record(subscription.told[0]!);
    subscription.act('upgrade');
    expect(chain.record(subscription.told[1]!)).toMatchObject([
      { type: 'subscription.product_changed.v1', previousProductId: 'pro.monthly' },
    ]);
  });
});

/* Said of crafted snapshots: what a simulated subscription does not reach. */
describe('a chain that was not known before', () => {
  const END = START + 30 * DAY;
  const NOBODY: ChainBefore = { transaction: null, renewal: null, status: null };
  const period = (purchasedAt: number, change: Partial<Transaction> = {}) => ({
    ...toTransaction(begin().newest),
    transactionId: `t${purchasedAt}`,
    purchasedAt,
    expiresAt: purchasedAt + 30 * DAY,
    ...change,
  });
  const after = (
    transactions: Transaction[],
    rest: { renewal?: Renewal; status?: StatusAsOf; of?: Transaction } = {},
  ) => ({
    transaction: rest.of ?? null,
    transactions,
    renewal: rest.renewal ?? null,
    status: rest.status ?? null,
  });
  const told = (state: ReturnType<typeof after>, atMs: number, before = NOBODY) =>
    types(findChanges(before, state, new Date(atMs)));

  test('tells of a failed payment when the period has just ended, not when it is history', () => {
    const one = period(START);
    const failing = (signedAt: number): Renewal => ({
      ...toRenewal(begin().renewalInfo()),
      inBillingRetry: true,
      signedAt,
    });
    const at = (ms: number) => told(after([one], { renewal: failing(ms) }), ms);
    expect(at(END + 1)).toEqual(['subscription.billing_issue.v1']);
    expect(at(END + 4 * DAY - 1)).toEqual(['subscription.billing_issue.v1']);
    expect(at(END + 4 * DAY)).toEqual([]);
    // Of a chain that is known it is news, however long the period is over.
    const late = END + 30 * DAY;
    const before = { ...NOBODY, renewal: toRenewal(begin().renewalInfo()) };
    expect(told(after([one], { renewal: failing(late) }), late, before)).toEqual([
      'subscription.billing_issue.v1',
    ]);
  });

  test('tells of its end when that was lately', () => {
    const one = period(START);
    const ended = (asOf: number): StatusAsOf => ({ status: 'expired', asOf, transactionId: null });
    const at = (ms: number) => told(after([one], { status: ended(ms) }), ms);
    expect(at(END + 4 * DAY - 1)).toEqual(['subscription.expired.v1']);
    expect(at(END + 4 * DAY)).toEqual([]);
  });

  test('tells of the latest period, in whatever order they are kept', () => {
    const [first, second, third] = [0, 30, 60].map((days) => period(START + days * DAY));
    const status: StatusAsOf = { status: 'expired', asOf: third!.purchasedAt, transactionId: null };
    for (const order of [
      [first, second, third],
      [third, first, second],
      [second, third, first],
    ]) {
      const kept = order.map((one) => one!);
      const [end] = findChanges(NOBODY, after(kept, { status }), new Date(third!.purchasedAt));
      expect(end?.transaction.transactionId).toBe(third!.transactionId);
    }
  });

  test('compares a period with the one before it, in whatever order they are kept', () => {
    const first = period(START, { productId: 'a' });
    const second = period(START + 30 * DAY, { productId: 'b' });
    const third = period(START + 60 * DAY, { productId: 'b' });
    for (const kept of [
      [first, second, third],
      [second, first, third],
    ]) {
      expect(told(after(kept, { of: third }), third.purchasedAt)).toEqual([
        'subscription.renewed.v1',
      ]);
    }
  });

  test('that is over brings no word of a cancellation to silence', () => {
    const [first, second] = [period(START), period(START + 30 * DAY)];
    const renewing = toRenewal(begin().renewalInfo());
    const off = { ...renewing, willRenew: false, signedAt: START + 31 * DAY };
    const before = { ...NOBODY, renewal: renewing };
    const heardOf = (of: Transaction) =>
      told(after([first!, second!], { of, renewal: off }), START + 31 * DAY, before);
    expect(heardOf(first!)).toContain('subscription.canceled.v1');
    // Bought with auto-renew off.
    expect(heardOf(second!)).not.toContain('subscription.canceled.v1');
  });

  test('of something that does not renew is a purchase', () => {
    const bought = (type: Transaction['type'], expiresAt: number | null) => {
      const one = period(START, { type, expiresAt, chainId: `t${START}` });
      return told(after([one], { of: one }), START);
    };
    const once = ['purchase.completed.v1'];
    expect(bought('consumable', null)).toEqual(once);
    expect(bought('non_consumable', null)).toEqual(once);
    expect(bought('non_renewing', START + DAY)).toEqual(once);
    expect(bought('unknown', null)).toEqual(once);
    expect(bought('unknown', START + DAY)).toEqual(['subscription.started.v1']);
  });
});
