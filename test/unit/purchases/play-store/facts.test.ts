import { describe, expect, test } from 'bun:test';
import { judgeEntitlement } from '../../../../src/modules/purchases/entitlement/rules.ts';
import { digestChain } from '../../../../src/modules/purchases/ledger/digest.ts';
import type { SubscriptionAnswer } from '../../../../src/modules/purchases/play-store/answer.ts';
import { revokedBy } from '../../../../src/modules/purchases/play-store/read-voids.ts';
import { linkedToken } from '../../../../src/modules/purchases/play-store/record-purchase.ts';
import { toPastFacts, toPlayFacts } from '../../../../src/modules/purchases/play-store/to-facts.ts';
import type {
  PlayLine,
  PlayOrder,
  PlayOrderLine,
  PlayState,
  PlaySubscription,
} from '../../../../src/providers/play-store/port.ts';
import type { Transaction } from '../../../../src/shared/purchase.ts';
import { DAY_MS, HOUR_MS } from '../../../../src/shared/time.ts';

const START = Date.parse('2026-11-01T12:00:00Z');
const END = START + 30 * DAY_MS;
const ACCOUNT = '0B1F3C5E-7A9D-4C2B-8E6F-112233445566';

const line = (changed: Partial<PlayLine> = {}): PlayLine => ({
  ...{ productId: 'pro', basePlanId: 'monthly', offerId: null, orderId: 'GPA.1' },
  ...{
    expiresAt: END,
    willRenew: true,
    isTrial: false,
    isProrated: false,
    priceMilliunits: 9_990,
    currency: 'EUR',
  },
  ...changed,
});

const bought = (state: PlayState, ...lines: PlayLine[]): PlaySubscription => ({
  ...{ environment: 'Production', state, startedAt: START, isAcknowledged: true },
  ...{ replacesToken: null, accountId: null, profileId: null, country: 'DE' },
  lines: lines.length > 0 ? lines : [line()],
});

const ordered = (
  orderId: string,
  {
    paidAt = null,
    refund = null,
    ...more
  }: Partial<PlayOrderLine & Pick<PlayOrder, 'paidAt' | 'refund'>> = {},
): PlayOrder => ({
  ...{ orderId, paidAt, refund },
  lines: [
    {
      ...{ productId: 'pro', basePlanId: 'monthly', offerId: null, isTrial: false },
      ...{ isProrated: false, priceMilliunits: 9_990, listedMilliunits: 9_990, currency: 'EUR' },
      ...{ startsAt: null, endsAt: null, ...more },
    },
  ],
});

const factsOf = (
  subscription: PlaySubscription,
  answeredAt: number,
  known: SubscriptionAnswer['known'] = [],
  orders: SubscriptionAnswer['orders'] = [],
) =>
  toPlayFacts({
    ...{ chainId: 'play_1', packageName: 'com.example.a', subscription },
    ...{ known, orders, planPeriods: new Map(), answeredAt },
  });

/** What the ledger and the rules make of answers in their order. */
function judgedAt(
  nowMs: number,
  answers: readonly [number, PlaySubscription][],
  productIds: string[] | null = null,
) {
  const stored = new Map<string, Transaction>();
  let last: ReturnType<typeof factsOf> | undefined;
  for (const [at, subscription] of answers) {
    const facts = factsOf(subscription, at, [...stored.values()]);
    for (const { snapshot } of facts.transactions) stored.set(snapshot.transactionId, snapshot);
    if (facts.status) last = facts;
  }
  const digest = digestChain({
    ...{ chainId: 'play_1', store: 'google_play' as const },
    transactions: [...stored.values()],
    renewal: last?.renewal?.snapshot ?? null,
    status: last?.status ?? null,
  });
  const terms = { nowMs, leewayMs: HOUR_MS, productIds, environment: 'Production' as const };
  const chain = { environment: 'Production' as const, digest, checkedAtMs: nowMs };
  return judgeEntitlement([{ store: 'google_play', ...chain }], terms).entitlement;
}

describe('an answer of Google Play in the words of the ledger', () => {
  test.each([
    ['active', true, 'active'],
    ['canceled', true, 'active'],
    ['grace', true, 'billing_grace'],
    ['hold', false, 'billing_retry'],
    ['paused', false, 'expired'],
    ['expired', false, 'expired'],
    ['pending', false, 'none'],
    ['pending_canceled', false, 'none'],
    ['unlisted:SUBSCRIPTION_STATE_OF_TOMORROW', false, 'none'],
  ] as const)('%s', (state, entitled, status) => {
    const at = START + DAY_MS;
    expect(judgedAt(at, [[at, bought(state)]])).toMatchObject({ entitled, status });
  });

  test('one that is canceled is entitled to the end, and not beyond', () => {
    const answer = bought('canceled', line({ willRenew: false }));
    const before = judgedAt(END - 1, [[START, answer]]);
    expect(before).toMatchObject({ entitled: true, willRenew: false });
    expect(judgedAt(END + HOUR_MS, [[START, answer]]).entitled).toBe(false);
  });

  test('a state that Google added keeps what was known', () => {
    const answers: [number, PlaySubscription][] = [
      [START, bought('active')],
      [START + DAY_MS, bought('unlisted:NEW', line({ expiresAt: START + 2 * DAY_MS }))],
    ];
    expect(judgedAt(START + 3 * DAY_MS, answers)).toMatchObject({ entitled: true });
  });

  test('grace moves its own end and not that of the paid period; the money that comes renews', () => {
    const grace = END + 3 * DAY_MS;
    const inGrace: [number, PlaySubscription][] = [
      [START, bought('active')],
      [END + HOUR_MS, bought('grace', line({ expiresAt: grace }))],
    ];
    const judged = judgedAt(END + DAY_MS, inGrace);
    expect(judged).toMatchObject({ entitled: true, status: 'billing_grace' });
    expect(judged.expiresAt).toBe(new Date(END).toISOString());
    expect(judged.graceExpiresAt).toBe(new Date(grace).toISOString());
    const next = line({ orderId: 'GPA.1..0', expiresAt: END + 30 * DAY_MS });
    const paid = judgedAt(END + 3 * DAY_MS, [
      ...inGrace,
      [END + 2 * DAY_MS, bought('active', next)],
    ]);
    expect(paid).toMatchObject({ entitled: true, status: 'active', graceExpiresAt: null });
  });

  test('on hold nothing is entitled, and a recovery is', () => {
    const hold: [number, PlaySubscription][] = [
      [START, bought('active')],
      [END + DAY_MS, bought('hold')],
    ];
    expect(judgedAt(END + 2 * DAY_MS, hold)).toMatchObject({ status: 'billing_retry' });
    const recovered = line({ orderId: 'GPA.1..0', expiresAt: END + 40 * DAY_MS });
    const back = judgedAt(END + 6 * DAY_MS, [
      ...hold,
      [END + 5 * DAY_MS, bought('active', recovered)],
    ]);
    expect(back).toMatchObject({ entitled: true, status: 'active' });
  });

  test('what Google gave in grace is no part of the paid period afterwards either', () => {
    const given = line({ expiresAt: END + 7 * DAY_MS });
    for (const state of ['hold', 'expired', 'canceled'] as const) {
      const answers: [number, PlaySubscription][] = [
        [START, bought('active')],
        [END + HOUR_MS, bought('grace', given)],
        [END + 8 * DAY_MS, bought(state, given)],
      ];
      const { entitled, expiresAt } = judgedAt(END + 8 * DAY_MS, answers);
      expect([state, entitled, expiresAt]).toEqual([state, false, new Date(END).toISOString()]);
    }
  });

  test('an end that the developer defers is moved', () => {
    const deferred = line({ expiresAt: END + 7 * DAY_MS });
    const judged = judgedAt(END + DAY_MS, [
      [START, bought('active')],
      [START + DAY_MS, bought('canceled', deferred)],
    ]);
    expect(judged).toMatchObject({ entitled: true, status: 'active' });
  });

  test('a pause ends with the resumption', () => {
    const resumed = line({ orderId: 'GPA.1..0', expiresAt: END + 60 * DAY_MS });
    const answers: [number, PlaySubscription][] = [
      [START, bought('active')],
      [END + 1, bought('paused')],
    ];
    expect(judgedAt(END + DAY_MS, answers).entitled).toBe(false);
    const at = END + 30 * DAY_MS;
    expect(judgedAt(at, [...answers, [at - 1, bought('active', resumed)]]).entitled).toBe(true);
  });

  test('each order is a period, which starts where the one before ended', () => {
    const first = factsOf(bought('active'), START).transactions.map(({ snapshot }) => snapshot);
    const renewed = line({ orderId: 'GPA.1..0', expiresAt: END + 30 * DAY_MS });
    const [next] = factsOf(bought('active', renewed), END, first).transactions;
    expect(next?.snapshot).toMatchObject({ transactionId: 'GPA.1..0', purchasedAt: END });
    const again = factsOf(bought('active', renewed), END + DAY_MS, [
      ...first,
      ...(next ? [next.snapshot] : []),
    ]);
    expect(again.transactions[0]?.snapshot.purchasedAt).toBe(END);
  });

  test('a line without an order is not owned yet: the new plan of a deferred replacement', () => {
    const later = line({ productId: 'basic', orderId: null, willRenew: true });
    for (const lines of [
      [line({ willRenew: false }), later],
      [later, line({ willRenew: false })],
    ]) {
      const facts = factsOf(bought('active', ...lines), START + DAY_MS);
      expect(facts.transactions.map(({ snapshot }) => snapshot.productId)).toEqual(['pro']);
    }
  });

  test('what the newest token does not name any more is superseded, and only of a replaced one', () => {
    const before = factsOf(bought('active', line({ productId: 'basic' })), START);
    const known = before.transactions.map(({ snapshot }) => snapshot);
    const next = bought('active', line({ orderId: 'GPA.2' }));
    expect(factsOf(next, START + DAY_MS, known).superseded).toEqual([]);
    const replacing = { ...next, replacesToken: 'before' };
    const [old, ...others] = factsOf(replacing, START + DAY_MS, known).superseded;
    expect(old).toMatchObject({ productId: 'basic', upgraded: true, signedAt: START + DAY_MS });
    expect(others).toEqual([]);
    expect(factsOf(replacing, END, known).superseded).toEqual([]);
  });

  test('an add-on is a product beside the other', () => {
    const addOn = line({ productId: 'extra', orderId: 'GPA.1-extra' });
    const { transactions } = factsOf(bought('active', line(), addOn), START);
    expect(transactions.map(({ snapshot }) => snapshot.productId)).toEqual(['pro', 'extra']);
  });

  describe('an add-on that is bought later', () => {
    const addOn = line({ productId: 'extra', orderId: 'GPA.1-extra' });
    const grace = END + 7 * DAY_MS;
    const answers: [number, PlaySubscription][] = [
      [START, bought('active')],
      [START + 10 * DAY_MS, bought('active', line(), addOn)],
    ];

    test('takes nothing away from what it is added to', () => {
      for (const productId of ['pro', 'extra']) {
        const judged = judgedAt(START + 11 * DAY_MS, answers, [productId]);
        expect(judged).toMatchObject({ entitled: true, productId, willRenew: true });
      }
    });

    test('shares its grace and its hold', () => {
      const waiting = [line({ expiresAt: grace }), { ...addOn, expiresAt: grace }];
      const inGrace: typeof answers = [...answers, [END + HOUR_MS, bought('grace', ...waiting)]];
      const onHold: typeof answers = [...inGrace, [grace + HOUR_MS, bought('hold', ...waiting)]];
      for (const productId of ['pro', 'extra']) {
        expect(judgedAt(END + DAY_MS, inGrace, [productId])).toMatchObject({
          ...{ entitled: true, status: 'billing_grace', productId },
          graceExpiresAt: new Date(grace).toISOString(),
        });
        const held = judgedAt(grace + DAY_MS, onHold, [productId]);
        expect(held).toMatchObject({ entitled: false, status: 'billing_retry', productId });
      }
    });
  });

  test('an account id is an account token where it is a UUID', () => {
    const tokenOf = (accountId: string | null) =>
      factsOf({ ...bought('active'), accountId }, START).transactions[0]?.snapshot.appAccountToken;
    expect(tokenOf(ACCOUNT)).toBe(ACCOUNT.toLowerCase());
    expect(tokenOf('a1'.repeat(32))).toBeNull();
    expect(tokenOf(null)).toBeNull();
  });

  test('the country is a storefront; a trial costs nothing', () => {
    const [trial] = factsOf(bought('active', line({ isTrial: true })), START).transactions;
    expect(trial?.details).toMatchObject({ storefront: 'DEU', priceMilliunits: 0 });
    expect(trial?.snapshot.freeTrial).toBe(true);
  });

  test('a price is what the order says was paid, else the list price, and stays', () => {
    const paid = { priceMilliunits: 4_990, currency: 'CHF' };
    const order = ordered('GPA.1', paid);
    const first = factsOf(bought('active'), START, [], [order]).transactions[0]!;
    expect(first.details).toMatchObject(paid);
    const listed = factsOf(bought('active'), START).transactions[0]!;
    expect(listed.details).toMatchObject({ priceMilliunits: 9_990, currency: 'EUR' });
    const raised = bought('active', line({ priceMilliunits: 19_990 }));
    const later = factsOf(raised, START + DAY_MS, [first.snapshot]).transactions[0]!;
    expect(later.details).toBeNull();
    const learned = factsOf(raised, START + DAY_MS, [listed.snapshot], [order]).transactions[0]!;
    expect(learned.details).toMatchObject(paid);
  });

  test('products of one order are a transaction each, and keep those of earlier orders', () => {
    const both = bought('active', line(), line({ productId: 'maps' }));
    const ids = factsOf(both, START).transactions.map(({ snapshot }) => snapshot.transactionId);
    expect(ids).toEqual(['GPA.1/pro', 'GPA.1/maps']);
    const added = bought('active', line(), line({ productId: 'maps', orderId: 'GPA.2' }));
    const apart = factsOf(added, START).transactions.map(({ snapshot }) => snapshot.transactionId);
    expect(apart).toEqual(['GPA.1', 'GPA.2']);
  });

  describe('begins its periods', () => {
    const known = factsOf(bought('active'), START).transactions.map(({ snapshot }) => snapshot);
    const startOf = (answer: PlaySubscription, at: number, orders: SubscriptionAnswer['orders']) =>
      factsOf(answer, at, known, orders).transactions[0]?.snapshot.purchasedAt;

    test('where the order says, so that time on hold or paused is no period', () => {
      const recovered = line({ orderId: 'GPA.1..0', expiresAt: END + 40 * DAY_MS });
      const at = END + 11 * DAY_MS;
      const order = ordered('GPA.1..0', { startsAt: END + 10 * DAY_MS });
      expect(startOf(bought('active', recovered), at, [order])).toBe(END + 10 * DAY_MS);
    });

    test('at once of a plan that replaces another one before its end', () => {
      const at = START + 5 * DAY_MS;
      const yearly = line({ orderId: 'GPA.2', expiresAt: at + 365 * DAY_MS });
      const next = { ...bought('active', yearly), replacesToken: 'before', startedAt: at };
      expect(startOf(next, at, [])).toBe(at);
      expect(startOf(next, at, [ordered('GPA.2', { startsAt: at - HOUR_MS })])).toBe(at - HOUR_MS);
    });
  });

  test('a void of a period that is estimated stays, also once its order can be read', () => {
    const running = bought('active', line({ orderId: 'GPA.1..1', expiresAt: END + 60 * DAY_MS }));
    const at = END + 31 * DAY_MS;
    const newest = ordered('GPA.1..1', { startsAt: END + 30 * DAY_MS, endsAt: END + 60 * DAY_MS });
    const before = factsOf(running, at, [], [newest]).transactions.map(({ snapshot }) => snapshot);
    const estimated = before.filter(({ isEstimated }) => isEstimated);
    expect(estimated.map(({ transactionId }) => transactionId)).toContain('GPA.1..0');
    const known = before.map((one) => (one.isEstimated ? { ...one, revokedAt: at } : one));
    const order = ordered('GPA.1..0', { startsAt: END, endsAt: END + 30 * DAY_MS });
    for (const orders of [[newest], [order, newest]]) {
      const again = factsOf(running, at + DAY_MS, known, orders).transactions;
      const same = again.find(({ snapshot }) => snapshot.transactionId === 'GPA.1..0');
      expect(same?.snapshot.revokedAt).toBe(at);
    }
  });

  test('a purchase that is not paid for takes nobody’s place', () => {
    for (const state of ['pending', 'pending_canceled'] as const) {
      const purchase = { ...bought(state), replacesToken: 'before' };
      const expected = { linked: 'before', replaces: null };
      expect(linkedToken({ kind: 'subscription', purchase })).toEqual(expected);
    }
    const purchase = { ...bought('active'), replacesToken: 'before' };
    const expected = { linked: 'before', replaces: 'before' };
    expect(linkedToken({ kind: 'subscription', purchase })).toEqual(expected);
  });

  describe('of a replaced plan', () => {
    const answer = (subscription: PlaySubscription, known: SubscriptionAnswer['known']) => ({
      ...{ chainId: 'play_1', packageName: 'com.example.a', subscription, known },
      ...{ orders: [], planPeriods: new Map(), answeredAt: START + DAY_MS },
    });
    const [first] = factsOf(bought('active'), START).transactions.map(({ snapshot }) => snapshot);

    test('an order that is not stored yet is, as replaced; others stay as they are', () => {
      expect(toPastFacts(answer(bought('expired'), [first!]))).toEqual([]);
      const [past] = toPastFacts(answer(bought('expired'), []));
      expect(past?.snapshot).toMatchObject({ transactionId: 'GPA.1', upgraded: true });
    });

    test('money that is given back is a refund, and stays one', () => {
      const voided = { purchaseToken: 't', orderId: 'GPA.1', voidedAt: START + 1, quantity: null };
      const replaced = { ...first!, upgraded: true };
      const [revoked] = revokedBy(voided, [replaced], START + 2);
      expect(revoked).toMatchObject({ revokedAt: START + 1, upgraded: false });
      expect(revoked?.signedAt).toBe(START + 2);
      const ahead = { ...replaced, signedAt: START + 9 };
      expect(revokedBy(voided, [ahead], START + 2)[0]?.signedAt).toBe(START + 10);
      expect(revokedBy(voided, [revoked!], START + 3)).toEqual([]);
      expect(revokedBy({ ...voided, quantity: 1 }, [replaced], START + 2)).toEqual([]);
      const next = { ...bought('active', line({ orderId: 'GPA.2' })), replacesToken: 'before' };
      expect(factsOf(next, START + DAY_MS, [revoked!]).superseded).toEqual([]);
    });
  });
});
