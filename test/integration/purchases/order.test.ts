import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { readRecords } from '../../../src/analyst/queries.ts';
import type { SimulatedSubscription, Told } from '../../simulators/store-server/subscription.ts';
import { testDatabase } from '../../support/postgres.ts';
import { recordTold } from '../../support/purchase-facts.ts';
import { life, live, orderOf } from '../../support/purchase-lives.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';
import { isFullRun } from '../../support/random.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const FIRST = Date.UTC(2026, 0, 1);
const service = await startPurchaseService(await testDatabase());
const { clock, deps } = service;
clock.now = Date.UTC(2026, 9, 20, 12);

const get = async (app: PurchaseApp, path: string) => {
  const { status, body } = await service.call(`/v1/apps/${app.appId}/purchases/${path}`, {
    headers: app.org.key,
  });
  expect(status).toBe(200);
  return body;
};

const ALL_ORDERS = ['123', '132', '213', '231', '312', '321', '1322113'];

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Every answer about these purchases, without the app's own id and the time of asking. */
async function answersOf(app: PurchaseApp, lives: readonly SimulatedSubscription[]) {
  const answers: unknown[] = [];
  for (const [from, to] of [
    [FIRST, FIRST + 60 * DAY],
    [FIRST + 45 * DAY, FIRST + 200 * DAY],
    [clock.now - 100 * DAY, clock.now],
  ] as const) {
    answers.push(await get(app, `overview?from=${day(from)}&to=${day(to)}`));
  }
  const { customers } = await get(app, 'customers');
  answers.push(customers);
  for (const { originalTransactionId } of lives) {
    answers.push(await get(app, `customers/${originalTransactionId}`));
    const query = `entitlement?originalTransactionId=${originalTransactionId}`;
    for (const productId of ['', '&productId=max.monthly']) {
      answers.push(await get(app, query + productId));
    }
  }
  for (const view of ['purchases', 'subscriptions'] as const) {
    for await (const rows of readRecords(deps.sql, view, app.org.orgId)) answers.push(rows);
  }
  return JSON.parse(JSON.stringify(answers).replaceAll(app.appId, 'app'));
}

const tellAll = async (app: PurchaseApp, told: readonly Told[]) => {
  const scope = { orgId: app.org.orgId, appId: app.appId };
  for (const one of told) await recordTold(deps.sql, scope, one, new Date(clock.now));
};

describe('the order of notifications', () => {
  test('changes nothing of who changed their mind and back', async () => {
    for (const trial of [true, false]) {
      for (const order of isFullRun ? ALL_ORDERS : ['132', '1322113']) {
        const app = await service.app();
        const subscription = buy(app, clock.now - DAY, { trial });
        subscription.now = clock.now - 12 * HOUR;
        subscription.act('cancel');
        subscription.now = clock.now - HOUR;
        subscription.act('resume');
        for (const number of order) {
          await service.deliver(subscription, subscription.told[Number(number) - 1]!, app);
        }
        const { trialConversion, willNotRenew } = await get(app, 'overview');
        const { started, pending, abandoned } = trialConversion.cohorts.at(-2);
        expect([order, willNotRenew, started, pending, abandoned]).toEqual(
          trial ? [order, 0, 1, 1, 0] : [order, 0, 0, 0, 0],
        );
        const { purchases } = await get(app, `customers/${subscription.originalTransactionId}`);
        expect(purchases[0].renewals.map((one: { willRenew: boolean }) => one.willRenew)).toEqual([
          true,
          false,
          true,
        ]);
      }
    }
  });

  test('changes nothing of what is said twice in one instant, nor who said it first', async () => {
    const told = (app: PurchaseApp) => {
      const subscription = buy(app, clock.now - DAY);
      const [first] = subscription.told;
      const other: Told = structuredClone(first!);
      other.renewal.autoRenewStatus = 0;
      other.transaction.expiresDate = other.transaction.expiresDate! + DAY;
      other.transaction.price = 4_990;
      other.status = 3;
      return { subscription, told: [first!, other] };
    };
    const app = await service.app();
    const { subscription, told: both } = told(app);
    await tellAll(app, both);
    const reversed = await service.app();
    await tellAll(reversed, [...both.toReversed(), both[0]!]);
    expect(await answersOf(reversed, [subscription])).toEqual(await answersOf(app, [subscription]));
  });

  test('changes no answer of random lives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(life, { minLength: 1, maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        async (given, numbers) => {
          const [app, other] = [await service.app(), await service.app()];
          const lives = given.map((one) => live(one, app.bundleId, FIRST));
          const told = lives.flatMap((one) => one.told);
          await tellAll(
            app,
            told.toSorted((a, b) => a.signedDate - b.signedDate),
          );
          await tellAll(other, orderOf(told, numbers));
          const [inOrder, shuffled] = [await answersOf(app, lives), await answersOf(other, lives)];
          expect(shuffled).toEqual(inOrder);
        },
      ),
      { numRuns: isFullRun ? 1_100 : 5 },
    );
  });
});
