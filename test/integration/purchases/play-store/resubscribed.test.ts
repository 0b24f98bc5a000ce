import { describe, expect, test } from 'bun:test';
import { openPlayKey } from '../../../../src/modules/purchases/play-store/connection.ts';
import { must } from '../../../../src/shared/assert.ts';
import { DAY_MS } from '../../../../src/shared/time.ts';
import {
  newToken,
  ofToken,
  type PlayApp,
  startPlayService,
} from '../../../support/play-service.ts';
import { testDatabase } from '../../../support/postgres.ts';

const service = await startPlayService(await testDatabase());
const { askNow, clock, connected, entitlement, play, push, sell, verify } = service;

/** In the store, after the end, without the app. */
const outOfApp = (expiredPurchaseToken: string, accountId?: string) => ({
  outOfAppPurchaseContext: {
    expiredPurchaseToken,
    ...(accountId !== undefined && {
      expiredExternalAccountIdentifiers: { obfuscatedExternalAccountId: accountId },
    }),
  },
});

const readPlay = async (app: PlayApp, purchaseToken: string) => {
  const { deps } = service;
  const opened = await openPlayKey({ deps, orgId: app.org.orgId }, app.appId);
  const { key, packageName } = must(opened, 'it is connected');
  return deps.playStore.subscription(key, { packageName, purchaseToken });
};

describe('a subscription that is bought again in the store', () => {
  test('is of the person who had the one before', async () => {
    const app = await connected();
    const [before, again] = [newToken(), newToken()];
    sell({ token: before });
    const first = await verify(app, before);
    clock.now += 40 * DAY_MS;
    const ended = { startTime: new Date(clock.now - 40 * DAY_MS).toISOString() };
    sell({ token: before, state: 'EXPIRED' }, ended);
    await askNow(app);
    expect((await entitlement(app)).entitled).toBe(false);
    clock.now += DAY_MS;
    sell({ token: again }, outOfApp(before));
    await push(app, ofToken(again, 4));
    await askNow(app);
    expect(play.acknowledgements).toContain(again);
    const now = await entitlement(app);
    expect(now).toMatchObject({ entitled: true, status: 'active' });
    expect(now.originalTransactionId).toBe(first.body.originalTransactionId);
    // What Google says of it stays so when it has forgotten, and when the old one is told of again.
    sell({ token: again, orderId: 'GPA.again' });
    clock.now += 1;
    await push(app, ofToken(again));
    await push(app, ofToken(before, 13));
    await askNow(app);
    clock.now += 1;
    await push(app, ofToken(before, 13));
    await askNow(app);
    expect(await entitlement(app)).toMatchObject({ entitled: true, status: 'active' });
  });

  test('is of the account before, which Google is told with the acknowledgement', async () => {
    const app = await connected();
    const account = crypto.randomUUID();
    const [before, again] = [newToken(), newToken()];
    sell({ token: again }, outOfApp(before, account));
    await push(app, ofToken(again, 4));
    await askNow(app);
    expect((await entitlement(app, `appAccountToken=${account}`)).entitled).toBe(true);
    await push(app, ofToken(again, 2));
    clock.now += 1;
    await askNow(app);
    expect((await entitlement(app, `appAccountToken=${account}`)).entitled).toBe(true);
    const kept = await readPlay(app, again);
    expect(kept).toMatchObject({ accountId: account, isAcknowledged: true });
    expect(kept.isResubscription).toBeUndefined();
    expect(play.violations).toEqual([]);
  });
});

test('a customer is found by the order that waits for its money', async () => {
  const app = await connected();
  for (const [state, context] of [
    ['ON_HOLD', 'onHoldStateContext'],
    ['IN_GRACE_PERIOD', 'inGracePeriodStateContext'],
  ] as const) {
    const token = newToken();
    const pendingOrderId = `GPA.${context}..1`;
    sell({ token, state }, { [context]: { renewalDeclined: { pendingOrderId } } });
    const { body } = await verify(app, token, `user-${state}`);
    const path = `/v1/apps/${app.appId}/purchases/customers?search=${pendingOrderId}`;
    const search = async () => (await service.call(path, { headers: app.org.key })).body.customers;
    expect(JSON.stringify(await search())).toContain(body.originalTransactionId);
    sell({ token });
    await push(app, ofToken(token, 1));
    clock.now += 1;
    await askNow(app);
    expect(await search()).toEqual([]);
  }
});
