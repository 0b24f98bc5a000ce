import { afterEach, describe, expect, test } from 'bun:test';
import { HTML_500 } from '../../../simulators/kit/faults.ts';
import { chargebacksOf, reviewOf } from '../../../support/chargebacks.ts';
import { type PlayApp, startPlayService } from '../../../support/play-service.ts';
import { testDatabase } from '../../../support/postgres.ts';
import { startTestQueries } from '../../../support/queries.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const service = await startPlayService(await testDatabase());
const { askNow, clock, play } = service;
await startTestQueries(service.deps);
const chargebacks = chargebacksOf(service);
const { boughtOnce, subscribed, ask, list, newest, settings, person, answer, sentOf } = chargebacks;

afterEach(() => {
  expect(play.violations).toEqual([]);
  play.faults.clear();
  play.reviews.areRepeatsRefused = false;
});

const RULES = [
  { productId: 'coins', used: 'part' },
  { productId: 'stickers', used: 'full' },
  { productId: 'gems', used: 'none' },
];

async function connected(given: object = {}): Promise<PlayApp> {
  const app = await service.connected();
  const body = { answers: 'decline', customersConsent: true, products: RULES, ...given };
  expect((await settings(app, body)).status).toBe(200);
  return app;
}

describe('a chargeback', () => {
  test('is not answered until somebody says so, and never without consent', async () => {
    const app = await service.connected();
    const orderId = await boughtOnce(app, 'coins', 'ada');
    const asked = await ask(app, orderId);
    expect(await newest(app)).toMatchObject({
      ...{ store: 'google_play', transactionId: orderId, reason: 'CHARGEBACK', state: 'waiting' },
      answerBy: new Date(clock.now + 24 * HOUR).toISOString(),
    });
    expect(await answer(app)).toBeNull();
    expect(await newest(app)).toMatchObject({
      ...{ productId: 'coins', userId: 'ada', state: 'not_answered', why: 'off', attempts: 0 },
    });
    await settings(app, { answers: 'grant' });
    await answer(app);
    expect((await newest(app)).why).toBe('no_consent');
    await settings(app, { customersConsent: true });
    expect(await answer(app)).toBeNull();
    expect(await newest(app)).toMatchObject({ state: 'answered', message: null, attempts: 1 });
    expect(sentOf(asked)).toEqual([
      {
        ...{ pendingRefundToken: asked.token, refundPreference: 'APPROVE' },
        sampleContentProvided: false,
      },
    ]);
  });

  test('is answered by product, once, however often it is delivered', async () => {
    const cases: [string, string, object][] = [
      [
        'decline',
        'coins',
        { refundPreference: 'DECLINE', consumptionPercentageMilliunits: 50_000 },
      ],
      [
        'neutral',
        'coins',
        { refundPreference: 'NEUTRAL', consumptionPercentageMilliunits: 50_000 },
      ],
      ['grant', 'coins', { refundPreference: 'NEUTRAL', consumptionPercentageMilliunits: 50_000 }],
      ['grant', 'gems', { refundPreference: 'APPROVE', consumptionPercentageMilliunits: 0 }],
      [
        ...(['grant', 'stickers'] as const),
        { refundPreference: 'NEUTRAL', consumptionPercentageMilliunits: 100_000 },
      ],
      ['grant', 'other', { refundPreference: 'APPROVE' }],
    ];
    for (const [answers, productId, expected] of cases) {
      const app = await connected({ answers });
      const asked = await ask(app, await boughtOnce(app, productId, 'ada'));
      await asked.again();
      await answer(app);
      await asked.again();
      await answer(app);
      expect((await list(app)).counts).toMatchObject({ asked: 1, answered: 1 });
      expect(sentOf(asked)).toEqual([
        { pendingRefundToken: asked.token, sampleContentProvided: false, ...expected },
      ]);
    }
  });

  test('of a subscription is answered with each use as evidence, and without a share', async () => {
    const products = [{ productId: 'pro', used: 'events', eventName: 'film_seen', uses: 10 }];
    const app = await connected({ products });
    const { orderId } = await subscribed(app, 'u-film');
    const times = [30, 3, 2, 1].map((hours) => new Date(clock.now - hours * HOUR).toISOString());
    const events = [...times, times[1]!].map((ts, index) => ({
      ...{ id: crypto.randomUUID(), anonymousId: 'device-film', userId: 'u-film', ts },
      name: index < times.length ? 'film_seen' : 'opened',
    }));
    const sent = await service.call('/v1/events', { headers: app.device, body: { events } });
    expect(sent.status).toBe(202);
    const asked = await ask(app, orderId);
    clock.now += MINUTE;
    play.faults.next(HTML_500, { match: /reviewrefund/ });
    expect(await answer(app)).toMatchObject({ code: 'unavailable' });
    await answer(app);
    const [body] = sentOf(asked);
    expect(body).toMatchObject({ refundPreference: 'DECLINE', sampleContentProvided: false });
    expect(body).not.toHaveProperty('consumptionPercentageMilliunits');
    const seen = (body!.consumptionUsageEvents as any[]).map((one) => one.consumptionTime);
    // Not the one before the purchase.
    expect(seen).toEqual(times.slice(1));
    expect((await newest(app)).answer).toMatchObject({ events: 3, usedMillipercent: null });
    const [row] = await service.deps.sql`
      SELECT evidence FROM purchase_refund_requests WHERE app_id = ${app.appId}`;
    expect(row?.evidence).toBeNull();
  });

  test('keeps no evidence of a person who is erased before it is sent', async () => {
    const products = [{ productId: 'pro', used: 'events', eventName: 'film_seen', uses: 10 }];
    const app = await connected({ products });
    const { orderId } = await subscribed(app, 'u-gone');
    const event = { id: crypto.randomUUID(), anonymousId: 'device-gone', userId: 'u-gone' };
    const events = [{ ...event, ts: new Date(clock.now - HOUR).toISOString(), name: 'film_seen' }];
    await service.call('/v1/events', { headers: app.device, body: { events } });
    const asked = await ask(app, orderId);
    clock.now += MINUTE;
    play.faults.next(HTML_500, { match: /reviewrefund/ });
    await answer(app);
    const kept = async () =>
      (
        await service.deps.sql`
          SELECT evidence FROM purchase_refund_requests WHERE app_id = ${app.appId}`
      )[0]?.evidence;
    expect(await kept()).toMatchObject({ eventName: 'film_seen' });
    const path = `/v1/apps/${app.appId}/person?personId=u-gone`;
    await service.call(path, { method: 'DELETE', headers: app.org.key });
    expect(await kept()).toBeNull();
    await answer(app);
    expect(sentOf(asked)).toHaveLength(1);
    expect(sentOf(asked)[0]).not.toHaveProperty('consumptionUsageEvents');
  });

  test('of a person who is named is answered otherwise', async () => {
    const app = await connected({ customersConsent: false });
    await person(app, { userId: 'yes', customersConsent: true });
    await person(app, { userId: 'quiet', answers: 'off', customersConsent: true });
    const counts: number[] = [];
    for (const userId of ['yes', 'quiet', 'other']) {
      const asked = await ask(app, await boughtOnce(app, 'coins', userId));
      await answer(
        app,
        `${(await list(app)).requests.find((one: any) => one.state === 'waiting').id}`,
      );
      counts.push(sentOf(asked).length);
    }
    expect(counts).toEqual([1, 0, 0]);
  });

  test('of a purchase that nobody has handed over waits until Google Play is asked', async () => {
    const app = await connected();
    const { orderId } = await subscribed(app);
    const asked = await ask(app, orderId);
    expect(await answer(app)).toMatchObject({ code: 'unavailable' });
    expect(await newest(app)).toMatchObject({
      ...{ state: 'waiting', message: 'Google Play is asked about the purchase.' },
    });
    await askNow(app);
    expect(await answer(app)).toBeNull();
    expect(await newest(app)).toMatchObject({ state: 'answered', productId: 'pro' });
    expect(sentOf(asked)).toHaveLength(1);
  });

  test('of an order that Google Play cannot name is answered without the purchase at the end', async () => {
    const app = await connected();
    const { orderId, token } = await subscribed(app);
    const asked = await ask(app, orderId);
    play.faults.next({ kind: 'status', status: 410 }, { match: new RegExp(token), times: 9 });
    await answer(app);
    clock.now += 23 * HOUR + MINUTE;
    expect(await answer(app)).toBeNull();
    expect(sentOf(asked)).toMatchObject([{ refundPreference: 'DECLINE' }]);
  });
});

describe('the 24 hours', () => {
  test('outlast a store that is away for 20', async () => {
    const app = await connected();
    const asked = await ask(app, await boughtOnce(app, 'coins', 'ada'));
    play.faults.next({ kind: 'status', status: 503 }, { match: /reviewrefund/, times: 20 });
    for (let hour = 0; hour < 20; hour += 1) {
      expect(await answer(app)).toMatchObject({ code: 'unavailable' });
      clock.now += HOUR;
    }
    expect((await newest(app)).message).toContain('503');
    expect(await answer(app)).toBeNull();
    expect(await newest(app)).toMatchObject({ state: 'answered', attempts: 21 });
    expect(sentOf(asked)).toHaveLength(1);
  });

  test('count from the event, also where the notification comes late', async () => {
    const app = await connected();
    const orderId = await boughtOnce(app, 'coins', 'ada');
    const late = await ask(app, orderId, { at: clock.now - 24 * HOUR + 30_000 });
    expect(await answer(app)).toBeNull();
    expect(await newest(app)).toMatchObject({
      ...{ state: 'not_answered', why: 'too_late' },
      message: 'The 24 hours were over before Google Play took the answer.',
    });
    expect(sentOf(late)).toEqual([]);
    const inTime = await ask(app, orderId, { at: clock.now - 23 * HOUR });
    await answer(app);
    expect(sentOf(inTime)).toHaveLength(1);
  });

  test('outlast a permission that is missing, and a connection', async () => {
    const app = await service.app();
    await settings(app, { answers: 'neutral', customersConsent: true });
    await service.connect(app);
    const asked = await ask(app, await boughtOnce(app, 'coins', 'ada'));
    play.setPermission(false);
    expect(await answer(app)).toMatchObject({ code: 'unavailable' });
    play.setPermission(true);
    expect((await newest(app)).message).toContain('Users and permissions');
    const path = `/v1/apps/${app.appId}/purchases/play-store`;
    await service.call(path, { method: 'DELETE', headers: app.org.key });
    expect(await answer(app)).toMatchObject({ code: 'unavailable' });
    expect((await newest(app)).message).toBe('Google Play is not connected.');
    await service.connect(app);
    expect(await answer(app)).toBeNull();
    expect(sentOf(asked)).toHaveLength(1);
  });
});

describe('Google Play', () => {
  test('that took an answer which was lost takes the same one again, or refuses it', async () => {
    for (const isRefused of [false, true]) {
      const app = await connected();
      const asked = await ask(app, await boughtOnce(app, 'coins', 'ada'));
      play.faults.next({ kind: 'status_after', status: 502 }, { match: /reviewrefund/ });
      expect(await answer(app)).toMatchObject({ code: 'unavailable' });
      play.reviews.areRepeatsRefused = isRefused;
      await settings(app, { answers: 'grant' });
      expect(await answer(app)).toBeNull();
      expect(await newest(app)).toMatchObject({
        state: 'answered',
        answer: { preference: 'decline' },
      });
      expect(sentOf(asked)[0]).toMatchObject({ refundPreference: 'DECLINE' });
    }
  });

  test('that refuses says why, and is not told again', async () => {
    const app = await connected();
    const foreign = play.reviews.ask('GPA.foreign', 'com.example.other', clock.now);
    const told = reviewOf(foreign.token, 'GPA.foreign', { refundReason: undefined });
    await service.push(app, told);
    expect(await answer(app)).toBeNull();
    expect(await newest(app)).toMatchObject({
      ...{ state: 'not_answered', why: 'refused', reason: null, productId: '' },
      message: 'The store refused the answer. Google Play answered 404 (notFound).',
    });
    const other = await service.push(app, told, { packageName: 'com.example.other' });
    expect(other.body).toEqual({ received: false });
    expect((await list(app)).requests).toHaveLength(1);
  });

  test('that gave the money back decided it', async () => {
    const app = await connected();
    const orderIds = [await subscribed(app, 'ada'), await subscribed(app, 'bob')];
    const [answered, waiting] = orderIds;
    await ask(app, answered!.orderId);
    await answer(app);
    clock.now += 1;
    await ask(app, waiting!.orderId);
    clock.now += HOUR;
    for (const { token, orderId } of orderIds) {
      const row = { purchaseToken: token, orderId, voidedTimeMillis: String(clock.now) };
      play.addVoided({ ...row, voidedReason: 7, voidedSource: 0 });
    }
    await askNow(app);
    await answer(app);
    const { requests, counts } = await list(app);
    expect(requests.map(({ why, outcome, state }: any) => [state, why, outcome])).toEqual([
      ['not_answered', 'decided', 'refunded'],
      ['answered', null, 'refunded'],
    ]);
    expect(counts).toMatchObject({ asked: 2, answered: 1, refunded: 2 });
    const path = `/v1/apps/${app.appId}/purchases/overview?store=app_store`;
    const { body } = await service.call(path, { headers: app.org.key });
    expect(body.refunds.requests.asked).toBe(0);
  });
});
