import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { createPlayStore } from '../../../../src/providers/play-store/client.ts';
import { readServiceAccount } from '../../../../src/shared/google-grant.ts';
import { hasAccess } from '../../../../src/providers/play-store/map.ts';
import type { PlayKey, PlayStore } from '../../../../src/providers/play-store/port.ts';
import { ProviderError } from '../../../../src/shared/provider-error.ts';
import { HTML_500 } from '../../../simulators/kit/faults.ts';
import { googleError } from '../../../simulators/play-store/errors.ts';
import { type PlaySimulator, startPlayStore } from '../../../simulators/play-store/server.ts';

const PACKAGE = 'com.example.focus';
const EMAIL = 'reader@example.iam.gserviceaccount.com';
const NOW = new Date('2026-11-27T12:00:00.000Z');
const clock = () => NOW;

const makePair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
const pair = makePair();
const file = {
  type: 'service_account',
  private_key_id: 'a1b2',
  private_key: pair.privateKey,
  client_email: EMAIL,
  token_uri: 'https://attacker.example/token',
};
const key: PlayKey = readServiceAccount(JSON.stringify(file));

const PURCHASE = {
  subscriptionState: 'SUBSCRIPTION_STATE_ACTIVE',
  acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PENDING',
  startTime: '2026-11-01T12:00:00Z',
  regionCode: 'DE',
  linkedPurchaseToken: 'token-before',
  externalAccountIdentifiers: { obfuscatedExternalAccountId: 'account-1' },
  lineItems: [
    {
      productId: 'pro',
      expiryTime: '2026-12-01T12:00:00.123456789Z',
      latestSuccessfulOrderId: 'GPA.1111-2222-3333-44444..0',
      offerDetails: { basePlanId: 'monthly' },
      autoRenewingPlan: {
        autoRenewEnabled: true,
        recurringPrice: { currencyCode: 'EUR', units: '9', nanos: 990_000_000 },
      },
    },
  ],
};

let simulator: PlaySimulator;
let play: PlayStore;

beforeAll(async () => {
  simulator = await startPlayStore(clock);
  simulator.addAccount(EMAIL, pair.publicKey);
  simulator.addApp(PACKAGE);
  const { url } = simulator;
  play = createPlayStore({ baseUrl: url, tokenUrl: `${url}/token`, clock });
});
afterAll(() => simulator.stop());
beforeEach(() => {
  simulator.faults.clear();
  simulator.setPermission(true);
});

async function failureOf(work: Promise<unknown>): Promise<ProviderError> {
  try {
    await work;
  } catch (thrown) {
    if (thrown instanceof ProviderError) return thrown;
    throw thrown;
  }
  throw new Error('nothing was refused');
}

function thrownBy(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    return Bun.inspect(thrown)
      .split('\n')
      .filter((line) => !/^\s*\d+ \|/.test(line))
      .join('\n');
  }
  return 'nothing';
}

const purchase = (purchaseToken: string) => ({ packageName: PACKAGE, purchaseToken });
const subscription = (token: string) => ({ ...purchase(token), kind: 'subscription' as const });

test('a subscription is read in words of our own, by a grant of the service account', async () => {
  simulator.put('token-1', PURCHASE);
  expect(await play.subscription(key, purchase('token-1'))).toEqual({
    environment: 'Production',
    state: 'active',
    startedAt: Date.parse('2026-11-01T12:00:00Z'),
    isAcknowledged: false,
    replacesToken: 'token-before',
    accountId: 'account-1',
    profileId: null,
    country: 'DE',
    lines: [
      {
        productId: 'pro',
        basePlanId: 'monthly',
        offerId: null,
        orderId: 'GPA.1111-2222-3333-44444..0',
        expiresAt: Date.parse('2026-12-01T12:00:00.123Z'),
        willRenew: true,
        isTrial: false,
        isProrated: false,
        priceMilliunits: 9_990,
        currency: 'EUR',
      },
    ],
  });
  expect(simulator.violations).toEqual([]);
});

test('false is left out by Google; a test purchase and an unknown state are told apart', async () => {
  const [line] = PURCHASE.lineItems;
  const ofTomorrow = {
    ...PURCHASE,
    subscriptionState: 'SUBSCRIPTION_STATE_OF_TOMORROW',
    aFieldOfTomorrow: 1,
    testPurchase: {},
    lineItems: [{ ...line, autoRenewingPlan: {}, offerPhase: { freeTrial: {}, ofTomorrow: [] } }],
  };
  expect(() => simulator.put('token-2', ofTomorrow)).toThrow('unknown field aFieldOfTomorrow');
  simulator.put('token-2', ofTomorrow, { isOfTomorrow: true });
  const found = await play.subscription(key, purchase('token-2'));
  expect(found.environment).toBe('Sandbox');
  expect(found.state).toBe('unlisted:SUBSCRIPTION_STATE_OF_TOMORROW');
  expect(found.lines[0]).toMatchObject({ willRenew: false, isTrial: true, priceMilliunits: null });
});

test('access is by state and by the end of each line', () => {
  const now = NOW.getTime();
  const table = [
    ['pending', false],
    ['active', true],
    ['grace', true],
    ['hold', false],
    ['paused', false],
    ['canceled', true],
    ['expired', false],
    ['pending_canceled', false],
    ['unlisted:NEW', null],
  ] as const;
  for (const [state, expected] of table) {
    expect(hasAccess({ state }, { expiresAt: now + 1 }, now)).toBe(expected);
    const atEnd = hasAccess({ state }, { expiresAt: now }, now);
    expect(atEnd).toBe(expected === null ? null : false);
  }
  expect(hasAccess({ state: 'active' }, { expiresAt: null }, now)).toBe(false);
});

test('acknowledged once, also when the answer is lost or an error after the effect', async () => {
  for (const [token, fault] of [
    ['token-3', { kind: 'cut' }],
    ['token-3b', { kind: 'status_after', status: 503 }],
  ] as const) {
    simulator.put(token, PURCHASE);
    simulator.faults.next(fault, { match: /acknowledge/ });
    const lost = await failureOf(play.acknowledge(key, subscription(token)));
    expect([lost.failure, lost.outcomeUnknown]).toEqual(['unavailable', true]);
    expect(await play.acknowledge(key, subscription(token))).toBe('already');
    expect(simulator.acknowledgements.filter((one) => one === token)).toEqual([token]);
  }
});

test('a pending purchase is not acknowledged', async () => {
  simulator.put('token-4', { ...PURCHASE, subscriptionState: 'SUBSCRIPTION_STATE_PENDING' });
  expect(await play.acknowledge(key, subscription('token-4'))).toBe('not_due');
  expect(simulator.acknowledgements).not.toContain('token-4');
});

test('a missing permission says what to do, as 401 and as 403', async () => {
  simulator.setPermission(false);
  const denied = await failureOf(play.checkKey(key, PACKAGE));
  expect(denied.failure).toBe('forbidden');
  expect(denied.message).toContain('Users and permissions');
  simulator.setPermission(true);
  const off = googleError(403, 'accessNotConfigured');
  simulator.faults.next({ kind: 'status', status: 403, body: JSON.stringify(off.json) });
  expect((await failureOf(play.checkKey(key, PACKAGE))).message).toContain('enable it');
  expect((await failureOf(play.checkKey(key, 'com.example.other'))).failure).toBe('not_found');
});

test('failures are never an end of a subscription', async () => {
  simulator.put('token-5', PURCHASE);
  simulator.faults.next(HTML_500, { match: /subscriptionsv2/ });
  expect((await failureOf(play.subscription(key, purchase('token-5')))).failure).toBe(
    'unavailable',
  );
  simulator.faults.next(
    { kind: 'status', status: 404, body: '<html>' },
    { match: /subscriptionsv2/ },
  );
  expect((await failureOf(play.subscription(key, purchase('token-5')))).failure).toBe(
    'unavailable',
  );
  simulator.faults.next({ kind: 'status', status: 429, body: '' }, { match: /subscriptionsv2/ });
  expect((await failureOf(play.subscription(key, purchase('token-5')))).failure).toBe(
    'rate_limited',
  );
});

test('an access token that ended early is asked for anew', async () => {
  simulator.put('token-6', PURCHASE);
  await play.subscription(key, purchase('token-6'));
  simulator.expireTokens();
  expect((await failureOf(play.subscription(key, purchase('token-6')))).failure).toBe(
    'unauthorized',
  );
  expect((await play.subscription(key, purchase('token-6'))).state).toBe('active');
});

test('another key in the name of an account gets no token of it', async () => {
  await play.checkKey(key, PACKAGE);
  const forged = { ...key, privateKey: makePair().privateKey };
  expect((await failureOf(play.checkKey(forged, PACKAGE))).failure).toBe('unauthorized');
});

test('a chargeback is answered in the words of Google, once for its token', async () => {
  const orderId = 'GPA.charged';
  const { token, answers } = simulator.reviews.ask(orderId, PACKAGE, NOW.getTime());
  const review = {
    ...{ packageName: PACKAGE, orderId, token, sampleContentProvided: true },
    ...{ preference: 'grant_full' as const, usedMillipercent: 0 },
    evidence: { eventName: 'film_seen', atMs: [NOW.getTime() - 1_000] },
  };
  await play.reviewRefund(key, review);
  expect(answers.map(({ body }) => body)).toEqual([
    {
      ...{ pendingRefundToken: token, refundPreference: 'APPROVE', sampleContentProvided: true },
      consumptionPercentageMilliunits: 0,
      consumptionUsageEvents: [
        {
          consumptionTime: new Date(NOW.getTime() - 1_000).toISOString(),
          consumptionItemDescription: 'film_seen',
        },
      ],
    },
  ]);
  simulator.reviews.areRepeatsRefused = true;
  expect((await failureOf(play.reviewRefund(key, review))).failure).toBe('invalid');
  const unknown = { ...review, token: 'never' };
  expect((await failureOf(play.reviewRefund(key, unknown))).failure).toBe('not_found');
  simulator.faults.next({ kind: 'status', status: 409 }, { match: /reviewrefund/ });
  expect((await failureOf(play.reviewRefund(key, review))).failure).toBe('conflict');
  expect(simulator.violations).toEqual([]);
});

test('voided subscriptions are listed too', async () => {
  const at = NOW.getTime();
  simulator.addVoided({ purchaseToken: 't', orderId: 'GPA.1', voidedTimeMillis: String(at) });
  const question = { packageName: PACKAGE, sinceMs: at - 1, page: null };
  expect(await play.voided(key, question)).toEqual({
    voided: [{ purchaseToken: 't', orderId: 'GPA.1', voidedAt: at, quantity: null }],
    nextPage: null,
  });
});

const ORDER = {
  orderId: 'GPA.1111-2222-3333-44444..0',
  createTime: '2026-10-30T12:00:00Z',
  state: 'PROCESSED',
  total: { currencyCode: 'EUR', units: '4' },
  lineItems: [
    {
      productId: 'pro',
      total: { currencyCode: 'EUR', units: '4' },
      listingPrice: { currencyCode: 'EUR', units: '9', nanos: 990_000_000 },
      subscriptionDetails: {
        basePlanId: 'monthly',
        servicePeriodStartTime: '2026-11-01T12:00:00Z',
        servicePeriodEndTime: '2026-12-01T12:00:00Z',
        offerPhaseDetails: { prorationPeriodDetails: { originalOfferPhase: 'BASE' } },
      },
    },
  ],
};
const { orderId } = ORDER;
const ms = (time: string) => Date.parse(time);
const orderNow = () => play.order(key, { packageName: PACKAGE, orderId });

test('an order says what was paid, when, and for which period', async () => {
  simulator.putWholeOrder(ORDER);
  const line = {
    ...{ productId: 'pro', basePlanId: 'monthly', offerId: null, isTrial: false, isProrated: true },
    ...{ priceMilliunits: 4_000, listedMilliunits: 9_990, currency: 'EUR' },
    ...{ startsAt: ms('2026-11-01T12:00:00Z'), endsAt: ms('2026-12-01T12:00:00Z') },
  };
  const read = { orderId, paidAt: ms('2026-10-30T12:00:00Z'), refund: null, lines: [line] };
  expect(await orderNow()).toEqual(read);
  const processedEvent = { eventTime: '2026-10-31T12:00:00Z' };
  simulator.putWholeOrder({ ...ORDER, orderHistory: { processedEvent } });
  expect((await orderNow()).paidAt).toBe(ms('2026-10-31T12:00:00Z'));
  simulator.putWholeOrder({ ...ORDER, state: 'CANCELED' });
  expect((await orderNow()).lines).toEqual([]);
});

test('an order says what was given back of it', async () => {
  const refundDetails = { total: { currencyCode: 'EUR', units: '1' } };
  const part = { createTime: '2026-11-02T12:00:00Z', refundDetails };
  const partialRefundEvents = [
    { ...part, state: 'PROCESSED_SUCCESSFULLY', processTime: '2026-11-03T12:00:00Z' },
    { ...part, state: 'PROCESSED_SUCCESSFULLY' },
    { ...part, state: 'PENDING', createTime: '2026-11-09T12:00:00Z' },
  ];
  simulator.putWholeOrder({
    ...{ ...ORDER, state: 'PARTIALLY_REFUNDED' },
    orderHistory: { partialRefundEvents },
  });
  const at = ms('2026-11-03T12:00:00Z');
  expect((await orderNow()).refund).toEqual({ at, share: 50_000 });
  const refundEvent = { eventTime: '2026-11-05T12:00:00Z', refundReason: 'OTHER' };
  simulator.putWholeOrder({
    ...{ ...ORDER, state: 'REFUNDED' },
    orderHistory: { partialRefundEvents, refundEvent },
  });
  const whole = { at: ms('2026-11-05T12:00:00Z'), share: null };
  expect((await orderNow()).refund).toEqual(whole);
});

test('orders are read many at once, all or none', async () => {
  simulator.putWholeOrder(ORDER);
  simulator.putWholeOrder({ ...ORDER, orderId: 'GPA.1111-2222-3333-44444' });
  const all = [orderId, 'GPA.1111-2222-3333-44444'];
  const read = await play.orders(key, { packageName: PACKAGE, orderIds: all });
  expect(read.map((one) => one.orderId)).toEqual(all);
  const lacking = play.orders(key, { packageName: PACKAGE, orderIds: [...all, 'GPA.none'] });
  expect((await failureOf(lacking)).failure).toBe('not_found');
});

test('the catalogue says how long the periods of a plan are', async () => {
  const monthly = { autoRenewingBasePlanType: { billingPeriodDuration: 'P1M' } };
  const topUp = { prepaidBasePlanType: { billingPeriodDuration: 'P10D' } };
  const basePlans = [
    { basePlanId: 'monthly', ...monthly },
    { basePlanId: 'ten-days', ...topUp },
    { basePlanId: 'of-tomorrow' },
  ];
  simulator.putCatalogue({ productId: 'pro', basePlans });
  const periods = await play.planPeriods(key, { packageName: PACKAGE, productId: 'pro' });
  expect([...periods]).toEqual([
    ['monthly', 'P1M'],
    ['ten-days', 'P10D'],
  ]);
  expect(simulator.violations).toEqual([]);
});

test('dots are no name of a purchase', async () => {
  expect((await failureOf(play.subscription(key, purchase('..')))).failure).toBe('invalid');
});

test('only the file of a service account is taken, and never repeated in a refusal', () => {
  const wrong = ['', '{}', JSON.stringify({ ...file, private_key: `secret${'x'.repeat(100)}` })];
  for (const text of wrong) {
    const refusal = thrownBy(() => readServiceAccount(text));
    expect(refusal).toContain('must be the JSON key of a Google service account');
    expect(refusal).not.toContain('secret');
  }
});
