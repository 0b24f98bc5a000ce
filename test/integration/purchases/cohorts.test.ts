import { describe, expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';
import { startTestQueries } from '../../support/queries.ts';

const DAY = 86_400_000;
const service = await startPurchaseService(await testDatabase());
const { clock, store, deps, call } = service;
await startTestQueries(deps);
const TODAY = Math.floor(clock.now / DAY) * DAY;
const iso = (ms: number) => new Date(ms).toISOString();
const day = (ago: number) => iso(TODAY - ago * DAY).slice(0, 10);
const noon = (ago: number) => TODAY - ago * DAY + DAY / 2;

const cohorts = (app: PurchaseApp, query = '', headers = {}) =>
  call(`/v1/apps/${app.appId}/purchases/cohorts?interval=day&timezone=UTC&days=6${query}`, {
    headers: { ...app.org.key, ...headers },
  });

async function see(app: PurchaseApp, people: readonly string[], ago: number, platform: string) {
  const events = people.map((anonymousId) => ({
    ...{ name: 'opened', ts: iso(noon(ago)), anonymousId },
  }));
  for (let n = 0; n < events.length; n += 100) {
    const body = { events: events.slice(n, n + 100), context: { platform } };
    const answer = await call('/v1/events', { body, headers: app.device });
    expect(answer.text.includes('error') ? answer.text : answer.status).toBe(202);
  }
}

async function pay(
  app: PurchaseApp,
  anonymousId: string | null,
  ago: number,
  price: number,
  offering?: string,
) {
  const bought = buy(app, noon(ago) - DAY / 4, { periodMs: 30 * DAY });
  Object.assign(bought.newest, { price, currency: 'USD', productId: `pro.${price}` });
  if (anonymousId === null) {
    await service.deliver(bought, bought.told[0]!, app);
    return;
  }
  const answer = await call('/v1/purchases/verify', {
    headers: app.device,
    body: { signedTransaction: store.sign(bought.newest), anonymousId, offering },
  });
  expect(answer.status).toBe(200);
}

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name}-${String(n).padStart(4, '0')}`);

describe('what people are worth by when they came', () => {
  test('joins events and purchases of each person, and says where the rest of the money is', async () => {
    const app = await service.app();
    const [ios, web] = [numbered('ios', 60), numbered('web', 10)];
    await see(app, ios, 3, 'ios');
    await see(app, web, 3, 'web');
    await see(app, numbered('late', 5), 2, 'web');
    for (const [n, person] of ios.slice(0, 20).entries()) {
      await pay(app, person, 3, 9_990, n < 12 ? 'standard' : n < 18 ? 'monthly_first' : undefined);
    }
    await pay(app, ios[20]!, 2, 4_990);
    // Seen long before, by a purchase that events know nothing of.
    await pay(app, web[0]!, 20, 9_990);
    await pay(app, web[0]!, 2, 9_990);
    await pay(app, 'only-bought', 2, 4_990);
    await pay(app, null, 2, 4_990);

    const { status, body } = await cohorts(app);
    expect(status).toBe(200);
    expect(body.cohorts.map(({ from, people }: any) => [from, people])).toEqual([
      [day(5), 0],
      [day(4), 0],
      [day(3), 69],
      [day(2), 6],
      [day(1), 0],
      [day(0), 0],
    ]);
    const [own, next, yesterday, today] = body.cohorts[2].periods;
    expect(own).toMatchObject({ payers: 20, netMinor: 19_980, perPersonMinor: 19_980 / 69 });
    expect(own.perPersonLow).toBeLessThan(19_980 / 69);
    expect(own.perPersonHigh).toBeGreaterThan(19_980 / 69);
    expect(own).toMatchObject({ perPayerMinor: null, subscriptions: { begun: 20, active: 20 } });
    expect(next).toMatchObject({ payers: 21, netMinor: 20_479 });
    expect(yesterday).toMatchObject({ payers: 21, netMinor: 20_479 });
    expect(today).toBeNull();
    // Five people who were seen, and one who only bought: counts alone.
    expect(body.cohorts[3]).toMatchObject({ people: 6, netMinor: null });
    expect(body.cohorts[3].periods[0]).toMatchObject({
      ...{ netMinor: null, perPersonMinor: null, payingShare: null, payers: 1 },
    });
    expect(body.money).toMatchObject({
      totalMinor: 20_479 + 999 + 499 + 999,
      cohortsMinor: 20_479 + 499,
      earlierMinor: 999,
      nobody: { purchases: 1, netMinor: 999, purchasesShare: 1 / 24 },
    });
    const revenue = await call(
      `/v1/apps/${app.appId}/purchases/revenue?timezone=UTC&from=${day(5)}&to=${day(0)}`,
      { headers: app.org.key },
    );
    expect(body.money.totalMinor).toBe(revenue.body.totals.netMinor);
    expect(body.pooled).toMatchObject({ people: 75, periods: { length: 6 } });
    expect(body.dataThrough).not.toBeNull();

    const byPlatform = (await cohorts(app, '&breakdown=platform')).body;
    expect(byPlatform.groups.map(({ value, pooled }: any) => [value, pooled.people])).toEqual([
      ['ios', 60],
      ['web', 14],
      [null, 1],
    ]);
    expect(byPlatform.groups[0].cohorts[2].periods[1]).toMatchObject({ netMinor: 20_479 });
    const byProduct = (await cohorts(app, '&breakdown=product&by=first_purchase')).body;
    expect(byProduct.groups.map(({ value, pooled }: any) => [value, pooled.people])).toEqual([
      ['pro.9990', 20],
      ['pro.4990', 2],
    ]);
    expect(byProduct.dataThrough).toBeNull();
    const byOffering = (await cohorts(app, '&breakdown=offering&by=first_purchase')).body;
    expect(byOffering.groups.map(({ value, pooled }: any) => [value, pooled.people])).toEqual([
      ['standard', 12],
      ['monthly_first', 6],
      [null, 4],
    ]);
    // Who was only seen is among all others.
    const seenByOffering = (await cohorts(app, '&breakdown=offering')).body;
    expect(seenByOffering.groups.map(({ value, pooled }: any) => [value, pooled.people])).toEqual([
      ['standard', 12],
      ['monthly_first', 6],
      [null, 57],
    ]);
    const byArm = (await cohorts(app, '&breakdown=arm&experimentId=exp_none')).body;
    expect(byArm.groups.map(({ value }: any) => value)).toEqual(['none', null]);
    const csv = await cohorts(app, '', { accept: 'text/csv' });
    const lines = csv.text.split('\r\n');
    expect(lines[0]).toStartWith('value,from,to,people,currency,period,netMinor');
    expect(lines).toHaveLength(1 + 5 + 4 + 3 + 2 + 1 + 1);
  });

  test('is refused where a question contradicts itself', async () => {
    const app = await service.app();
    for (const query of [
      ...['&breakdown=arm', '&experimentId=exp_1', '&from=2026-01-01', '&by=birth'],
      '&breakdown=height',
    ]) {
      expect([query, (await cohorts(app, query)).status]).toEqual([query, 400]);
    }
    const many = await call(`/v1/apps/${app.appId}/purchases/cohorts?interval=day&days=90`, {
      headers: app.org.key,
    });
    expect(many.body.error.code).toBe('invalid_input');
  });
});
