import { describe, expect, test } from 'bun:test';
import {
  judgeEntitlement,
  LEEWAY_WITH_KEY_MS,
  LEEWAY_WITHOUT_KEY_MS,
  onlyPaid,
} from '../../../src/modules/purchases/entitlement/rules.ts';
import { type ChainFacts, digestChain } from '../../../src/modules/purchases/ledger/digest.ts';
import type { ChainStatus, Renewal, Transaction } from '../../../src/shared/purchase.ts';

const DAY = 86_400_000;
const MAY = Date.UTC(2026, 4, 1);
const JUNE = Date.UTC(2026, 5, 1);
const JULY = Date.UTC(2026, 6, 1);

const bought = (given: Partial<Transaction> = {}): Transaction => ({
  environment: 'Production',
  bundleId: 'com.example.focus',
  transactionId: '100',
  chainId: '100',
  productId: 'pro.monthly',
  type: 'subscription',
  purchasedAt: MAY,
  expiresAt: JUNE,
  revokedAt: null,
  upgraded: false,
  ownership: 'purchased',
  appAccountToken: null,
  freeTrial: false,
  signedAt: MAY,
  ...given,
});

const renews = (given: Partial<Renewal> = {}): Renewal => ({
  environment: 'Production',
  chainId: '100',
  willRenew: true,
  inBillingRetry: false,
  graceExpiresAt: null,
  renewsAt: JUNE,
  signedAt: MAY,
  ...given,
});

const chain = (given: Partial<ChainFacts> = {}, checkedAtMs = MAY) => ({
  digest: digestChain({
    chainId: '100',
    transactions: [bought()],
    renewal: renews(),
    status: null,
    ...given,
  }),
  checkedAtMs,
  store: 'app_store' as const,
  environment: 'Production' as const,
});

const ask = (
  chains: ReturnType<typeof chain>[],
  nowMs: number,
  rest: { leewayMs?: number; productId?: string } = {},
) =>
  judgeEntitlement(chains, {
    nowMs,
    leewayMs: rest.leewayMs ?? LEEWAY_WITH_KEY_MS,
    productIds: rest.productId === undefined ? null : [rest.productId],
    environment: 'Production',
  });

const word = (status: ChainStatus, asOf: number, transactionId: string | null = '100') => ({
  status,
  asOf,
  transactionId,
});

describe("the store's status", () => {
  const grace = JUNE + 16 * DAY;
  const rows = [
    { status: 'active', entitlement: 'active', entitled: true, renewal: true, now: MAY + DAY },
    { status: 'expired', entitlement: 'expired', entitled: false, renewal: false, now: JUNE + DAY },
    {
      status: 'retry',
      entitlement: 'billing_retry',
      entitled: false,
      renewal: true,
      now: JUNE + DAY,
    },
    {
      status: 'grace',
      entitlement: 'billing_grace',
      entitled: true,
      renewal: true,
      now: JUNE + DAY,
    },
    { status: 'revoked', entitlement: 'revoked', entitled: false, renewal: false, now: MAY + DAY },
  ] as const;
  for (const row of rows) {
    test(`${row.status} is ${row.entitlement}`, () => {
      const renewal = renews({ graceExpiresAt: row.status === 'grace' ? grace : null });
      const { entitlement } = ask([chain({ renewal, status: word(row.status, row.now) })], row.now);
      expect(entitlement.status).toBe(row.entitlement);
      expect(entitlement.entitled).toBe(row.entitled);
      expect(entitlement.willRenew).toBe(row.renewal);
      const expected = row.status === 'grace' ? new Date(grace).toISOString() : null;
      expect(entitlement.graceExpiresAt).toBe(expected);
    });
  }

  test('gives way to what was signed later', () => {
    const renewed = bought({
      transactionId: '101',
      purchasedAt: JUNE + 3 * DAY,
      expiresAt: JULY + 3 * DAY,
      signedAt: JUNE + 3 * DAY,
    });
    const facts = { transactions: [bought(), renewed], status: word('retry', JUNE + DAY) };
    expect(ask([chain(facts)], JUNE + 4 * DAY).entitlement.status).toBe('active');
  });

  test('grace counts although the store does not call it a retry', () => {
    const renewal = renews({ graceExpiresAt: grace, inBillingRetry: false, signedAt: JUNE });
    expect(ask([chain({ renewal })], JUNE + DAY).entitlement.status).toBe('billing_grace');
    expect(ask([chain({ renewal })], grace).entitlement.status).toBe('billing_retry');
    expect(ask([chain({ renewal })], grace).stale).toEqual([
      { store: 'app_store', environment: 'Production', chainId: '100' },
    ]);
  });

  test('a retry ends after sixty days', () => {
    const facts = { status: word('retry', JUNE) };
    expect(ask([chain(facts)], JUNE + 59 * DAY).entitlement.status).toBe('billing_retry');
    expect(ask([chain(facts)], JUNE + 60 * DAY).entitlement.status).toBe('expired');
  });
});

describe('refunds', () => {
  const june = bought({
    transactionId: '101',
    purchasedAt: JUNE,
    expiresAt: JULY,
    signedAt: JUNE,
  });

  test("May's renewal refunded while June is paid ends nothing, whatever status came with it", () => {
    const may = bought({ revokedAt: JUNE + DAY, signedAt: JUNE + DAY });
    for (const status of ['active', 'revoked'] as const) {
      const facts = { transactions: [may, june], status: word(status, JUNE + DAY, '100') };
      const { entitlement } = ask([chain(facts)], JUNE + 2 * DAY);
      expect(entitlement).toMatchObject({ status: 'active', entitled: true });
      expect(entitlement.expiresAt).toBe(new Date(JULY).toISOString());
    }
  });

  test('June refunded is revoked, and entitled again when the refund is reversed', () => {
    const refunded = { ...june, revokedAt: JUNE + DAY, signedAt: JUNE + DAY };
    const before = ask([chain({ transactions: [bought(), refunded] })], JUNE + 2 * DAY);
    expect(before.entitlement).toMatchObject({ status: 'revoked', entitled: false });
    const reversed = { ...june, signedAt: JUNE + 3 * DAY };
    const after = ask([chain({ transactions: [bought(), reversed] })], JUNE + 4 * DAY);
    expect(after.entitlement).toMatchObject({ status: 'active', entitled: true });
  });

  test('a refund counts although the store still calls the chain active', () => {
    const refunded = bought({ revokedAt: MAY + DAY, signedAt: MAY + DAY });
    const facts = { transactions: [refunded], status: word('active', MAY + DAY) };
    expect(ask([chain(facts)], MAY + 2 * DAY).entitlement.status).toBe('revoked');
  });

  test('a refund of the only period known, told with a later one, leaves that one standing', () => {
    const may = bought({ revokedAt: JUNE + DAY, signedAt: JUNE + DAY });
    const renewal = renews({ renewsAt: JULY, signedAt: JUNE + DAY });
    const facts = { transactions: [may], renewal, status: word('active', JUNE + DAY) };
    const { entitlement } = ask([chain(facts)], JUNE + 2 * DAY);
    expect(entitlement).toMatchObject({ status: 'active', entitled: true });
    expect(entitlement.expiresAt).toBe(new Date(JULY).toISOString());
  });
});

describe('a subscription past its end that nobody could ask about', () => {
  test('stays active for the leeway, with the time of the last success, and is stale', () => {
    const last = JUNE - DAY;
    for (const leewayMs of [LEEWAY_WITH_KEY_MS, LEEWAY_WITHOUT_KEY_MS]) {
      const within = ask([chain({}, last)], JUNE + leewayMs - 1, { leewayMs });
      expect(within.entitlement).toMatchObject({ status: 'active', entitled: true });
      expect(within.entitlement.checkedAt).toBe(new Date(last).toISOString());
      expect(within.entitlement.expiresAt).toBe(new Date(JUNE).toISOString());
      expect(within.stale).toEqual([
        { store: 'app_store', environment: 'Production', chainId: '100' },
      ]);
      const beyond = ask([chain({}, last)], JUNE + leewayMs, { leewayMs });
      expect(beyond.entitlement).toMatchObject({ status: 'expired', entitled: false });
      expect(beyond.stale).toEqual([
        { store: 'app_store', environment: 'Production', chainId: '100' },
      ]);
    }
  });

  test('is six hours with a key, one without, and ends on the instant', () => {
    expect([LEEWAY_WITH_KEY_MS, LEEWAY_WITHOUT_KEY_MS]).toEqual([6 * 3_600_000, 3_600_000]);
    const at = (nowMs: number) => ask([chain()], nowMs).entitlement.status;
    expect([JUNE, JUNE + LEEWAY_WITH_KEY_MS - 1].map(at)).toEqual(['active', 'active']);
    expect(at(JUNE + LEEWAY_WITH_KEY_MS)).toBe('expired');
  });

  test('comes before a grace that ends with the period', () => {
    const of = (graceExpiresAt: number) =>
      ask([chain({ renewal: renews({ graceExpiresAt }) })], JUNE).entitlement.status;
    expect([of(JUNE), of(JUNE + 1)]).toEqual(['active', 'billing_grace']);
  });

  test('has no leeway when the store said that it would not renew', () => {
    const verdict = ask([chain({ renewal: renews({ willRenew: false }) })], JUNE);
    expect(verdict.entitlement.status).toBe('expired');
    expect(verdict.stale).toEqual([
      { store: 'app_store', environment: 'Production', chainId: '100' },
    ]);
  });

  test('is not asked about while something else entitles', () => {
    const lifetime = bought({ transactionId: '900', type: 'non_consumable', expiresAt: null });
    const verdict = ask(
      [chain(), chain({ chainId: '900', transactions: [lifetime], renewal: null })],
      JUNE + DAY,
    );
    expect(verdict.entitlement).toMatchObject({ status: 'active', originalTransactionId: '900' });
    expect(verdict.stale).toEqual([]);
  });
});

describe('products', () => {
  const kind = (type: Transaction['type'], expiresAt: number | null) =>
    ask([chain({ transactions: [bought({ type, expiresAt })], renewal: null })], MAY + DAY)
      .entitlement.status;

  test('what lasts entitles without an end, consumables never do', () => {
    expect(kind('non_consumable', null)).toBe('active');
    expect(kind('non_renewing', null)).toBe('active');
    expect(kind('non_renewing', MAY)).toBe('expired');
    expect(kind('consumable', null)).toBe('none');
    expect(kind('unknown', null)).toBe('none');
    expect(kind('unknown', JUNE)).toBe('active');
  });

  test('of periods bought at one instant the one that ends last counts', () => {
    const short = bought({ transactionId: '900', expiresAt: JUNE });
    const long = bought({ transactionId: '100', expiresAt: JULY });
    for (const transactions of [
      [short, long],
      [long, short],
    ]) {
      const { entitlement } = ask([chain({ transactions })], MAY);
      expect(entitlement.expiresAt).toBe(new Date(JULY).toISOString());
    }
  });

  test('a refunded non-consumable is revoked', () => {
    const refunded = bought({ type: 'non_consumable', expiresAt: null, revokedAt: MAY });
    const facts = { transactions: [refunded], renewal: null };
    expect(ask([chain(facts)], MAY + DAY).entitlement.status).toBe('revoked');
  });

  test('an upgrade replaces the product before its period ends, marked or not', () => {
    for (const upgraded of [true, false]) {
      const yearly = bought({ productId: 'pro.yearly', expiresAt: MAY + 365 * DAY, upgraded });
      const premium = bought({
        transactionId: '101',
        productId: 'max.monthly',
        purchasedAt: MAY + DAY,
        expiresAt: JUNE + DAY,
        signedAt: MAY + DAY,
      });
      const facts = { transactions: [yearly, premium] };
      expect(ask([chain(facts)], MAY + 2 * DAY).entitlement.productId).toBe('max.monthly');
      expect(ask([chain(facts)], JUNE + 30 * DAY).entitlement.status).toBe('expired');
      const about = { productId: 'pro.yearly' };
      expect(ask([chain(facts)], MAY + 2 * DAY, about).entitlement.status).toBe('none');
    }
  });

  test('bought and ended at one instant the later id counts, whatever the order', () => {
    const first = bought({ transactionId: '101', productId: 'lite.monthly' });
    const second = bought({ transactionId: '102', productId: 'max.monthly' });
    for (const transactions of [
      [first, second],
      [second, first],
    ]) {
      const { entitlement } = ask([chain({ transactions })], MAY);
      expect(entitlement.productId).toBe('max.monthly');
    }
  });

  test('a refunded period does not hide an earlier valid one of an earlier product', () => {
    const period = (transactionId: string, purchasedAt: number, revokedAt: number | null) =>
      bought({ transactionId, purchasedAt, expiresAt: purchasedAt + DAY, revokedAt });
    const now = JULY + DAY;
    const current = bought({
      transactionId: '900',
      productId: 'lite.monthly',
      purchasedAt: JULY,
      expiresAt: JULY + 30 * DAY,
    });
    const about = (...earlier: Transaction[]) =>
      ask([chain({ transactions: [...earlier, current] })], now, { productId: 'pro.monthly' })
        .entitlement.status;
    expect(about(period('101', MAY, null), period('102', JUNE, JUNE))).toBe('expired');
    expect(about(period('101', MAY, MAY), period('102', JUNE, null))).toBe('expired');
    expect(about(period('101', MAY, MAY), period('102', JUNE, JUNE))).toBe('revoked');
  });

  test('a question about one product sees only that product', () => {
    const lite = bought({
      transactionId: '101',
      productId: 'lite.monthly',
      purchasedAt: JUNE,
      expiresAt: JULY,
      signedAt: JUNE,
    });
    const chains = [chain({ transactions: [bought(), lite] })];
    const about = (productId: string) => ask(chains, JUNE + DAY, { productId }).entitlement;
    expect(about('lite.monthly')).toMatchObject({ status: 'active', entitled: true });
    expect(about('pro.monthly')).toMatchObject({ status: 'expired', willRenew: false });
    expect(about('unknown')).toMatchObject({ status: 'none', entitled: false });
  });
});

describe('several chains', () => {
  const held = (id: string, given: Partial<Transaction>) =>
    chain({
      chainId: id,
      transactions: [bought({ transactionId: id, chainId: id, ...given })],
    });

  test('active beats ended, bought beats shared, later beats sooner', () => {
    const old = held('1', { expiresAt: MAY + DAY });
    const shared = held('2', { ownership: 'family_shared', expiresAt: JULY });
    const own = held('3', { expiresAt: JUNE });
    const longer = held('4', { expiresAt: JUNE + DAY });
    const best = (chains: ReturnType<typeof chain>[]) =>
      ask(chains, MAY + 2 * DAY).entitlement.originalTransactionId;
    expect(best([old, shared])).toBe('2');
    expect(best([shared, own])).toBe('3');
    expect(best([own, longer, shared])).toBe('4');
  });

  test('an old chain that resurfaces takes nothing away', () => {
    const old = held('1', {
      purchasedAt: MAY - 400 * DAY,
      expiresAt: MAY - 370 * DAY,
      signedAt: JUNE,
    });
    const { entitlement } = ask([held('9', {}), old], MAY + DAY);
    expect(entitlement).toMatchObject({ status: 'active', originalTransactionId: '9' });
  });

  test('none at all is none', () => {
    expect(ask([], MAY).entitlement).toEqual({
      entitled: false,
      status: 'none',
      productId: null,
      expiresAt: null,
      graceExpiresAt: null,
      willRenew: false,
      ownership: null,
      originalTransactionId: null,
      environment: 'Production',
      checkedAt: new Date(MAY).toISOString(),
    });
  });
});

describe('what is paid of a chain', () => {
  const plan = bought({ expiresAt: JUNE });
  const addOn = (given: Partial<Transaction>) =>
    bought({
      ...{ transactionId: '101', productId: 'extra', purchasedAt: MAY + 5 * DAY },
      ...given,
    });
  const paidOf = (transactions: Transaction[], unpaid: string, nowMs: number, more = {}) => {
    const of = {
      ...chain({ transactions, store: 'google_play', ...more }),
      store: 'google_play' as const,
    };
    const paid = onlyPaid(of, ({ productId }) => productId !== unpaid, nowMs);
    const is = (productIds: string[] | null) =>
      judgeEntitlement([paid], {
        ...{ nowMs, leewayMs: LEEWAY_WITH_KEY_MS, productIds, environment: 'Production' },
      }).entitlement.entitled;
    return [is(null), is(['pro.monthly']), is(['extra'])];
  };

  test('is the plan beside an add-on on trial, however long that lasts, and the other way round', () => {
    for (const expiresAt of [JUNE, MAY + 12 * DAY]) {
      const both = [plan, addOn({ expiresAt })];
      expect(paidOf(both, 'extra', MAY + 6 * DAY)).toEqual([true, true, false]);
      expect(paidOf(both, 'pro.monthly', MAY + 6 * DAY)).toEqual([true, false, true]);
    }
  });

  test('is nothing that ended before a trial of another, whose grace is not its own', () => {
    const trial = addOn({ purchasedAt: JUNE + DAY, expiresAt: JULY });
    expect(paidOf([plan, trial], 'extra', JUNE + 2 * DAY)).toEqual([false, false, false]);
    const grace = {
      renewal: renews({ graceExpiresAt: JULY + 7 * DAY, signedAt: JULY }),
      status: word('grace', JULY, '101'),
    };
    expect(paidOf([plan, trial], 'extra', JULY + DAY, grace)).toEqual([false, false, false]);
  });
});
