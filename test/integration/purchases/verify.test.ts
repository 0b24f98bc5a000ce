import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { transactionPayload } from '../../simulators/store-server/payloads.ts';
import { base64url, createPki, signJws } from '../../simulators/store-server/pki.ts';
import { testDatabase } from '../../support/postgres.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';

const DAY = 86_400_000;
const service = await startPurchaseService(await testDatabase());
const { store, clock } = service;

const verify = (app: PurchaseApp, signedTransaction: string, who: Record<string, string> = {}) =>
  service.call('/v1/purchases/verify', {
    headers: app.device,
    body: { signedTransaction, ...who },
  });

const entitlement = (app: PurchaseApp, query: Record<string, string>) =>
  service.call(`/v1/purchases/entitlement?${new URLSearchParams(query)}`, { headers: app.device });

const settings = (app: PurchaseApp, body: unknown) =>
  service.call(`/v1/apps/${app.appId}/purchases/settings`, {
    method: 'PATCH',
    headers: app.org.key,
    body,
  });

async function mapPerson(app: PurchaseApp, anonymousId: string, userId: string) {
  await service.deps.sql`
    INSERT INTO event_people (app_id, anonymous_id, user_id, org_id, mapped_at, catalogued_seq)
    VALUES (${app.appId}, ${anonymousId}, ${userId}, ${app.org.orgId}, now(), 1)`;
}

const purchase = (app: PurchaseApp, options = {}) => {
  const subscription = buy(app, clock.now - DAY, options);
  return { subscription, jws: store.sign(subscription.newest) };
};

describe('a purchase', () => {
  test('entitles who made it', async () => {
    const app = await service.app();
    const { subscription, jws } = purchase(app);
    const answer = await verify(app, jws, { userId: 'u1' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      entitled: true,
      status: 'active',
      productId: 'pro.monthly',
      expiresAt: new Date(subscription.newest.expiresDate!).toISOString(),
      graceExpiresAt: null,
      willRenew: false,
      ownership: 'purchased',
      originalTransactionId: subscription.originalTransactionId,
      environment: 'Production',
      checkedAt: new Date(clock.now).toISOString(),
    });
    expect((await entitlement(app, { userId: 'u1' })).body).toEqual(answer.body);
    expect((await entitlement(app, { userId: 'u2' })).body.status).toBe('none');
    const { originalTransactionId } = subscription;
    expect((await entitlement(app, { originalTransactionId })).body).toEqual(answer.body);
  });

  test('without any id of a person answers for itself', async () => {
    const app = await service.app();
    expect((await verify(app, purchase(app).jws)).body).toMatchObject({ status: 'active' });
  });

  test('is asked about at the store when a key is connected', async () => {
    const app = await service.app();
    await service.connect(app);
    const { subscription, jws } = purchase(app);
    const { transaction, renewal, status } = subscription.answer();
    store.setChain('Production', [{ groupId: '1', status, transaction, renewal }]);
    const answer = await verify(app, jws, { userId: 'u1' });
    expect(answer.body).toMatchObject({ status: 'active', willRenew: true });
  });

  test('stands although the store is away', async () => {
    const app = await service.app();
    await service.connect(app);
    store.production.faults.next({ kind: 'status', status: 503 }, { times: 9 });
    expect((await verify(app, purchase(app).jws, { userId: 'u1' })).body.entitled).toBe(true);
    store.production.faults.clear();
  });

  test('for ever needs no renewal', async () => {
    const app = await service.app();
    await service.connect(app);
    const bought = transactionPayload({
      bundleId: app.bundleId,
      productId: 'pro.lifetime',
      type: 'Non-Consumable',
    });
    const jws = store.addTransaction(bought);
    expect((await verify(app, jws, { userId: 'u1' })).body).toMatchObject({
      status: 'active',
      expiresAt: null,
      willRenew: false,
    });
  });

  test('in another app of ours does not count', async () => {
    const [one, two] = [await service.app(), await service.app()];
    const answer = await verify(two, purchase(one).jws);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('transaction_not_for_app');
  });

  test('in an app without a store app is told so', async () => {
    const app = await service.app();
    await service.deps.sql`UPDATE apps SET bundle_id = NULL WHERE app_id = ${app.appId}`;
    const answer = await verify(app, purchase(app).jws);
    expect(answer.body.error).toMatchObject({ code: 'transaction_not_for_app' });
    expect(answer.body.error.hint).toContain('link');
  });
});

describe('a transaction that cannot be trusted', () => {
  test('is 400, whichever way it is wrong', async () => {
    const app = await service.app();
    const payload = transactionPayload({ bundleId: app.bundleId });
    const other = await createPki();
    const whole = store.sign(payload);
    const wrong = [
      signJws(other, payload),
      signJws(await store.pki.renewed({ leafMarker: '1.2.3.4' }), payload),
      signJws(store.pki, payload, { encoding: 'der' }),
      signJws(store.pki, payload, { header: { x5c: store.pki.x5c.slice(0, 2) } }),
      `${base64url({ alg: 'none' })}.${base64url(payload)}.`,
      whole.slice(0, -20),
      store.sign({ ...payload, environment: 'Xcode' }),
      'not a token',
    ];
    for (const jws of wrong) {
      const answer = await verify(app, jws);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_transaction']);
    }
  });

  test('a body of another shape is 400 and names the field', async () => {
    const app = await service.app();
    const bodies = [{}, { signedTransaction: 5 }, { signedTransaction: '' }, [], 'text', null];
    for (const body of bodies) {
      const answer = await service.call('/v1/purchases/verify', { headers: app.device, body });
      expect(answer.status).toBe(400);
    }
    const short = await verify(app, 'a.b.c', { anonymousId: 'short' });
    expect(short.body.error.hint).toStartWith('anonymousId: ');
  });

  test('random bytes are never a 5xx', async () => {
    const app = await service.app();
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(text, async (signedTransaction) => {
        expect((await verify(app, signedTransaction)).status).toBe(400);
      }),
      { numRuns: 200 },
    );
  });
});

describe('who owns a purchase', () => {
  test('bought anonymously, then signed up: it is theirs under both ids', async () => {
    const app = await service.app();
    await verify(app, purchase(app).jws, { anonymousId: 'anonymous-1' });
    expect((await entitlement(app, { userId: 'u1' })).body.entitled).toBe(false);
    await mapPerson(app, 'anonymous-1', 'u1');
    expect((await entitlement(app, { userId: 'u1' })).body.entitled).toBe(true);
    expect((await entitlement(app, { anonymousId: 'anonymous-1' })).body.entitled).toBe(true);
    await mapPerson(app, 'anonymous-2', 'u1');
    expect((await entitlement(app, { anonymousId: 'anonymous-2' })).body.entitled).toBe(true);
  });

  test('on a shared device the next user does not get it', async () => {
    const app = await service.app();
    await verify(app, purchase(app).jws, { anonymousId: 'device-0001', userId: 'u1' });
    const next = await entitlement(app, { anonymousId: 'device-0001', userId: 'u2' });
    expect(next.body.status).toBe('none');
    await mapPerson(app, 'device-0001', 'u1');
    const mapped = await entitlement(app, { anonymousId: 'device-0001', userId: 'u2' });
    expect(mapped.body.status).toBe('none');
  });

  test('transfer moves it, three times a day at most, and writes that down', async () => {
    const app = await service.app();
    const { jws, subscription } = purchase(app);
    await verify(app, jws, { userId: 'u1' });
    for (const userId of ['u2', 'u3', 'u4']) {
      expect((await verify(app, jws, { userId })).body.entitled).toBe(true);
    }
    expect((await entitlement(app, { userId: 'u1' })).body.status).toBe('none');
    const refused = await verify(app, jws, { userId: 'u5' });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('86400');
    expect((await entitlement(app, { userId: 'u4' })).body.entitled).toBe(true);
    const path = `/v1/apps/${app.appId}/purchases/audit`;
    const query = `originalTransactionId=${subscription.originalTransactionId}`;
    const first = await service.call(`${path}?${query}&limit=3`, { headers: app.org.key });
    expect(first.body.entries.map((entry: any) => [entry.action, entry.to.id])).toEqual([
      ['transferred', 'u4'],
      ['transferred', 'u3'],
      ['transferred', 'u2'],
    ]);
    const rest = await service.call(`${path}?${query}&cursor=${first.body.nextCursor}`, {
      headers: app.org.key,
    });
    expect(rest.body).toMatchObject({
      entries: [{ action: 'linked', from: null, to: { kind: 'user', id: 'u1' } }],
      nextCursor: null,
    });
    clock.now += DAY;
    expect((await verify(app, jws, { userId: 'u5' })).status).toBe(200);
    clock.now -= DAY;
  });

  test('keep leaves it with the first, and reading never moves it', async () => {
    const app = await service.app();
    expect((await settings(app, { ownership: 'keep' })).status).toBe(200);
    const { jws } = purchase(app);
    await verify(app, jws, { userId: 'u1' });
    expect((await verify(app, jws, { userId: 'u2' })).body.status).toBe('none');
    expect((await verify(app, jws, { userId: 'u2' })).body.status).toBe('none');
    expect((await entitlement(app, { userId: 'u1' })).body.entitled).toBe(true);
    const audit = await service.call(`/v1/apps/${app.appId}/purchases/audit`, {
      headers: app.org.key,
    });
    expect(audit.body.entries.map((entry: any) => entry.action)).toEqual(['kept', 'linked']);
  });

  test('share gives it to both', async () => {
    const app = await service.app();
    await settings(app, { ownership: 'share' });
    const { jws } = purchase(app);
    await verify(app, jws, { userId: 'u1' });
    expect((await verify(app, jws, { userId: 'u2' })).body.entitled).toBe(true);
    expect((await entitlement(app, { userId: 'u1' })).body.entitled).toBe(true);
  });

  test('a signed account token outranks the ids; another account is refused', async () => {
    const app = await service.app();
    const token = crypto.randomUUID();
    const { jws } = purchase(app, { appAccountToken: token.toUpperCase() });
    expect((await verify(app, jws, { userId: 'u1' })).status).toBe(200);
    const other = await verify(app, jws, { userId: 'u2' });
    expect([other.status, other.body.error.code]).toEqual([409, 'conflict']);
    const uuid = await verify(app, jws, { userId: crypto.randomUUID() });
    expect(uuid.status).toBe(409);
    expect((await entitlement(app, { appAccountToken: token })).body.entitled).toBe(true);
    expect((await entitlement(app, { userId: 'u1' })).body.entitled).toBe(true);
    expect((await entitlement(app, { userId: 'u2' })).body.entitled).toBe(false);
  });
});

describe('a shared device', () => {
  test('gives a user nothing that was signed for the user before', async () => {
    const app = await service.app();
    const owner = crypto.randomUUID();
    const subscription = buy(app, clock.now - DAY, { appAccountToken: owner });
    await service.deliver(subscription, subscription.told[0]!, app);
    await mapPerson(app, 'shared-device', owner);
    expect((await entitlement(app, { userId: owner })).body.entitled).toBe(true);
    const other = await entitlement(app, { userId: 'other', anonymousId: 'shared-device' });
    expect(other.body.status).toBe('none');
  });
});

describe('a person who was erased', () => {
  test('loses the link, keeps the purchase, and is not linked again', async () => {
    const app = await service.app();
    const { jws, subscription } = purchase(app);
    await verify(app, jws, { userId: 'gone', anonymousId: 'gone-device' });
    const erased = await service.call(`/v1/apps/${app.appId}/people/gone`, {
      method: 'DELETE',
      headers: app.org.key,
    });
    expect(erased.status).toBe(204);
    expect((await entitlement(app, { userId: 'gone' })).body.status).toBe('none');
    const { originalTransactionId } = subscription;
    expect((await entitlement(app, { originalTransactionId })).body.entitled).toBe(true);
    const audit = await service.call(`/v1/apps/${app.appId}/purchases/audit`, {
      headers: app.org.key,
    });
    expect(audit.text).not.toContain('gone');
    expect((await verify(app, jws, { userId: 'gone' })).body.entitled).toBe(true);
    expect((await entitlement(app, { userId: 'gone' })).body.status).toBe('none');
  });
});

describe('the sandbox', () => {
  test('counts by default: a reviewer buys in it', async () => {
    const app = await service.app();
    const { jws } = purchase(app, { environment: 'Sandbox' });
    expect((await verify(app, jws, { userId: 'reviewer' })).body.entitled).toBe(true);
    expect((await entitlement(app, { userId: 'reviewer' })).body.entitled).toBe(true);
    const production = await entitlement(app, { userId: 'reviewer', environment: 'Production' });
    expect(production.body.status).toBe('none');
  });

  test('comes after production', async () => {
    const app = await service.app();
    await verify(app, purchase(app, { environment: 'Sandbox' }).jws, { userId: 'u1' });
    const real = purchase(app);
    await verify(app, real.jws, { userId: 'u1' });
    const { originalTransactionId } = real.subscription;
    const answer = await entitlement(app, { userId: 'u1' });
    expect(answer.body.originalTransactionId).toBe(originalTransactionId);
  });

  test('counts for who holds an ended purchase of production, and every answer says where it is from', async () => {
    const app = await service.app();
    const start = service.clock.now - 90 * 86_400_000;
    const ended = purchase(app, { start });
    await verify(app, ended.jws, { userId: 'tester' });
    const before = await entitlement(app, { userId: 'tester' });
    expect(before.body).toMatchObject({ status: 'expired', environment: 'Production' });
    const { jws } = purchase(app, { environment: 'Sandbox' });
    const bought = await verify(app, jws, { userId: 'tester' });
    expect(bought.body).toMatchObject({ status: 'active', environment: 'Sandbox' });
    const { body } = await entitlement(app, { userId: 'tester' });
    expect(body).toMatchObject({ entitled: true, status: 'active', environment: 'Sandbox' });
    for (const environment of ['Production', 'Sandbox']) {
      const asked = await entitlement(app, { userId: 'tester', environment });
      const status = environment === 'Production' ? 'expired' : 'active';
      expect(asked.body).toMatchObject({ status, environment });
      const nobody = await entitlement(app, { userId: 'nobody', environment });
      expect(nobody.body).toMatchObject({ status: 'none', environment });
    }
    await settings(app, { sandboxAccess: 'nobody' });
    const limited = await entitlement(app, { userId: 'tester' });
    expect(limited.body).toMatchObject({ status: 'expired', environment: 'Production' });
  });

  test('can be left to listed people, or to nobody', async () => {
    const app = await service.app();
    const { jws } = purchase(app, { environment: 'Sandbox' });
    await settings(app, { sandboxAccess: 'listed', sandboxListed: ['tester'] });
    expect((await verify(app, jws, { userId: 'tester' })).body.entitled).toBe(true);
    expect((await verify(app, jws, { userId: 'someone' })).body.status).toBe('none');
    await settings(app, { sandboxAccess: 'nobody' });
    expect((await entitlement(app, { userId: 'tester' })).body.status).toBe('none');
    const asked = await entitlement(app, { userId: 'tester', environment: 'Sandbox' });
    expect(asked.body.status).toBe('none');
  });
});

describe('a question', () => {
  test('needs an id, and names the field that does not fit', async () => {
    const app = await service.app();
    const none = await entitlement(app, {});
    expect([none.status, none.body.error.code]).toEqual([400, 'invalid_input']);
    const queries: Record<string, string>[] = [
      { appAccountToken: 'x' },
      { userId: 'u', environment: 'Xcode' },
      { anonymousId: 'short' },
      { userId: 'a\u0000b' },
      { originalTransactionId: 'x'.repeat(129) },
    ];
    for (const query of queries) {
      expect((await entitlement(app, query)).status).toBe(400);
    }
  });

  test('about another organization’s purchase is answered with none', async () => {
    const bundleId = `com.example.same${Date.now()}`;
    const mine = await service.app(undefined, bundleId);
    const theirs = await service.app(undefined, bundleId);
    const { jws, subscription } = purchase(mine);
    await verify(mine, jws, { userId: 'u1' });
    const { originalTransactionId } = subscription;
    expect((await entitlement(theirs, { originalTransactionId })).body.status).toBe('none');
    expect((await entitlement(theirs, { userId: 'u1' })).body.status).toBe('none');
  });
});

describe('a subscription past its end', () => {
  const expired = async (connected: boolean) => {
    const app = await service.app();
    const subscription = buy(app, clock.now - 30 * DAY + 3_600_000);
    await verify(app, store.sign(subscription.newest), { userId: 'u1' });
    if (connected) await service.connect(app);
    return { app, subscription };
  };
  const at = async <T>(later: number, work: () => Promise<T>): Promise<T> => {
    clock.now += later;
    try {
      return await work();
    } finally {
      clock.now -= later;
    }
  };

  test('is asked about, and stands renewed', async () => {
    const { app, subscription } = await expired(true);
    subscription.renew();
    const { transaction, renewal, status } = subscription.answer();
    store.setChain('Production', [{ groupId: '1', status, transaction, renewal }]);
    await at(2 * 3_600_000, async () => {
      const { body } = await entitlement(app, { userId: 'u1' });
      expect(body).toMatchObject({ status: 'active', entitled: true, willRenew: true });
      expect(body.expiresAt).toBe(new Date(subscription.newest.expiresDate!).toISOString());
      expect(body.checkedAt).toBe(new Date(clock.now).toISOString());
    });
  });

  test('stays active for six hours when the store is away, showing when it was last asked', async () => {
    const { app } = await expired(true);
    const before = (await entitlement(app, { userId: 'u1' })).body;
    store.production.faults.next({ kind: 'status', status: 500 }, { times: 50 });
    const five = await at(6 * 3_600_000, () => entitlement(app, { userId: 'u1' }));
    expect(five.body).toMatchObject({ status: 'active', checkedAt: before.checkedAt });
    const seven = await at(8 * 3_600_000, () => entitlement(app, { userId: 'u1' }));
    expect(seven.body).toMatchObject({ status: 'expired', entitled: false });
    store.production.faults.clear();
  });

  test('stays active for one hour when there is no key', async () => {
    const { app } = await expired(false);
    const within = await at(1.5 * 3_600_000, () => entitlement(app, { userId: 'u1' }));
    expect(within.body.status).toBe('active');
    const beyond = await at(2.5 * 3_600_000, () => entitlement(app, { userId: 'u1' }));
    expect(beyond.body.status).toBe('expired');
  });

  test('is asked about once however many ask at once', async () => {
    const { app } = await expired(true);
    const asked = () =>
      store.production.requests.filter((line) => line.includes('/subscriptions/')).length;
    const before = asked();
    await at(2 * 3_600_000, () =>
      Promise.all(Array.from({ length: 20 }, () => entitlement(app, { userId: 'u1' }))),
    );
    expect(asked() - before).toBe(1);
  });
});
