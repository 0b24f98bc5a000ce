import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { startPlayStore } from '../../../simulators/play-store/server.ts';

const NOW = new Date('2026-11-27T12:00:00.000Z');
const DAY = 86_400_000;
const PACKAGE = 'com.example.focus';
const EMAIL = 'reader@example.iam.gserviceaccount.com';
const SCOPE = 'https://www.googleapis.com/auth/androidpublisher';
const APPLICATION = `/androidpublisher/v3/applications/${PACKAGE}`;

const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const google = await startPlayStore(() => NOW);
google.addAccount(EMAIL, pair.publicKey.export({ type: 'spki', format: 'pem' }).toString());
google.addApp(PACKAGE);
afterAll(() => google.stop());
beforeEach(() => {
  google.violations.length = 0;
});

async function grant(scope: string): Promise<Record<string, string>> {
  const seconds = NOW.getTime() / 1_000;
  const claims = { iss: EMAIL, scope, aud: 'https://oauth2.googleapis.com/token' };
  const assertion = await new SignJWT({ ...claims, iat: seconds, exp: seconds + 3_600 })
    .setProtectedHeader({ alg: 'RS256' })
    .sign(pair.privateKey);
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const body = new URLSearchParams({ grant_type, assertion });
  const answer = await fetch(`${google.url}/token`, { method: 'POST', body });
  return JSON.parse(await answer.text());
}

const { access_token: token } = await grant(SCOPE);

async function call(path: string, body?: object) {
  const answer = await fetch(`${google.url}${APPLICATION}/${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}

const PURCHASE = {
  subscriptionState: 'SUBSCRIPTION_STATE_ACTIVE',
  acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PENDING',
  lineItems: [{ productId: 'pro', expiryTime: '2026-12-01T12:00:00Z' }],
};
const [LINE] = PURCHASE.lineItems;
const withLine = (more: object) => ({ ...PURCHASE, lineItems: [{ ...LINE, ...more }] });

describe('what Google never answers is refused', () => {
  const price = (recurringPrice: object) => withLine({ autoRenewingPlan: { recurringPrice } });
  test.each([
    ['an unknown field', { ...PURCHASE, latestOrderId: 'GPA.1' }, 'unknown field latestOrderId'],
    ['one within', withLine({ price: 1 }), 'lineItems.0: unknown field price'],
    ['a wrong enum', { ...PURCHASE, subscriptionState: 'ACTIVE' }, 'subscriptionState'],
    ['a wrong type', { ...PURCHASE, regionCode: 49 }, 'regionCode: must be string'],
    ['int64 as a number', price({ units: 9 }), 'units: must be string'],
    ['int64 with a fraction', price({ units: '9.99' }), 'units: must match'],
    ['int32 as text', price({ nanos: '1' }), 'nanos: must be integer'],
    ['int32 that is too large', price({ nanos: 2 ** 31 }), 'nanos: must be <='],
    ['a time of another form', withLine({ expiryTime: '2026-12-01' }), 'expiryTime: must match'],
  ])('%s', (_, purchase, said) => {
    expect(() => google.put('t', purchase)).toThrow(said);
  });

  test('of one-time purchases, orders and voids too', () => {
    const product = { purchaseStateContext: { purchaseState: 'CANCELED' }, productLineItem: [] };
    expect(() => google.putProduct('t', product)).toThrow('purchaseState');
    google.put('t', withLine({ latestSuccessfulOrderId: 'GPA.1' }));
    const total = { currencyCode: 'EUR', units: 9, nanos: 0 } as never;
    expect(() => google.putOrder('GPA.1', total)).toThrow('units: must be string');
    expect(() => google.addVoided({ voidedTimeMillis: 1 })).toThrow('voidedTimeMillis');
  });

  test('but what Google may add some day is answered where it is asked for', async () => {
    const purchase = { ...PURCHASE, subscriptionState: 'OF_TOMORROW', new: {} };
    google.put('tomorrow', purchase, { isOfTomorrow: true });
    const { body } = await call('purchases/subscriptionsv2/tokens/tomorrow');
    expect(body).toEqual(purchase);
    const wrong = { ...purchase, regionCode: 49 };
    expect(() => google.put('tomorrow', wrong, { isOfTomorrow: true })).toThrow('regionCode');
  });
});

describe('what Google does not understand is refused', () => {
  const VOIDS = 'purchases/voidedpurchases';
  const ACKNOWLEDGE = 'purchases/subscriptions/pro/tokens/t:acknowledge';
  test.each([
    ['an unknown parameter', `${VOIDS}?kind=1`, 'invalid', 'Unknown name "kind"'],
    ['a parameter of another method', 'orders/GPA.1?type=1', 'invalid', 'Unknown name "type"'],
    ['text for a number', `${VOIDS}?maxResults=all`, 'invalidValue', "'maxResults' (integer)"],
    ['a number out of range', `${VOIDS}?maxResults=-1`, 'invalidValue', "'maxResults'"],
    ['a fraction', `${VOIDS}?startTime=1.5`, 'invalidValue', "'startTime' (string)"],
    ['text for yes or no', `${VOIDS}?prettyPrint=1`, 'invalidValue', "'prettyPrint' (boolean)"],
    ['a wrong enum', `${VOIDS}?alt=xml`, 'invalidValue', '\'alt\' (enum), "xml"'],
  ])('%s', async (_, path, reason, said) => {
    const { status, body } = await call(path);
    expect([status, body.error.status]).toEqual([400, 'INVALID_ARGUMENT']);
    expect(body.error.errors[0].reason).toBe(reason);
    expect(body.error.message).toContain(said);
    expect(google.violations).toHaveLength(1);
  });

  test.each([
    ['an unknown field', { payload: 'x' }, 'invalid', 'Unknown name "payload"'],
    ['a wrong type', { developerPayload: 5 }, 'invalidValue', "'developerPayload'"],
    ['one within', { externalAccountIds: { id: 'x' } }, 'invalid', "at 'externalAccountIds'"],
    ['a list', [], 'invalid', 'Invalid JSON payload'],
  ])('in a body: %s', async (_, sent, reason, said) => {
    google.put('t', PURCHASE);
    const { status, body } = await call(ACKNOWLEDGE, sent);
    expect([status, body.error.errors[0].reason]).toEqual([400, reason]);
    expect(body.error.message).toContain(said);
    expect(google.acknowledgements).not.toContain('t');
  });

  test('and what it understands is carried out', async () => {
    const outOfAppPurchaseContext = { expiredPurchaseToken: 'before' };
    google.put('t', { ...PURCHASE, outOfAppPurchaseContext });
    const externalAccountIds = { obfuscatedAccountId: 'a' };
    const { status } = await call(ACKNOWLEDGE, { developerPayload: 'x', externalAccountIds });
    expect([status, google.acknowledgements]).toEqual([204, ['t']]);
    expect((await call(`${VOIDS}?type=1&maxResults=10&alt=json`)).status).toBe(200);
    expect(google.violations).toEqual([]);
  });

  test('a method that is not in use, and a scope that none of them has', async () => {
    expect((await call('purchases/subscriptionsv2/tokens/t:revoke', {})).status).toBe(400);
    expect(google.violations).toEqual([expect.stringContaining('no such method')]);
    const { error } = await grant('https://www.googleapis.com/auth/drive');
    expect(error).toBe('invalid_scope');
  });
});

describe('the review of a refund', () => {
  const ask = (orderId = 'GPA.1', hoursAgo = 0) =>
    google.reviews.ask(orderId, PACKAGE, NOW.getTime() - hoursAgo * 3_600_000);
  const review = (body: object, orderId = 'GPA.1') => call(`orders/${orderId}:reviewrefund`, body);
  const right = (token: string, more: object = {}) => ({
    ...{ pendingRefundToken: token, refundPreference: 'NEUTRAL', sampleContentProvided: false },
    ...more,
  });

  test('wants its token, a wish and a word about samples', async () => {
    const { token, answers } = ask();
    for (const field of ['pendingRefundToken', 'refundPreference', 'sampleContentProvided']) {
      const { status, body } = await review(right(token, { [field]: undefined }));
      expect([status, body.error.errors[0].reason]).toEqual([400, 'required']);
    }
    expect((await review(right('other'))).status).toBe(404);
    expect((await review(right(token), 'GPA.2')).status).toBe(400);
    const wish = { refundPreference: 'REFUND_PREFERENCE_UNSPECIFIED' };
    expect((await review(right(token, wish))).status).toBe(400);
    expect([answers, google.violations]).toEqual([[], []]);
    expect((await review(right(token))).status).toBe(200);
    expect(answers).toHaveLength(1);
  });

  test.each([
    ['a percentage', { consumptionPercentageMilliunits: 100_001 }],
    ['another wish', { refundPreference: 'GRANT' }],
    ['too many uses', { consumptionUsageEvents: Array(1_001).fill({}) }],
    ['a use to come', { consumptionUsageEvents: [{ consumptionTime: '2027-01-01T00:00:00Z' }] }],
    [
      'a long word',
      { consumptionUsageEvents: [{ consumptionItemDescription: 'x'.repeat(5_001) }] },
    ],
    ['a field', { deliveryStatus: 'DELIVERED' }],
  ])('does not take %s', async (_, more) => {
    const { token, answers } = ask();
    expect((await review(right(token, more))).status).toBe(400);
    expect([answers.length, google.violations.length]).toEqual([0, 1]);
  });

  test('counts the first answer, for 24 hours', async () => {
    const { token, answers } = ask('GPA.1', 24);
    expect((await review(right(token))).status).toBe(200);
    expect((await review(right(token))).status).toBe(200);
    expect([answers.length, google.violations]).toEqual([2, []]);
    google.reviews.areRepeatsRefused = true;
    expect((await review(right(token))).status).toBe(400);
    google.reviews.areRepeatsRefused = false;
    await review(right(token, { refundPreference: 'DECLINE' }));
    expect((await review(right(ask('GPA.1', 24.01).token))).status).toBe(400);
    expect(google.violations).toHaveLength(2);
  });
});

describe('voided purchases', () => {
  const at = (daysAgo: number) => String(NOW.getTime() - daysAgo * DAY);
  const list = (query: string) => call(`purchases/voidedpurchases?${query}`);
  const ordersOf = ({ body }: { body: { voidedPurchases?: { orderId: string }[] } }) =>
    (body.voidedPurchases ?? []).map(({ orderId }) => orderId);

  test('are of products only unless asked, thirty days back, and page by page', async () => {
    const bought = { purchaseStateContext: { purchaseState: 'PURCHASED' } };
    google.putProduct('coins', { ...bought, productLineItem: [{ productId: 'coins' }] });
    for (const [orderId, purchaseToken, daysAgo] of [
      ['GPA.3', 'coins', 1],
      ['GPA.1', 'sub', 20],
      ['GPA.2', 'sub', 10],
      ['GPA.0', 'sub', 31],
    ] as const) {
      google.addVoided({ orderId, purchaseToken, voidedTimeMillis: at(daysAgo) });
    }
    expect(ordersOf(await list(''))).toEqual(['GPA.3']);
    expect(ordersOf(await list('type=1'))).toEqual(['GPA.1', 'GPA.2', 'GPA.3']);
    expect((await list(`type=1&startTime=${at(31)}`)).status).toBe(400);
    const first = await list(`type=1&maxResults=1&startTime=${at(15)}`);
    expect(ordersOf(first)).toEqual(['GPA.2']);
    const { nextPageToken } = first.body.tokenPagination;
    const second = await list(`type=1&maxResults=1&token=${nextPageToken}`);
    expect([ordersOf(second), second.body.tokenPagination]).toEqual([['GPA.3'], undefined]);
  });
});

test('a token and a void are of one package', async () => {
  google.put('other', PURCHASE, { packageName: 'com.example.other' });
  const { status, body } = await call('purchases/subscriptionsv2/tokens/other');
  expect([status, body.error.errors[0].reason]).toEqual([400, 'purchaseTokenMismatch']);
  const row = { orderId: 'GPA.other', purchaseToken: 'other', voidedTimeMillis: '1795780800000' };
  google.addVoided(row, 'com.example.other');
  const { body: list } = await call('purchases/voidedpurchases?type=1');
  expect(JSON.stringify(list)).not.toContain('GPA.other');
});

test('a subscription is no more sixty days after its end', async () => {
  const expired = { ...PURCHASE, subscriptionState: 'SUBSCRIPTION_STATE_EXPIRED' };
  const endedAgo = (days: number) => new Date(NOW.getTime() - days * DAY).toISOString();
  for (const [days, status] of [
    [59, 200],
    [60, 410],
  ] as const) {
    google.put('over', { ...expired, lineItems: [{ ...LINE, expiryTime: endedAgo(days) }] });
    expect((await call('purchases/subscriptionsv2/tokens/over')).status).toBe(status);
  }
});

test('a purchase stays acknowledged, once, by its own product and family', async () => {
  const product = {
    acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PENDING',
    purchaseStateContext: { purchaseState: 'PURCHASED' },
    productLineItem: [{ productId: 'coins' }],
  };
  google.putProduct('bought', product);
  const acknowledge = (family: string, id: string) =>
    call(`purchases/${family}/${id}/tokens/bought:acknowledge`, {});
  expect(await acknowledge('products', 'gems')).toMatchObject({ status: 400 });
  expect(await acknowledge('subscriptions', 'coins')).toMatchObject({ status: 410 });
  expect(await acknowledge('products', 'coins')).toMatchObject({ status: 204 });
  google.putProduct('bought', product);
  expect(await acknowledge('products', 'coins')).toMatchObject({ status: 400 });
  const { body } = await call('purchases/productsv2/tokens/bought');
  expect(body.acknowledgementState).toBe('ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED');
});

test('voids of a part are told only where they are asked for, and wrong questions refused', async () => {
  google.addVoided({
    purchaseToken: 'part',
    orderId: 'GPA.part',
    voidedTimeMillis: String(NOW.getTime() - DAY),
    voidedQuantity: 1,
  });
  const listed = async (query: string) => {
    const { body } = await call(`purchases/voidedpurchases?type=1&${query}`);
    return JSON.stringify(body).includes('GPA.part');
  };
  expect(await listed('maxResults=10')).toBe(false);
  expect(await listed('includeQuantityBasedPartialRefund=true')).toBe(true);
  const wrong = ['type=7', 'maxResults=0', `endTime=${NOW.getTime() + 1}`, 'token=nothing'];
  for (const query of wrong) {
    expect(await call(`purchases/voidedpurchases?${query}`)).toMatchObject({ status: 400 });
  }
});
