import { afterEach, describe, expect, test } from 'bun:test';
import { HTML_500 } from '../../simulators/kit/faults.ts';
import type { TransactionPayload } from '../../simulators/store-server/payloads.ts';
import { tooManyRequests } from '../../simulators/store-server/server.ts';
import { testDatabase } from '../../support/postgres.ts';
import { type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';
import { startTestQueries } from '../../support/queries.ts';
import { refundsOf } from '../../support/refund-requests.ts';
import { createTestKey } from '../../support/service.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const service = await startPurchaseService(await testDatabase());
const { clock, store, deps } = service;
await startTestQueries(deps);
const { bought, tell, ask, answer, settings, person, list, sentOf } = refundsOf(service);

afterEach(() => {
  expect([...store.production.violations, ...store.sandbox.violations]).toEqual([]);
  store.production.faults.clear();
});

const BASE = { customerConsented: true, deliveryStatus: 'DELIVERED', sampleContentProvided: false };
const RULES = [
  { productId: 'coins.100', used: 'part' },
  { productId: 'stickers', used: 'full' },
  { productId: 'gems', used: 'none' },
];

async function connected(given: object = {}): Promise<PurchaseApp> {
  const app = await service.app();
  await service.connect(app);
  const body = { answers: 'decline', customersConsent: true, products: RULES, ...given };
  expect((await settings(app, body)).status).toBe(200);
  return app;
}
const newest = async (app: PurchaseApp) => (await list(app)).requests[0];
const holds = async (app: PurchaseApp, transaction: TransactionPayload, userId: string) => {
  const body = { signedTransaction: store.sign(transaction), userId };
  const { status } = await service.call('/v1/purchases/verify', { headers: app.device, body });
  expect(status).toBe(200);
};

describe('a refund request', () => {
  test('is not answered until somebody says so, and never without consent', async () => {
    const app = await service.app();
    await service.connect(app);
    const shown = await service.call(`/v1/apps/${app.appId}/purchases/refund-answers`, {
      headers: app.org.key,
    });
    expect(shown.body).toEqual({
      ...{ answers: 'off', customersConsent: false, sampleContentProvided: false },
      ...{ products: [], people: [] },
    });
    const transaction = bought(app);
    const id = await ask(app, transaction);
    expect(await answer(app, id)).toBeNull();
    expect(await newest(app)).toMatchObject({
      ...{ id, state: 'not_answered', why: 'off', attempts: 0, outcome: null },
      ...{ transactionId: transaction.transactionId, reason: 'UNINTENDED_PURCHASE' },
      answerBy: new Date(clock.now + 12 * HOUR).toISOString(),
    });
    // What was not answered for a setting is looked at again when it changes.
    await settings(app, { answers: 'grant' });
    expect((await newest(app)).state).toBe('waiting');
    await answer(app, id);
    expect((await newest(app)).why).toBe('no_consent');
    expect(sentOf(transaction)).toEqual([]);
    await settings(app, { customersConsent: true });
    await answer(app, id);
    expect(await newest(app)).toMatchObject({ state: 'answered', why: null, message: null });
    expect(sentOf(transaction)).toEqual([{ ...BASE, refundPreference: 'GRANT_FULL' }]);
  });

  test('is answered by kind of purchase, and once', async () => {
    const renewable = 'Auto-Renewable Subscription';
    const cases: [string, Partial<TransactionPayload>, object | null][] = [
      ['decline', {}, { consumptionPercentage: 50_000, refundPreference: 'DECLINE' }],
      ['neutral', {}, { consumptionPercentage: 50_000 }],
      ['grant', {}, { consumptionPercentage: 50_000, refundPreference: 'GRANT_PRORATED' }],
      [
        ...(['grant', { productId: 'gems' }] as const),
        { consumptionPercentage: 0, refundPreference: 'GRANT_FULL' },
      ],
      [
        ...(['grant', { productId: 'stickers', type: 'Non-Consumable' }] as const),
        { consumptionPercentage: 100_000 },
      ],
      ['neutral', { productId: 'other' }, {}],
      ['grant', { type: renewable }, { refundPreference: 'GRANT_FULL' }],
      ['decline', { type: renewable }, { refundPreference: 'DECLINE' }],
      ['decline', { inAppOwnershipType: 'FAMILY_SHARED' }, null],
      ['decline', { inAppOwnershipType: 'ASSIGNED' }, null],
    ];
    for (const [answers, given, expected] of cases) {
      const app = await connected({ answers });
      const transaction = bought(app, { ...given, expiresDate: clock.now + 20 * DAY });
      const id = await ask(app, transaction);
      await answer(app, id);
      await answer(app, id);
      expect(sentOf(transaction)).toEqual(expected === null ? [] : [{ ...BASE, ...expected }]);
      const request = await newest(app);
      expect(request.state).toBe(expected === null ? 'not_answered' : 'answered');
      if (expected === null) expect(request.message).toContain('takes no answer');
    }
  });

  test('is answered by what the customer used', async () => {
    const products = [
      { productId: 'coins.100', used: 'events', eventName: 'coin_spent', uses: 10 },
    ];
    const app = await connected({ answers: 'grant', products });
    const transaction = bought(app);
    await holds(app, transaction, 'u-coins');
    const events = Array.from({ length: 5 }, (_, index) => ({
      ...{ id: crypto.randomUUID(), anonymousId: 'device-0001', userId: 'u-coins' },
      name: index < 4 ? 'coin_spent' : 'opened',
      occurredAt: new Date(clock.now - HOUR + index).toISOString(),
    }));
    const sent = await service.call('/v1/events', { headers: app.device, body: { events } });
    expect(sent.status).toBe(202);
    const id = await ask(app, transaction);
    clock.now += 60_000;
    expect(await answer(app, id)).toBeNull();
    expect(sentOf(transaction)).toEqual([
      { ...BASE, consumptionPercentage: 40_000, refundPreference: 'GRANT_PRORATED' },
    ]);
  });

  test('of a person who is named is answered otherwise', async () => {
    const app = await connected({ customersConsent: false });
    expect((await person(app, { userId: 'yes', customersConsent: true })).status).toBe(200);
    await person(app, { userId: 'quiet', answers: 'off', customersConsent: true });
    const [yes, quiet, other] = [bought(app), bought(app), bought(app)];
    for (const [transaction, userId] of [
      [yes, 'yes'],
      [quiet, 'quiet'],
      [other, 'other'],
    ] as const) {
      await holds(app, transaction, userId);
      await answer(app, await ask(app, transaction));
    }
    expect([yes, quiet, other].map((one) => sentOf(one).length)).toEqual([1, 0, 0]);
    const { requests } = await list(app);
    expect(requests.map(({ userId, why }: any) => [userId, why])).toContainEqual(['quiet', 'off']);
    const gone = await person(app, { userId: 'yes' });
    expect(gone.body.people.map(({ userId }: any) => userId)).toEqual(['quiet']);
    const path = `/v1/apps/${app.appId}/person?personId=quiet`;
    await service.call(path, { method: 'DELETE', headers: app.org.key });
    expect((await settings(app, {})).body.people).toEqual([]);
    expect((await person(app, { userId: 'quiet', answers: 'off' })).status).toBe(409);
  });

  test('is sent again, the same, after an outage and where the answer was lost', async () => {
    const app = await connected();
    const transaction = bought(app);
    const id = await ask(app, transaction);
    store.production.faults.next(HTML_500, { match: /consumption/ });
    expect(await answer(app, id)).toMatchObject({ code: 'unavailable' });
    expect(await newest(app)).toMatchObject({
      state: 'waiting',
      message: 'The store answered 500.',
    });
    store.production.faults.next(tooManyRequests(Date.now() + 30_000), { match: /consumption/ });
    const limited: any = await answer(app, id);
    expect(limited.retryAfterSeconds).toBeGreaterThan(20);
    expect(await newest(app)).toMatchObject({ storeCode: 4_290_000 });
    // A change of the settings does not change an answer that may have arrived.
    store.production.faults.next({ kind: 'cut' }, { match: /consumption/ });
    await settings(app, { answers: 'grant' });
    await answer(app, id);
    await answer(app, id);
    expect(await newest(app)).toMatchObject({ state: 'answered', storeCode: null });
    const sent = sentOf(transaction);
    expect(new Set(sent.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(sent[0]).toMatchObject({ refundPreference: 'DECLINE' });
  });

  test('that may have been sent is not sent again once consent is taken back', async () => {
    const app = await connected();
    const transaction = bought(app);
    const id = await ask(app, transaction);
    store.production.faults.next(HTML_500, { match: /consumption/ });
    await answer(app, id);
    await settings(app, { customersConsent: false });
    await answer(app, id);
    expect(await newest(app)).toMatchObject({ state: 'not_answered', why: 'no_consent' });
    expect(sentOf(transaction)).toEqual([]);
  });

  test('waits for a purchase key, and no longer than the store', async () => {
    const app = await service.app();
    await settings(app, { answers: 'neutral', customersConsent: true });
    const transaction = bought(app);
    const id = await ask(app, transaction);
    expect(await answer(app, id)).toMatchObject({ code: 'unavailable' });
    expect((await newest(app)).message).toBe('No purchase key is connected.');
    await service.connect(app);
    const before = clock.now;
    clock.now += 12 * HOUR - 30_000;
    expect(await answer(app, id)).toBeNull();
    expect(await newest(app)).toMatchObject({ state: 'not_answered', why: 'too_late' });
    clock.now = before;
    expect(sentOf(transaction)).toEqual([]);
  });

  test('that the store refuses is not sent again, and says why', async () => {
    const codes: [number, string][] = [
      [4_000_047, 'this kind of product'],
      [4_000_209, 'no share used'],
      [4_000_044, 'the wish'],
      [4_000_999, 'Its number is 4000999'],
    ];
    for (const [errorCode, sentence] of codes) {
      const app = await connected();
      const id = await ask(app, bought(app));
      const body = JSON.stringify({ errorCode, errorMessage: 'no' });
      const headers = { 'content-type': 'application/json' };
      store.production.faults.next(
        { kind: 'status', status: 400, headers, body },
        { match: /consumption/ },
      );
      expect(await answer(app, id)).toBeNull();
      const request = await newest(app);
      expect(request).toMatchObject({
        state: 'not_answered',
        why: 'refused',
        storeCode: errorCode,
      });
      expect(request.message).toContain(sentence);
    }
  });

  test('that is repeated counts once, and what the store decided closes it', async () => {
    const app = await connected();
    const transaction = bought(app);
    const id = await ask(app, transaction);
    await ask(app, transaction);
    await answer(app, id);
    expect((await list(app)).requests).toHaveLength(1);
    const told = async (type: string, after: number, more: Partial<TransactionPayload> = {}) => {
      const signedDate = clock.now + after;
      await tell(app, type, { ...transaction, ...more }, { signedDate });
      await service.applyAll();
      return (await newest(app)).outcome;
    };
    expect(await told('REFUND', HOUR, { revocationDate: clock.now })).toBe('refunded');
    expect(await told('REFUND_DECLINED', 0)).toBe('refunded');
    expect(await told('REFUND_REVERSED', 2 * HOUR)).toBe('reversed');
    expect((await list(app)).counts).toEqual({
      ...{ asked: 1, waiting: 0, answered: 1, refunded: 0, declined: 0, reversed: 1 },
    });
    // A later wish for the same purchase is another request.
    const again = await ask(app, transaction, { signedDate: clock.now + 30 * HOUR });
    expect((await list(app)).requests.map((one: any) => one.id)).toEqual([again, id]);
  });

  test('that was decided before it could be answered is not', async () => {
    const app = await connected();
    const transaction = bought(app);
    const id = await ask(app, transaction);
    await tell(app, 'REFUND_DECLINED', transaction, { signedDate: clock.now + 1 });
    await service.applyAll();
    await answer(app, id);
    expect(await newest(app)).toMatchObject({ why: 'decided', outcome: 'declined' });
    const late = bought(app);
    const refunded = { ...late, revocationDate: clock.now };
    await tell(app, 'REFUND', refunded, { signedDate: clock.now + 2 });
    await ask(app, late, { signedDate: clock.now + 1 });
    expect(await newest(app)).toMatchObject({ why: 'decided', outcome: 'refunded' });
    expect([...sentOf(transaction), ...sentOf(late)]).toEqual([]);
  });
});

describe('the settings', () => {
  test('are checked, and need a key that manages integrations', async () => {
    const app = await connected();
    const rules = [
      [{ productId: 'a', used: 'events' }],
      [{ productId: 'a', used: 'part', uses: 3 }],
      [
        { productId: 'a', used: 'part' },
        { productId: 'a', used: 'full' },
      ],
    ];
    for (const products of rules) {
      const refused = await settings(app, { products });
      expect([refused.status, refused.body.error.hint.slice(0, 9)]).toEqual([400, 'products[']);
    }
    const member = await createTestKey(service, app.org, ['app:update', 'app:read']);
    const path = `/v1/apps/${app.appId}/purchases/refund-answers`;
    const body = { answers: 'off' };
    const refused = await service.call(path, { method: 'PATCH', headers: member, body });
    expect(refused.status).toBe(403);
    expect((await service.call(path, { headers: member })).body.answers).toBe('decline');
  });

  test('list requests a page at a time, of their own app', async () => {
    const [app, other] = [await connected(), await connected()];
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      ids.unshift(await ask(app, bought(app), { signedDate: clock.now + index }));
    }
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query = `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const page = await list(app, query);
      seen.push(...page.requests.map(({ id }: any) => id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(ids);
    expect((await list(app, '?state=answered')).requests).toEqual([]);
    expect((await list(other)).requests).toEqual([]);
  });
});
