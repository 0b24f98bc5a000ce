import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type RefundedPurchase,
  decide,
  termsFor,
  usedMillipercent,
} from '../../../src/modules/purchases/refunds/decide.ts';
import { refundSentence } from '../../../src/modules/purchases/refunds/list.ts';
import type {
  AnswerMode,
  RefundAnswer,
  RefundProduct,
} from '../../../src/modules/purchases/model/refunds.ts';
import { toReviewBody } from '../../../src/providers/play-store/map.ts';
import { toConsumptionBody } from '../../../src/providers/store-server/map.ts';

const MODES: AnswerMode[] = ['off', 'neutral', 'decline', 'grant'];
const mode = fc.constantFrom(...MODES);
const asked: fc.Arbitrary<RefundedPurchase> = fc.record({
  store: fc.constantFrom('app_store', 'google_play'),
  type: fc.constantFrom('subscription', 'non_consumable', 'non_renewing', 'consumable', 'unknown'),
  isShared: fc.boolean(),
  isAssigned: fc.boolean(),
});
const rule: fc.Arbitrary<RefundProduct | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.record({
    productId: fc.constant('coins'),
    used: fc.constantFrom('none', 'part', 'full'),
  }),
  fc.record({
    productId: fc.constant('coins'),
    used: fc.constant('events' as const),
    eventName: fc.constant('spent'),
    uses: fc.integer({ min: 1, max: 500 }),
  }),
);
const counts = fc.record({
  quantity: fc.integer({ min: 1, max: 5 }),
  uses: fc.integer({ min: 0, max: 1_000 }),
});

/** What the store's documents allow, one rule after the other. */
function plainly(
  one: RefundedPurchase,
  answers: AnswerMode,
  isConsented: boolean,
  used: number | null,
) {
  if (answers === 'off' || !isConsented || one.isShared || one.isAssigned) return null;
  const body: Record<string, unknown> = { customerConsented: true, deliveryStatus: 'DELIVERED' };
  body.sampleContentProvided = false;
  let share = used;
  if (one.type === 'subscription' || one.type === 'unknown') share = null;
  if (share !== null) body.consumptionPercentage = share;
  if (answers === 'decline') body.refundPreference = 'DECLINE';
  if (answers === 'grant') {
    if (share === null || share === 0) body.refundPreference = 'GRANT_FULL';
    else if (share < 100_000) body.refundPreference = 'GRANT_PRORATED';
  }
  return body;
}

/** Google Play gives back all or nothing, and wants a word in any case. */
function plainlyForGoogle(
  one: RefundedPurchase,
  answers: AnswerMode,
  isConsented: boolean,
  used: number | null,
) {
  if (answers === 'off' || !isConsented || one.isShared || one.isAssigned) return null;
  const body: Record<string, unknown> = { pendingRefundToken: 't', sampleContentProvided: false };
  body.refundPreference = answers === 'decline' ? 'DECLINE' : 'NEUTRAL';
  const isOnce = one.type !== 'subscription' && one.type !== 'unknown';
  if (isOnce && used !== null) body.consumptionPercentageMilliunits = used;
  if (answers === 'grant' && !(isOnce && used !== null && used > 0)) {
    body.refundPreference = 'APPROVE';
  }
  return body;
}

describe('the answer to a refund request', () => {
  test('equals a plain list of the rules of the store', () => {
    fc.assert(
      fc.property(asked, mode, fc.boolean(), rule, counts, (one, answers, isConsented, by, of) => {
        const used = usedMillipercent(by, of);
        const context = { used, sampleContentProvided: false };
        const about = { packageName: 'p', orderId: 'o', token: 't', evidence: null };
        const decided = decide(one, { answers, isConsented }, context);
        const toBody = (answer: RefundAnswer) =>
          one.store === 'app_store'
            ? toConsumptionBody(answer)
            : toReviewBody({ ...about, ...answer });
        const body = decided.kind === 'answer' ? toBody(decided.answer) : null;
        const plain = one.store === 'app_store' ? plainly : plainlyForGoogle;
        expect(body).toEqual(plain(one, answers, isConsented, used));
        if (decided.kind === 'skip') return;
        const { usedMillipercent: share, preference } = decided.answer;
        if (share !== null) expect(share >= 0 && share <= 100_000).toBe(true);
        if (preference === 'grant_prorated') expect(share! > 0 && share! < 100_000).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  test('counts used by rule, in thousandths of a per cent', () => {
    const of = (by: Partial<RefundProduct>, quantity = 1, uses = 0) =>
      usedMillipercent({ productId: 'coins', used: 'none', ...by }, { quantity, uses });
    expect(of({})).toBe(0);
    expect(of({ used: 'part' })).toBe(50_000);
    expect(of({ used: 'full' })).toBe(100_000);
    // The store's own example: of two, one is used.
    expect(of({ used: 'events', eventName: 'x', uses: 1 }, 2, 1)).toBe(50_000);
    expect(of({ used: 'events', eventName: 'x', uses: 3 }, 1, 1)).toBe(33_333);
    expect(of({ used: 'events', eventName: 'x', uses: 3 }, 1, 7)).toBe(100_000);
    expect(usedMillipercent(undefined, { quantity: 1, uses: 9 })).toBeNull();
  });

  test('is the body that the store documents', () => {
    const consumption = { delivery: 'delivered', sampleContentProvided: false } as const;
    expect(
      toConsumptionBody({ ...consumption, usedMillipercent: 50_000, preference: 'grant_full' }),
    ).toEqual({
      ...{ customerConsented: true, deliveryStatus: 'DELIVERED', sampleContentProvided: false },
      ...{ consumptionPercentage: 50_000, refundPreference: 'GRANT_FULL' },
    });
    expect(
      toConsumptionBody({
        ...{ delivery: 'quality_issue', sampleContentProvided: true },
        ...{ usedMillipercent: null, preference: null },
      }),
    ).toEqual({
      ...{ customerConsented: true, deliveryStatus: 'UNDELIVERED_QUALITY_ISSUE' },
      sampleContentProvided: true,
    });
  });
});

describe('a person', () => {
  const app = { answers: 'decline', customersConsent: true } as const;

  test('is answered as the app unless named', () => {
    expect(termsFor(app, [])).toEqual({ answers: 'decline', isConsented: true });
    expect(termsFor(app, [{ answers: null, customersConsent: false }])).toEqual({
      ...{ answers: 'decline', isConsented: false },
    });
    expect(termsFor(app, [{ answers: 'off', customersConsent: null }]).answers).toBe('off');
  });

  test('who did not consent keeps all of a purchase from being told', () => {
    const person = fc.record({
      answers: fc.option(mode),
      customersConsent: fc.option(fc.boolean()),
    });
    fc.assert(
      fc.property(mode, fc.boolean(), fc.array(person), (answers, customersConsent, people) => {
        const terms = termsFor({ answers, customersConsent }, people);
        if (people.some((one) => one.customersConsent === false)) {
          expect(terms.isConsented).toBe(false);
        }
        const named = people.filter((one) => one.answers !== null);
        if (named.some((one) => one.answers === 'off')) expect(terms.answers).toBe('off');
        if (named.length === 0) expect(terms.answers).toBe(answers);
        if (people.every((one) => one.customersConsent === null)) {
          expect(terms.isConsented).toBe(customersConsent);
        }
      }),
    );
  });
});

test('what the store refused is a sentence, with its number where nobody knows it', () => {
  const store = 'app_store';
  const refused = { why: 'refused' as const, lastError: null, store } as const;
  expect(refundSentence({ ...refused, storeCode: 4_000_209 })).toContain('no share used');
  expect(refundSentence({ ...refused, storeCode: 4_999_999 })).toContain('4999999');
  for (const code of [4_000_044, 4_000_227, 4_000_185]) {
    expect(refundSentence({ ...refused, storeCode: code })).not.toContain(String(code));
  }
  expect(refundSentence({ why: null, storeCode: null, lastError: 'x', store })).toBe('x');
});
