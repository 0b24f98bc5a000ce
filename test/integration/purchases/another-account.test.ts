import { expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { buy, startPurchaseService } from '../../support/purchase-service.ts';

const DAY = 86_400_000;
const service = await startPurchaseService(await testDatabase());
const { clock, store } = service;

async function resubscribed(first: string, second: string) {
  const app = await service.app();
  const verify = (jws: string, userId: string) =>
    service.call('/v1/purchases/verify', {
      headers: app.device,
      body: { signedTransaction: jws, userId },
    });
  const isEntitled = async (query: Record<string, string>) => {
    const path = `/v1/purchases/entitlement?${new URLSearchParams(query)}`;
    return (await service.call(path, { headers: app.device })).body.entitled;
  };
  const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
  const [userOne, userTwo] = [first || one, second || two];
  const subscription = buy(app, clock.now - 70 * DAY, { appAccountToken: one });
  await service.deliver(subscription, subscription.told[0]!, app);
  expect((await verify(store.sign(subscription.newest), userOne)).status).toBe(200);
  subscription.cancel();
  subscription.expire();
  subscription.now = clock.now - DAY;
  subscription.terms = { appAccountToken: two };
  subscription.resubscribe();
  await service.deliver(subscription, subscription.told.at(-1)!, app);
  const answer = await verify(store.sign(subscription.newest), userTwo);
  return {
    status: answer.status,
    first: await isEntitled({ userId: userOne }),
    second: await isEntitled({ userId: userTwo }),
    byToken: await isEntitled({ appAccountToken: two }),
  };
}

const RIGHT = { status: 200, first: false, second: true, byToken: true };

test('an account that subscribes again has what was signed for it (user ids are the tokens)', async () => {
  expect(await resubscribed('', '')).toEqual(RIGHT);
});

test('an account that subscribes again has what was signed for it (other user ids)', async () => {
  expect(await resubscribed('alice', 'bob')).toEqual(RIGHT);
});
