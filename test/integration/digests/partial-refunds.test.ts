import { expect, test } from 'bun:test';
import { selectRecentChanges } from '../../../src/modules/purchases/index.ts';
import { testDatabase } from '../../support/postgres.ts';
import { buy, startPurchaseService } from '../../support/purchase-service.ts';

const DAY = 86_400_000;
const service = await startPurchaseService(await testDatabase());
const { call, clock, deps } = service;

/** [share of 100,000 or none, currency, price in milliunits, the line at once, what a digest adds up] */
test.each([
  [40_000, 'USD', 10_000, 'Refund: pro.monthly, 4.00 USD', 4_000],
  [33_333, 'USD', 9_990, 'Refund: pro.monthly, 3.33 USD', 3_329],
  [50_000, 'JPY', 1_000_000, 'Refund: pro.monthly, 500 JPY', 500_000],
  [100_000, 'USD', 10_000, 'Refund: pro.monthly, 10.00 USD', 10_000],
  [undefined, 'USD', 10_000, 'Refund: pro.monthly, 10.00 USD', 10_000],
])(
  'a refund of %p of 100,000 in %s is told with what was given back',
  async (revocationPercentage, currency, price, line, milliunits) => {
    const app = await service.app();
    const { status } = await call('/v1/digests/messages', {
      method: 'PUT',
      headers: app.org.key,
      body: {
        ...{ alerts: false, subscribers: false, refunds: true, billingProblems: false },
        quietHours: null,
      },
    });
    expect(status).toBe(200);
    const subscription = buy(app, clock.now - DAY, { terms: { currency, price } });
    subscription.now = clock.now - DAY / 2;
    if (revocationPercentage !== undefined) {
      subscription.newest.revocationPercentage = revocationPercentage;
    }
    subscription.act('refund');
    for (const told of subscription.told) await service.deliver(subscription, told, app);

    const messages = await deps.sql<{ text: string }[]>`
      SELECT text FROM messages WHERE org_id = ${app.org.orgId}`;
    expect(messages.map(({ text }) => text)).toEqual([line]);
    const between = { from: new Date(clock.now - 2 * DAY), to: new Date(clock.now), limit: 9 };
    const scope = { orgId: app.org.orgId, appId: app.appId };
    const { news } = await selectRecentChanges(deps.sql, scope, between);
    expect(news.filter(({ kind }) => kind === 'refund')).toMatchObject([
      { productId: 'pro.monthly', currency, priceMilliunits: milliunits },
    ]);
  },
);
