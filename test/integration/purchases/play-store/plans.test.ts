import { describe, expect, test } from 'bun:test';
import { RECORDS } from '../../../../src/sql/queries.ts';
import { DAY_MS, HOUR_MS } from '../../../../src/shared/time.ts';
import { newToken, type PlayApp, startPlayService } from '../../../support/play-service.ts';
import { testDatabase } from '../../../support/postgres.ts';

const service = await startPlayService(await testDatabase());
const { askNow, clock, connected, entitlement, play, verify } = service;

const read = async (app: PlayApp, path: string) => {
  const found = await service.call(`/v1/apps/${app.appId}/purchases/${path}`, {
    headers: app.org.key,
  });
  expect([path, found.status]).toEqual([path, 200]);
  return found.body;
};
const overview = (app: PlayApp, days = 7) => read(app, `overview?currency=EUR&days=${days}`);
const revenue = (app: PlayApp, more = '') =>
  read(app, `revenue?currency=EUR&timezone=UTC&days=200${more}`);

const iso = (ms: number) => new Date(ms).toISOString();
const euros = (cents: number) => ({
  currencyCode: 'EUR',
  units: String(Math.floor(cents / 100)),
  nanos: (cents % 100) * 10_000_000,
});

let orders = 0;
const newOrder = () => {
  orders += 1;
  return `GPA.7700-0000-0000-${String(orders).padStart(5, '0')}`;
};

type Phase = 'basePrice' | 'freeTrial' | 'prorationPeriod';
const DETAILS = {
  basePrice: { baseDetails: {} },
  freeTrial: { freeTrialDetails: {} },
  prorationPeriod: { prorationPeriodDetails: {} },
};
type Line = {
  orderId: string;
  productId: string;
  basePlanId?: string;
  cents: number;
  listed?: number;
  phase?: Phase;
  from: number;
  to: number;
  /** In grace it is later than the end of the period. */
  until?: number;
};

/** Google has the order, paid at its beginning unless said otherwise. */
function putOrder(lines: readonly Line[], paidAt = lines[0]!.from, more: object = {}): void {
  const cents = lines.reduce((sum, line) => sum + line.cents, 0);
  play.putWholeOrder({
    ...{ orderId: lines[0]!.orderId, state: 'PROCESSED', createTime: iso(paidAt) },
    total: euros(cents),
    lineItems: lines.map((line) => ({
      ...{ productId: line.productId, total: euros(line.cents) },
      listingPrice: euros(line.listed ?? line.cents),
      subscriptionDetails: {
        ...{ basePlanId: line.basePlanId ?? 'monthly' },
        ...{ servicePeriodStartTime: iso(line.from), servicePeriodEndTime: iso(line.to) },
        offerPhaseDetails: DETAILS[line.phase ?? 'basePrice'],
      },
    })),
    ...more,
  });
}

type Bought = { token: string; lines: Line[]; state?: string; linked?: string; since?: number };

function sell({ token, lines, state = 'ACTIVE', linked, since }: Bought): void {
  play.put(token, {
    subscriptionState: `SUBSCRIPTION_STATE_${state}`,
    acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PENDING',
    startTime: iso(since ?? lines[0]!.from),
    ...(linked === undefined ? {} : { linkedPurchaseToken: linked }),
    lineItems: lines.map(({ orderId, productId, phase = 'basePrice', cents, ...line }) => ({
      ...{ productId, latestSuccessfulOrderId: orderId, expiryTime: iso(line.until ?? line.to) },
      offerDetails: { basePlanId: line.basePlanId ?? 'monthly' },
      offerPhase: { [phase]: {} },
      autoRenewingPlan: { autoRenewEnabled: true, recurringPrice: euros(line.listed ?? cents) },
    })),
  });
}

const plan = (more: Partial<Line> = {}): Line => ({
  ...{ orderId: newOrder(), productId: 'pro', cents: 999 },
  ...{ from: clock.now, to: clock.now + 30 * DAY_MS },
  ...more,
});

const putPlans = () => {
  const of = (period: string) => ({ autoRenewingBasePlanType: { billingPeriodDuration: period } });
  const basePlans = [
    { basePlanId: 'monthly', ...of('P1M') },
    { basePlanId: 'yearly', ...of('P1Y') },
  ];
  for (const productId of ['pro', 'max']) play.putCatalogue({ productId, basePlans });
};

/** A subscription of ten days is changed to another plan. */
async function change(to: Partial<Line>): Promise<PlayApp> {
  putPlans();
  const app = await connected();
  const [old, next] = [newToken(), newToken()];
  const first = plan();
  putOrder([first]);
  sell({ token: old, lines: [first] });
  await verify(app, old);
  clock.now += 10 * DAY_MS;
  const second = plan({ productId: 'max', phase: 'prorationPeriod', ...to });
  putOrder([second]);
  sell({ token: old, lines: [{ ...first, until: clock.now }], state: 'EXPIRED' });
  sell({ token: next, lines: [second], linked: old });
  await verify(app, next);
  await askNow(app);
  clock.now += 2 * DAY_MS;
  expect(await entitlement(app)).toMatchObject({ entitled: true, productId: 'max' });
  return app;
}

const bought = async (app: PlayApp) => {
  const { changes } = await read(app, 'recent');
  return changes.filter(({ kind }: { kind: string }) => kind === 'bought').length;
};

describe('a plan that is changed', () => {
  test('on credit is a switch, for as long as the credit lasts', async () => {
    const yearly = { basePlanId: 'yearly', cents: 0, listed: 5_999 };
    const app = await change({ ...yearly, to: clock.now + 48 * DAY_MS });
    expect(await overview(app)).toMatchObject({
      ...{ active: 1, freeOffers: 0, mrrMinor: 500 },
      subscriptions: { start: 1, new: 0, churned: 0, returned: 0, end: 1, contracted: 1 },
      mrr: { start: 999, churned: 0, contraction: 499, end: 500 },
    });
    expect((await revenue(app)).totals).toMatchObject({ purchases: 1, grossMinor: 999 });
  });

  test('for the difference is worth the whole price', async () => {
    const dear = { cents: 666, listed: 1_999, to: clock.now + 30 * DAY_MS };
    const app = await change(dear);
    expect(await overview(app)).toMatchObject({
      ...{ active: 1, mrrMinor: 1_999 },
      subscriptions: { churned: 0, expanded: 1, contracted: 0 },
      mrr: { expansion: 1_000, contraction: 0, end: 1_999 },
    });
    const { totals, byKind } = await revenue(app);
    expect(totals).toMatchObject({ purchases: 2, grossMinor: 999 + 666 });
    expect(byKind.find(({ kind }: { kind: string }) => kind === 'renewal').purchases).toBe(1);
  });

  test('at its full price lasts longer, and is worth as much as a plain one', async () => {
    const app = await change({ cents: 1_999, to: clock.now + 10 * DAY_MS + 50 * DAY_MS });
    expect(await overview(app)).toMatchObject({ active: 1, mrrMinor: 1_999 });
  });
});

const nth = (first: string, number: number) => (number === 0 ? first : `${first}..${number - 1}`);

/** Of five orders, the newest of ten days ago. */
function fiveOrders() {
  const orderId = newOrder();
  const since = clock.now - 130 * DAY_MS;
  const lines = Array.from({ length: 5 }, (_, number) =>
    plan({
      orderId: nth(orderId, number),
      from: since + number * 30 * DAY_MS,
      to: since + (number + 1) * 30 * DAY_MS,
    }),
  );
  return { since, lines, token: newToken() };
}

describe('who subscribed before the app was connected', () => {
  test('is not new: the earlier orders are read, all at once', async () => {
    const app = await connected();
    const { since, lines, token } = fiveOrders();
    for (const line of lines) putOrder([line]);
    sell({ token, lines: [lines[4]!], since });
    await verify(app, token);
    expect(play.requests.filter((one) => one.includes('orders:batchGet'))).toHaveLength(1);
    const got = await overview(app);
    expect(got).toMatchObject({
      subscriptions: { start: 1, new: 0, end: 1 },
      ...{ mrrMinor: 999, historyPending: 0 },
    });
    const { totals, byKind } = await revenue(app);
    expect(totals).toMatchObject({ purchases: 5, grossMinor: 5 * 999 });
    expect(byKind.map(({ purchases }: { purchases: number }) => purchases)).toEqual([1, 0, 4, 0]);
    const { cohorts } = await read(app, 'cohorts?by=first_purchase&currency=EUR&timezone=UTC');
    expect(cohorts.at(-1).people).toBe(0);
  });

  test('nor where orders cannot be read: it began when Google says', async () => {
    const app = await connected();
    const { since, lines, token } = fiveOrders();
    for (const line of [lines[2]!, lines[4]!]) putOrder([line]);
    sell({ token, lines: [lines[4]!], since });
    await verify(app, token);
    expect(await overview(app)).toMatchObject({
      subscriptions: { start: 1, new: 0, returned: 0, churned: 0, end: 1 },
      ...{ mrrMinor: 999, historyPending: 0 },
    });
    expect(await revenue(app)).toMatchObject({
      totals: { purchases: 5, grossMinor: 2 * 999 },
      withoutPrice: 3,
    });
    expect((await overview(app, 140)).subscriptions).toMatchObject({ new: 1, churned: 0 });
  });

  test('and its history is pending until it is read', async () => {
    const app = await connected();
    const { since, lines, token } = fiveOrders();
    for (const line of lines) putOrder([line]);
    sell({ token, lines: [lines[4]!], since });
    play.setOrders(false);
    await verify(app, token);
    expect(await overview(app)).toMatchObject({
      subscriptions: { start: 1, new: 0 },
      historyPending: 1,
    });
    play.setOrders(true);
    clock.now += 7 * HOUR_MS;
    await askNow(app);
    expect((await overview(app)).historyPending).toBe(0);
    expect((await revenue(app)).totals).toMatchObject({ purchases: 5, grossMinor: 5 * 999 });
  });

  test('nor pending, where it is bought today', async () => {
    const app = await connected();
    const line = plan();
    const token = newToken();
    putOrder([line]);
    sell({ token, lines: [line] });
    await verify(app, token);
    clock.now += HOUR_MS;
    expect(await overview(app)).toMatchObject({ subscriptions: { new: 1 }, historyPending: 0 });
  });
});

test('a plan and its add-on of one order are new together, and worth both', async () => {
  const app = await connected();
  const base = plan();
  const addOn = { ...base, productId: 'extra', cents: 199 };
  const token = newToken();
  putOrder([base, addOn]);
  sell({ token, lines: [addOn, base] });
  await verify(app, token);
  clock.now += HOUR_MS;
  const { byKind } = await revenue(app);
  expect(byKind.map(({ grossMinor }: { grossMinor: number }) => grossMinor)).toEqual([
    ...[1_198, 0, 0, 0],
  ]);
  expect(await overview(app)).toMatchObject({ active: 1, mrrMinor: 1_198 });
  const { groups } = await read(app, 'cohorts?by=first_purchase&interval=day&breakdown=product');
  expect(groups.map(({ value }: { value: string | null }) => value)).toEqual(['pro']);
});

test('an add-on renews beside its plan, and is no change of it', async () => {
  const app = await connected();
  const events = ['started', 'renewed', 'product_changed', 'canceled'];
  await service.call('/v1/webhooks', {
    headers: app.org.key,
    body: {
      url: 'https://example.com/hooks',
      events: events.map((one) => `subscription.${one}.v1`),
    },
  });
  const base = plan();
  const token = newToken();
  const put = (more: Partial<Line>, state?: string) => {
    const lines = ['extra', 'pro'].map((productId) => ({
      ...{ ...base, ...more, productId, cents: productId === 'pro' ? 999 : 199 },
    }));
    putOrder(lines);
    sell({ token, lines, since: base.from, ...(state !== undefined && { state }) });
  };
  put({});
  await verify(app, token);
  clock.now += 30 * DAY_MS + HOUR_MS;
  put({ orderId: `${base.orderId}..0`, from: base.to, to: base.to + 30 * DAY_MS });
  await verify(app, token);
  expect(await entitlement(app)).toMatchObject({ productId: 'pro' });
  expect((await read(app, 'customers')).customers).toMatchObject([{ productId: 'pro' }]);
  const rows = await service.deps.sql<{ body: string }[]>`
    SELECT body FROM webhook_deliveries WHERE org_id = ${app.org.orgId}`;
  const announced = rows.map(({ body }) => JSON.parse(body));
  expect(announced.map(({ type, data }) => `${type} ${data.productId}`).toSorted()).toEqual([
    ...['subscription.renewed.v1 extra', 'subscription.renewed.v1 pro'],
    ...['subscription.started.v1 extra', 'subscription.started.v1 pro'],
  ]);
  const { history, purchases } = await read(app, 'customer?customerId=ada');
  expect(purchases[0].transactions.map((one: { reason: string }) => one.reason)).toEqual([
    ...['RENEWAL', 'RENEWAL', 'PURCHASE', 'PURCHASE'],
  ]);
  expect(history.map(({ kind }: { kind: string }) => kind)).toEqual([
    ...['renewed', 'renewed', 'bought', 'bought'],
  ]);
  const [held] = await service.deps.sql.unsafe(RECORDS.subscriptions, [app.org.orgId]);
  expect(held).toMatchObject({ product_id: 'pro', period_started_at: iso(base.to) });
});

test('an add-on that is bought within a trial converts nothing', async () => {
  const app = await connected();
  const [old, next] = [newToken(), newToken()];
  const week = { to: clock.now + 7 * DAY_MS };
  const trial = plan({ ...week, cents: 0, listed: 999, phase: 'freeTrial' });
  putOrder([trial]);
  sell({ token: old, lines: [trial] });
  await verify(app, old);
  clock.now += DAY_MS;
  const addOn = plan({ ...week, productId: 'extra', cents: 199 });
  putOrder([addOn]);
  sell({ token: next, lines: [addOn, trial], linked: old, since: trial.from });
  await verify(app, next);
  const [held] = await service.deps.sql.unsafe(RECORDS.subscriptions, [app.org.orgId]);
  expect(held).toMatchObject({
    ...{ product_id: 'pro', is_trial: true },
    ...{ trial_started_at: iso(trial.from), trial_converted_at: null },
  });
});

test('a top-up is cash on the day that it is paid, and no period yet', async () => {
  const app = await connected();
  const [old, next] = [newToken(), newToken()];
  const first = plan();
  putOrder([first]);
  sell({ token: old, lines: [first] });
  await verify(app, old);
  clock.now += 20 * DAY_MS;
  const second = plan({ from: first.to, to: first.to + 30 * DAY_MS });
  putOrder([second], clock.now);
  sell({ token: next, lines: [second], linked: old });
  await verify(app, next);
  clock.now += HOUR_MS;
  expect((await revenue(app)).totals).toMatchObject({ purchases: 2, grossMinor: 1_998 });
  expect(await overview(app)).toMatchObject({ active: 1, subscriptions: { start: 1, new: 0 } });
  const [held] = await service.deps.sql.unsafe(RECORDS.subscriptions, [app.org.orgId]);
  expect(held).toMatchObject({ period_started_at: iso(first.to), expires_at: iso(second.to) });
  clock.now += 30 * DAY_MS;
  expect((await revenue(app)).totals).toMatchObject({ purchases: 2, grossMinor: 1_998 });
  expect(await overview(app)).toMatchObject({ active: 1, subscriptions: { churned: 0 } });
});

test('a subscription that is first seen in grace is in grace', async () => {
  const app = await connected();
  const line = plan({ from: clock.now - 32 * DAY_MS, to: clock.now - 2 * DAY_MS });
  const token = newToken();
  putOrder([line]);
  sell({ token, lines: [{ ...line, until: clock.now + 5 * DAY_MS }], state: 'IN_GRACE_PERIOD' });
  const { body } = await verify(app, token);
  expect(body).toMatchObject({ status: 'billing_grace', expiresAt: iso(line.to) });
  clock.now += HOUR_MS;
  expect(await overview(app)).toMatchObject({ active: 1, grace: 1, mrrMinor: 999 });
});

describe('money that is given back without the purchase', () => {
  const begin = async () => {
    const app = await connected();
    const line = plan();
    const token = newToken();
    putOrder([line]);
    sell({ token, lines: [line] });
    await verify(app, token);
    clock.now += 3 * DAY_MS;
    return { app, line, token };
  };

  test('leaves revenue on its day and ends nothing, within a week', async () => {
    const { app, line } = await begin();
    const refundEvent = { eventTime: iso(clock.now), refundReason: 'OTHER' };
    const refunded = { state: 'REFUNDED', orderHistory: { refundEvent } };
    putOrder([line], line.from, refunded);
    clock.now += 5 * DAY_MS;
    await askNow(app);
    const { totals } = await revenue(app);
    expect(totals).toMatchObject({
      ...{ purchases: 1, netMinor: 0 },
      refunds: { byRefundDay: { count: 1, amountMinor: 999 } },
    });
    expect(await overview(app)).toMatchObject({ active: 1, mrrMinor: 999 });
    expect(await entitlement(app)).toMatchObject({ entitled: true, status: 'active' });
    const refundedAt = refundEvent.eventTime;
    const { changes } = await read(app, `recent?since=${iso(clock.now - 9 * DAY_MS)}`);
    expect(changes[0]).toMatchObject({ kind: 'refunded', at: refundedAt, amountMinor: 999 });
    const { purchases, history } = await read(app, 'customer?customerId=ada');
    expect(purchases[0].transactions).toMatchObject([{ revokedAt: null, refundedAt }]);
    expect(history[0]).toMatchObject({ kind: 'refunded', at: refundedAt });
    const [sold] = await service.deps.sql.unsafe(RECORDS.purchases, [app.org.orgId]);
    expect(sold).toMatchObject({ revoked_at: null, refunded_at: refundedAt });
  });

  test('in part leaves the rest, and all of it, once it is voided, at once', async () => {
    const { app, line, token } = await begin();
    const part = { refundDetails: { total: euros(300) }, processTime: iso(clock.now) };
    const partialRefundEvents = [{ ...part, state: 'PROCESSED_SUCCESSFULLY' }];
    putOrder([line], line.from, {
      ...{ state: 'PARTIALLY_REFUNDED', orderHistory: { partialRefundEvents } },
    });
    clock.now += 5 * DAY_MS;
    await askNow(app);
    expect((await revenue(app)).totals.netMinor).toBe(699);
    expect(await overview(app)).toMatchObject({ active: 1, mrrMinor: 999 });

    const eventTime = iso(clock.now);
    putOrder([line], line.from, {
      ...{ state: 'REFUNDED', orderHistory: { partialRefundEvents, refundEvent: { eventTime } } },
    });
    const { orderId } = line;
    play.addVoided({ purchaseToken: token, orderId, voidedTimeMillis: String(clock.now) });
    clock.now += 2 * HOUR_MS;
    await askNow(app);
    await askNow(app);
    expect((await revenue(app)).totals).toMatchObject({
      ...{ netMinor: 0, refunds: { byRefundDay: { count: 1, amountMinor: 999 } } },
    });
    expect(await entitlement(app)).toMatchObject({ entitled: false, status: 'revoked' });
  });
});

test('a first order is a new subscriber, its renewal and another plan are none', async () => {
  putPlans();
  const app = await connected();
  const [old, next] = [newToken(), newToken()];
  const first = plan({ from: clock.now - HOUR_MS, to: clock.now + HOUR_MS });
  putOrder([first]);
  sell({ token: old, lines: [first] });
  await verify(app, old);
  expect(await bought(app)).toBe(1);
  clock.now += 2 * HOUR_MS;
  const renewal = {
    ...first,
    orderId: `${first.orderId}..0`,
    from: first.to,
    to: clock.now + DAY_MS,
  };
  putOrder([renewal]);
  sell({ token: old, lines: [renewal], since: first.from });
  await askNow(app);
  expect(await bought(app)).toBe(1);
  clock.now += HOUR_MS;
  const other = plan({ productId: 'max' });
  putOrder([other]);
  sell({ token: old, lines: [{ ...renewal, until: clock.now }], state: 'EXPIRED' });
  sell({ token: next, lines: [other], linked: old });
  await verify(app, next);
  await askNow(app);
  expect(await bought(app)).toBe(1);
});
