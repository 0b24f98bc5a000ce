import { describe, expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/shared/time.ts';
import { newToken, ofToken, startPlayService } from '../../../support/play-service.ts';
import { testDatabase } from '../../../support/postgres.ts';

const service = await startPlayService(await testDatabase());
const { askNow, clock, connected, entitlement, play, push, questionsAbout, sell, verify } = service;

test('a notification makes us ask, and what Google answers then counts', async () => {
  const app = await connected();
  const token = newToken();
  sell({ token });
  await verify(app, token);
  sell({ token, state: 'ON_HOLD', orderId: 'GPA.held' });
  const told = await push(app, ofToken(token, 5));
  expect([told.status, told.body]).toEqual([200, { received: true }]);
  expect((await entitlement(app)).entitled).toBe(true);
  await askNow(app);
  expect(await entitlement(app)).toMatchObject({ entitled: false, status: 'billing_retry' });
});

test('a purchase that the app has not handed over is kept, acknowledged, and its person’s by account id', async () => {
  const app = await connected();
  const token = newToken();
  const account = crypto.randomUUID();
  sell({ token }, { externalAccountIdentifiers: { obfuscatedExternalAccountId: account } });
  await push(app, ofToken(token, 4));
  await askNow(app);
  expect(play.acknowledgements).toContain(token);
  expect((await entitlement(app, `appAccountToken=${account}`)).entitled).toBe(true);
});

test('a hundred of the same cost one question', async () => {
  const app = await connected();
  const token = newToken();
  sell({ token });
  for (let sent = 0; sent < 100; sent += 1) await push(app, ofToken(token));
  await askNow(app);
  // The acknowledgement asks first.
  expect(questionsAbout(token)).toBe(2);
  await askNow(app);
  expect(questionsAbout(token)).toBe(2);
});

test('one that comes while Google is asked is about more than the answer', async () => {
  const app = await connected();
  const token = newToken();
  sell({ token });
  await verify(app, token);
  await push(app, ofToken(token));
  clock.now += 1;
  const { playStore } = service.deps;
  const { subscription } = playStore;
  playStore.subscription = async (key, purchase) => {
    const answer = await subscription(key, purchase);
    clock.now += 1;
    sell({ token, state: 'EXPIRED' });
    await push(app, ofToken(token, 13));
    playStore.subscription = subscription;
    return answer;
  };
  await askNow(app);
  expect((await entitlement(app)).entitled).toBe(true);
  await askNow(app);
  expect((await entitlement(app)).entitled).toBe(false);
});

describe('a push', () => {
  test('is refused unless Google signed it for this address and account', async () => {
    const app = await connected();
    const token = newToken();
    sell({ token });
    const seconds = Math.floor(clock.now / 1_000);
    const forged = [
      { claims: { aud: 'https://other.example/push' } },
      { claims: { iss: 'https://accounts.example' } },
      { claims: { email: 'somebody@other.iam.gserviceaccount.com' } },
      { claims: { email_verified: false } },
      { claims: { exp: seconds - 600, iat: seconds - 4_200 } },
      { authorization: '' },
      { authorization: 'Bearer a.b.c' },
    ];
    for (const one of forged) {
      const refused = await push(app, ofToken(token), one);
      expect([refused.status, refused.body.error.code]).toEqual([401, 'invalid_signature']);
    }
    await askNow(app);
    expect(questionsAbout(token)).toBe(0);
  });

  test('of another package or of nothing is taken and does nothing', async () => {
    const app = await connected();
    const token = newToken();
    sell({ token });
    const other = await push(app, ofToken(token), { packageName: 'com.example.other' });
    expect([other.status, other.body]).toEqual([200, { received: false }]);
    await askNow(app);
    expect(questionsAbout(token)).toBe(0);
  });

  test('for an app without a connection is not found', async () => {
    const app = await service.app();
    const answer = await service.call(`/v1/purchases/play-store/notifications/${app.appId}`, {
      body: { message: { data: 'e30=' } },
    });
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
  });

  test('of the console’s test is seen at the connection', async () => {
    const app = await connected();
    await push(app, { testNotification: { version: '1.0' } });
    const { body } = await service.call(`/v1/apps/${app.appId}/purchases/play-store`, {
      headers: app.org.key,
    });
    expect(body).toMatchObject({ lastTestAt: new Date(clock.now).toISOString() });
  });
});

describe('a lost notification', () => {
  test('of a renewal is made up for after the end', async () => {
    const app = await connected();
    const token = newToken();
    sell({ token });
    await verify(app, token);
    clock.now += 30 * DAY_MS;
    sell({ token, orderId: 'GPA.x..0' }, { startTime: new Date(clock.now).toISOString() });
    await askNow(app);
    clock.now += 6 * MINUTE_MS;
    await askNow(app);
    // Once more before it is acknowledged.
    expect(questionsAbout(token)).toBe(3);
    expect(await entitlement(app)).toMatchObject({ entitled: true, status: 'active' });
  });

  test('of a recovery from hold is made up for within a day', async () => {
    const app = await connected();
    const token = newToken();
    sell({ token, state: 'ON_HOLD' });
    await verify(app, token);
    sell({ token, orderId: 'GPA.y..0' });
    clock.now += 25 * HOUR_MS;
    await askNow(app);
    expect(await entitlement(app)).toMatchObject({ entitled: true, status: 'active' });
  });
});

describe('trouble at Google', () => {
  test('takes nothing away, and is tried again with longer pauses', async () => {
    const app = await connected();
    const token = newToken();
    sell({ token });
    await verify(app, token);
    await push(app, ofToken(token));
    for (const status of [503, 429, 403]) {
      play.faults.next({ kind: 'status', status }, { match: /subscriptionsv2/ });
      await askNow(app);
      clock.now += HOUR_MS;
    }
    expect((await entitlement(app)).entitled).toBe(true);
    sell({ token, state: 'EXPIRED' });
    await askNow(app);
    expect((await entitlement(app)).entitled).toBe(false);
  });

  test('with the permission is shown at the connection', async () => {
    const app = await connected();
    const token = newToken();
    sell({ token });
    await verify(app, token);
    await push(app, ofToken(token));
    const shown = async () =>
      (await service.call(`/v1/apps/${app.appId}/purchases/play-store`, { headers: app.org.key }))
        .body;
    const refuse = (status: number, times: number) => {
      const error = { code: status, message: 'No.', errors: [{ reason: 'permissionDenied' }] };
      const body = JSON.stringify({ error });
      play.faults.next({ kind: 'status', status, body }, { match: /subscriptionsv2/, times });
    };
    for (const status of [401, 403]) {
      refuse(status, 1);
      await push(app, ofToken(token));
      await askNow(app);
      expect(await shown()).toMatchObject({ status: 'connected', lastError: null });
      clock.now += HOUR_MS;
    }
    // The permission of `voidedpurchases` alone does not make the key sound.
    refuse(403, 2);
    await push(app, ofToken(token));
    await askNow(app);
    const { status, lastError } = await shown();
    expect(status).toBe('invalid');
    expect(lastError).toContain('Users and permissions');
    expect((await entitlement(app)).entitled).toBe(true);
    clock.now += HOUR_MS;
    await push(app, ofToken(token));
    await askNow(app);
    expect(await shown()).toMatchObject({ status: 'connected', lastError: null });
  });
});

describe('a voided purchase', () => {
  const voidOf = (purchaseToken: string, orderId: string) =>
    play.addVoided({ purchaseToken, orderId, voidedTimeMillis: String(clock.now) });
  const refunded = { voidedPurchaseNotification: { purchaseToken: 'x', orderId: 'y' } };

  test('ends it, although Google still answers that it is active', async () => {
    const app = await connected();
    const token = newToken();
    sell({ token, orderId: 'GPA.void' });
    await verify(app, token);
    clock.now += HOUR_MS;
    voidOf(token, 'GPA.void');
    await push(app, refunded);
    await askNow(app);
    expect(await entitlement(app)).toMatchObject({ entitled: false, status: 'revoked' });
    await push(app, ofToken(token));
    clock.now += 1;
    await askNow(app);
    expect(await entitlement(app)).toMatchObject({ entitled: false, status: 'revoked' });
  });

  test('is found every hour without a notification, on every page', async () => {
    const app = await connected();
    await askNow(app);
    const tokens = Array.from({ length: 5 }, newToken);
    for (const [at, token] of tokens.entries()) {
      sell({ token, orderId: `GPA.page-${at}` });
      await verify(app, token);
    }
    clock.now += HOUR_MS;
    for (const [at, token] of tokens.entries()) voidOf(token, `GPA.page-${at}`);
    play.setVoidsPerPage(2);
    await askNow(app);
    play.setVoidsPerPage(1_000);
    expect((await entitlement(app)).entitled).toBe(false);
  });

  test('of an earlier order ends nothing', async () => {
    const app = await connected();
    const token = newToken();
    sell({ token, orderId: 'GPA.old' });
    await verify(app, token);
    clock.now += 30 * DAY_MS;
    sell(
      { token, orderId: 'GPA.old..0' },
      { startTime: new Date(clock.now - 30 * DAY_MS).toISOString() },
    );
    await push(app, ofToken(token));
    await askNow(app);
    voidOf(token, 'GPA.old');
    clock.now += HOUR_MS;
    await askNow(app);
    expect(await entitlement(app)).toMatchObject({ entitled: true, status: 'active' });
  });

  test('of a token that nobody has handed over is known once it has been asked about', async () => {
    const app = await connected();
    const token = newToken();
    const account = crypto.randomUUID();
    const ids = { externalAccountIdentifiers: { obfuscatedExternalAccountId: account } };
    sell({ token, orderId: 'GPA.unknown' }, ids);
    voidOf(token, 'GPA.unknown');
    clock.now += HOUR_MS;
    await askNow(app);
    clock.now += HOUR_MS;
    await askNow(app);
    const answer = await entitlement(app, `appAccountToken=${account}`);
    expect(answer).toMatchObject({ entitled: false, status: 'revoked' });
  });

  test('waits for Google, and is read then', async () => {
    const app = await connected();
    const token = newToken();
    sell({ token, orderId: 'GPA.later' });
    await verify(app, token);
    voidOf(token, 'GPA.later');
    clock.now += HOUR_MS;
    play.faults.next({ kind: 'status', status: 503 }, { match: /voidedpurchases/ });
    await askNow(app);
    expect((await entitlement(app)).entitled).toBe(true);
    clock.now += HOUR_MS;
    await askNow(app);
    expect((await entitlement(app)).entitled).toBe(false);
  });
});
