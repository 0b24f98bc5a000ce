import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { repeatErasures } from '../../../src/modules/people/erase.ts';
import { entitledPeople } from '../../../src/modules/purchases/entitlement/entitled-people.ts';
import {
  newToken,
  ofToken,
  playServiceOf,
  startPlay,
  subscriptionOf,
} from '../../support/play-service.ts';
import { inLanes } from '../../support/lanes.ts';
import { testDatabase } from '../../support/postgres.ts';
import { buy, type PurchaseApp, startPurchaseService } from '../../support/purchase-service.ts';
import { startTestQueries } from '../../support/queries.ts';
import { isFullRun } from '../../support/random.ts';

const DAY_MS = 86_400_000;
const NOBODY = '00000000-0000-0000-0000-000000000000';
let nowMs = Date.now();
const google = await startPlay(() => new Date(nowMs));
const service = await startPurchaseService(await testDatabase(), { with: () => google.deps });
const { call, clock, deps, store } = service;
const { sql } = deps;
await startTestQueries(deps);
nowMs = clock.now;
const onPlay = playServiceOf(service, google.play, clock);

const path = (app: PurchaseApp, tail: string) => `/v1/apps/${app.appId}/purchases${tail}`;
const asked = async (app: PurchaseApp, query: Record<string, string>) =>
  (await call(path(app, `/entitlement?${new URLSearchParams(query)}`), { headers: app.org.key }))
    .body;
const customer = (app: PurchaseApp, customerId: string) =>
  call(path(app, `/customer?${new URLSearchParams({ customerId })}`), { headers: app.org.key });
const grant = (app: PurchaseApp, body: object) =>
  call(path(app, '/grants'), { headers: app.org.key, body });
const verify = (app: PurchaseApp, signedTransaction: string, ids: object) =>
  call('/v1/purchases/verify', { headers: app.device, body: { signedTransaction, ...ids } });
const alias = (app: PurchaseApp, anonymousId: string, userId: string) => sql`
  INSERT INTO event_people (app_id, anonymous_id, user_id, org_id, mapped_at, catalogued_seq)
  VALUES (${app.appId}, ${anonymousId}, ${userId}, ${app.org.orgId}, now(), 1)
  ON CONFLICT DO NOTHING`;
const entitledIn = async ({ appId, org }: PurchaseApp, productId?: string) => {
  const wanted = new Map([['one', productId === undefined ? {} : { productId }]]);
  const found = await entitledPeople(deps, { orgId: org.orgId, appId }, wanted);
  return [...(found.get('one') ?? [])].toSorted();
};

describe('an account token', () => {
  test('of all zeros is nobody’s', async () => {
    const app = await service.app();
    const one = buy(app, clock.now - DAY_MS, { appAccountToken: NOBODY });
    const user = crypto.randomUUID();
    expect((await verify(app, store.sign(one.newest), { userId: user })).status).toBe(200);
    const other = await verify(app, store.sign(one.newest), { userId: 'another-user' });
    expect([other.status, other.body.entitled]).toEqual([200, true]);
    const told = buy(app, clock.now - DAY_MS, { appAccountToken: NOBODY });
    await service.deliver(told, told.told[0]!, app);
    const query = `/entitlement?appAccountToken=${NOBODY}`;
    expect((await call(path(app, query), { headers: app.org.key })).status).toBe(400);
    expect((await asked(app, { appAccountToken: NOBODY, userId: 'u9' })).status).toBe('none');
    const rows =
      await sql`SELECT 1 FROM purchase_links WHERE kind = 'token' AND app_id = ${app.appId}`;
    expect(rows).toHaveLength(0);
  });

  test('stands for the user whose id it is, through every door', async () => {
    const app = await service.app();
    const token = crypto.randomUUID();
    const hook = { url: 'https://example.com/hooks', events: ['subscription.started.v1'] };
    await call('/v1/webhooks', { headers: app.org.key, body: hook });
    const bought = buy(app, clock.now - DAY_MS, { appAccountToken: token });
    await service.deliver(bought, bought.told[0]!, app);
    for (const userId of [token, token.toUpperCase()]) {
      expect(await asked(app, { userId })).toMatchObject({ entitled: true });
      expect(await asked(app, { userId, anonymousId: 'phone-of-it' })).toMatchObject({
        entitled: true,
      });
      expect((await customer(app, userId)).body.entitlement).toMatchObject({ entitled: true });
    }
    expect(await asked(app, { appAccountToken: token })).toMatchObject({ entitled: true });
    expect(await asked(app, { userId: crypto.randomUUID() })).toMatchObject({ entitled: false });
    expect(await entitledIn(app)).toEqual([token]);
    await alias(app, 'phone-0001', token.toUpperCase());
    expect(await asked(app, { anonymousId: 'phone-0001' })).toMatchObject({ entitled: true });
    expect(await entitledIn(app)).toEqual([token.toUpperCase()]);
    const erased = `/v1/apps/${app.appId}/person?personId=${token.toUpperCase()}`;
    expect((await call(erased, { method: 'DELETE', headers: app.org.key })).status).toBe(204);
    const left = await sql`SELECT 1 FROM webhook_deliveries WHERE org_id = ${app.org.orgId}`;
    expect(left).toHaveLength(0);
  });

  test('leads to what its user presented without it, also from a new device', async () => {
    const app = await service.app();
    const token = crypto.randomUUID();
    const [ofPhone, ofUser, others] = ['p1', 'p2', 'p3'].map((productId) =>
      store.sign(buy(app, clock.now - DAY_MS, { productId }).newest),
    );
    await verify(app, ofPhone!, { anonymousId: 'phone-0001' });
    await verify(app, ofUser!, { userId: token.toUpperCase() });
    await verify(app, others!, { anonymousId: 'phone-0001', userId: 'another-user' });
    await alias(app, 'phone-0001', token.toUpperCase());
    for (const query of [
      { appAccountToken: token },
      { appAccountToken: token, anonymousId: 'phone-new1' },
      { userId: token },
    ]) {
      const has: boolean[] = [];
      for (const productId of ['p1', 'p2', 'p3']) {
        has.push((await asked(app, { ...query, productId } as never)).entitled);
      }
      expect([query, has]).toEqual([query, [true, true, false]]);
    }
  });

  test('that a device without a user has for its own id is that device, by every door', async () => {
    const app = await service.app();
    const device = crypto.randomUUID();
    const told = buy(app, clock.now - DAY_MS, { appAccountToken: device, productId: 'told' });
    await service.deliver(told, told.told[0]!, app);
    await grant(app, { userId: device, productId: 'gift' });
    const has = async (query: Record<string, string>) => {
      const wanted = ['told', 'gift'].map((productId) => asked(app, { ...query, productId }));
      return (await Promise.all(wanted)).map(({ entitled }) => entitled);
    };
    expect(await entitledIn(app)).toEqual([device]);
    const doors = [{ anonymousId: device }, { userId: device }, { appAccountToken: device }];
    for (const query of doors)
      expect([query, await has(query as never)]).toEqual([query, [true, true]]);
    expect(await has({ anonymousId: device, userId: 'another-user' })).toEqual([false, false]);
    expect(await has({ anonymousId: crypto.randomUUID() })).toEqual([false, false]);
    await verify(app, store.sign(told.newest), { userId: 'plain-user-1' });
    expect(await has({ anonymousId: device })).toEqual([false, true]);
    await alias(app, device, 'plain-user-2');
    expect(await has({ anonymousId: device })).toEqual([false, false]);
    expect(await has({ userId: device })).toEqual([false, true]);
  });

  test('is one account in capital and small letters', async () => {
    const app = await service.app();
    const token = crypto.randomUUID();
    const signed = store.sign(buy(app, clock.now - DAY_MS, { appAccountToken: token }).newest);
    for (const userId of [token.toUpperCase(), token]) {
      expect((await verify(app, signed, { userId })).status).toBe(200);
    }
    expect((await verify(app, signed, { userId: crypto.randomUUID() })).status).toBe(409);
    await grant(app, { userId: token, productId: 'gift' });
    for (const query of [{ userId: token.toUpperCase() }, { appAccountToken: token }]) {
      expect(await asked(app, { ...query, productId: 'gift' } as never)).toMatchObject({
        entitled: true,
      });
    }
  });
});

describe('a grant', () => {
  const phone = 'phone-0001';

  test('goes to the device that holds a transaction, and to its user later', async () => {
    const app = await service.app();
    const bought = buy(app, clock.now - DAY_MS);
    bought.expire();
    await verify(app, store.sign(bought.newest), { anonymousId: phone });
    const { originalTransactionId } = bought;
    const made = await grant(app, { originalTransactionId, productId: 'gift' });
    expect([made.status, made.body.userId, made.body.anonymousId]).toEqual([201, null, phone]);
    const again = await grant(app, { anonymousId: phone, productId: 'gift', note: 'again' });
    expect([again.status, again.body.id]).toEqual([201, made.body.id]);
    expect(await asked(app, { anonymousId: phone, productId: 'gift' })).toMatchObject({
      entitled: true,
    });
    for (const id of [phone, originalTransactionId]) {
      const { body } = await customer(app, id);
      expect([body.entitlement.entitled, body.grants.length]).toEqual([true, 1]);
    }
    expect(await entitledIn(app, 'gift')).toEqual([phone]);
    const audit = await call(path(app, '/audit'), { headers: app.org.key });
    expect(audit.body.entries[0]).toMatchObject({ to: { kind: 'anonymous', id: phone } });

    await alias(app, phone, 'u1');
    for (const query of [{ userId: 'u1' }, { anonymousId: phone }]) {
      expect(await asked(app, { ...query, productId: 'gift' } as never)).toMatchObject({
        entitled: true,
      });
    }
    expect(await asked(app, { userId: 'u2', anonymousId: phone, productId: 'gift' })).toMatchObject(
      {
        entitled: false,
      },
    );
    expect((await customer(app, 'u1')).body.grants).toHaveLength(1);
    expect(await entitledIn(app, 'gift')).toEqual(['u1']);
    const other = await grant(app, { anonymousId: phone, productId: 'other' });
    expect(other.body.userId).toBe('u1');
    await call(`/v1/apps/${app.appId}/person?personId=u1`, {
      method: 'DELETE',
      headers: app.org.key,
    });
    expect(await sql`SELECT 1 FROM purchase_grants WHERE app_id = ${app.appId}`).toHaveLength(0);
  });

  test('that would entitle nobody is refused', async () => {
    const app = await service.app();
    const held = buy(app, clock.now - DAY_MS);
    await verify(app, store.sign(held.newest), { anonymousId: phone });
    const unheld = buy(app, clock.now - DAY_MS);
    await service.deliver(unheld, unheld.told[0]!, app);
    const refused = [
      [{ userId: held.originalTransactionId }, 400],
      [{ userId: held.newest.transactionId }, 400],
      [{ userId: phone }, 400],
      [{ originalTransactionId: unheld.originalTransactionId }, 409],
      [{ originalTransactionId: '1' }, 404],
      [{ userId: 'u1', anonymousId: phone }, 400],
      [{ userId: 'undefined' }, 400],
      [{ userId: ' Null ' }, 400],
      [{ anonymousId: NOBODY }, 400],
      [{}, 400],
    ] as const;
    for (const [who, status] of refused) {
      expect([who, (await grant(app, { ...who, productId: 'gift' })).status]).toEqual([
        who,
        status,
      ]);
    }
    expect(await sql`SELECT 1 FROM purchase_grants WHERE app_id = ${app.appId}`).toHaveLength(0);
  });

  test('by an order of several products goes to its buyer, and to no user of that name', async () => {
    const sold = await service.app();
    const app = { ...sold, packageName: sold.bundleId };
    google.play.addApp(app.packageName);
    await onPlay.connect(app);
    const orderId = 'GPA.3345-1234-5678-90123';
    const token = newToken();
    const lines = ['plan', 'add-on'].flatMap((productId) => {
      const { lineItems } = subscriptionOf({ token, productId, orderId }, clock.now);
      return lineItems;
    });
    onPlay.sell({ token }, { lineItems: lines });
    const presented = { store: 'google_play', purchaseToken: token, userId: 'u1' };
    const verified = await call('/v1/purchases/verify', { headers: app.device, body: presented });
    expect(verified.status).toBe(200);
    expect((await customer(app, orderId)).body.purchases).toHaveLength(1);
    expect((await grant(app, { userId: orderId, productId: 'gift' })).status).toBe(400);
    const made = await grant(app, { originalTransactionId: orderId, productId: 'gift' });
    expect([made.status, made.body.userId]).toEqual([201, 'u1']);
    const unknown = { originalTransactionId: 'GPA.3345-1234-5678-9012', productId: 'gift' };
    expect((await grant(app, unknown)).status).toBe(404);
  });

  test('by a transaction goes to the user or account that holds it', async () => {
    const app = await service.app();
    const token = crypto.randomUUID();
    const [byUser, byToken] = [
      buy(app, clock.now - DAY_MS),
      buy(app, clock.now - DAY_MS, { appAccountToken: token }),
    ];
    await verify(app, store.sign(byUser.newest), { userId: 'u1' });
    await service.deliver(byToken, byToken.told[0]!, app);
    for (const [bought, userId] of [
      [byUser, 'u1'],
      [byToken, token],
    ] as const) {
      const { transactionId: originalTransactionId } = bought.newest;
      const { body } = await grant(app, { originalTransactionId, productId: 'gift' });
      expect(body.userId).toBe(userId);
    }
  });
});

describe.each(['a device', 'an event', 'purchases alone'])('a user known by %s', (knownBy) => {
  test.each(['toUpperCase', 'toLowerCase'] as const)(
    'keeps what is theirs from the owner of a device with their UUID, %s',
    async (letters) => {
      const app = await service.app();
      const phone = crypto.randomUUID()[letters]();
      const token = phone.toLowerCase();
      const user = letters === 'toUpperCase' ? token : token.toUpperCase();
      if (knownBy === 'a device') await alias(app, 'phone-0009', user);
      if (knownBy === 'an event') {
        await alias(app, 'phone-0009', 'plain-user-8');
        const body = { events: [{ name: 'opened', userId: user, anonymousId: 'phone-0009' }] };
        expect((await call('/v1/events', { body, headers: app.device })).status).toBe(202);
      }
      await alias(app, phone, 'plain-user-9');
      const bought = buy(app, clock.now - DAY_MS, {
        ...(knownBy !== 'purchases alone' && { appAccountToken: token }),
      });
      await service.deliver(bought, bought.told[0]!, app);
      const verified = await verify(app, store.sign(bought.newest), { userId: user });
      expect(verified.status).toBe(200);
      expect((await grant(app, { userId: user, productId: 'gift' })).status).toBeLessThan(300);
      const tables = ['links', 'chains', 'transactions', 'audit', 'grants', 'grant_audit'];
      const rows = () =>
        Promise.all(
          tables.map(
            (table) => sql`SELECT to_jsonb(t) AS row FROM ${sql(`purchase_${table}`)} t
              WHERE app_id = ${app.appId} ORDER BY 1`,
          ),
        );
      const before = await rows();
      const path = `/v1/apps/${app.appId}/person?personId=plain-user-9`;
      const { status, body } = await call(path, { headers: app.org.key });
      expect(status === 404 ? [] : body.records).toEqual([]);
      const erased = await call(path, { method: 'DELETE', headers: app.org.key });
      expect(erased.status).toBe(204);
      expect(await rows()).toEqual(before);
      await sql`UPDATE event_erasures SET repeat_due = true WHERE app_id = ${app.appId}`;
      await repeatErasures(deps);
      expect(await rows()).toEqual(before);
      const own = `/v1/apps/${app.appId}/person?personId=${user}`;
      expect((await call(own, { method: 'DELETE', headers: app.org.key })).status).toBe(204);
      const left = await sql`SELECT 1 FROM purchase_links WHERE app_id = ${app.appId}`;
      expect(left).toHaveLength(0);
    },
  );
});

const TOKEN = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
const USERS = [TOKEN, TOKEN.toUpperCase(), 'plain-user-7', 'plain-user-8'];
const DEVICES = ['phone-0001', 'phone-0002'];
/** The last one is Google Play's. */
const CHAINS = [0, 1, 2] as const;

type Step =
  | { kind: 'tell'; chain: 0 | 1 | 2 }
  | { kind: 'hand'; chain: 0 | 1 | 2; userId: string | null; anonymousId: string | null }
  | { kind: 'join'; userId: string; anonymousId: string }
  | { kind: 'grant'; who: string };

const chain = fc.constantFrom(...CHAINS);
const [user, device] = [fc.constantFrom(...USERS), fc.constantFrom(...DEVICES)];
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('tell' as const), chain }),
    fc.record({
      ...{ kind: fc.constant('hand' as const), chain },
      ...{ userId: fc.option(user), anonymousId: fc.option(device) },
    }),
    fc.record({ kind: fc.constant('join' as const), userId: user, anonymousId: device }),
    fc.record({ kind: fc.constant('grant' as const), who: fc.oneof(user, device) }),
  ),
  { minLength: 2, maxLength: 12 },
);
/** The store signs no account token for what the family shares. */
type Given = { token: string | null; family: boolean };
const signed = fc.record({
  token: fc.constantFrom(null, TOKEN, NOBODY),
  family: fc.constant(false),
});
const shared = fc.constant({ token: null, family: true });
const chains = fc.tuple(fc.oneof(signed, shared), fc.oneof(signed, shared), signed);
const RULES = ['transfer', 'transfer', 'keep', 'share'] as const;
const rules = fc.constantFrom(...RULES);

type Held = {
  token: string | null;
  byToken: boolean;
  users: string[];
  devices: string[];
  moves: number;
  /** Users and devices when it was recorded. */
  told: [string[], string[]] | null;
};

const isAccount = (id: string) => id.toLowerCase() === TOKEN;
const isSame = (one: string, other: string) =>
  one === other || (isAccount(one) && isAccount(other));

/** By the documents alone: who holds what after these steps, with the answer of each. */
class Plain {
  readonly chains: Held[];
  readonly userOf = new Map<string, string>();
  readonly granted: { kind: 'user' | 'device'; id: string }[] = [];

  constructor(
    signed: readonly (string | null)[],
    private readonly rule: (typeof RULES)[number],
  ) {
    this.chains = signed.map((token) => ({
      ...{ token: token === NOBODY ? null : token, byToken: false },
      ...{ users: [], devices: [], moves: 0, told: null },
    }));
  }

  usersOf({ users, devices }: Held): string[] {
    return [...users, ...devices.flatMap((id) => this.userOf.get(id) ?? [])];
  }

  hand(held: Held, userId: string | null, anonymousId: string | null): number {
    const behind = anonymousId === null ? undefined : this.userOf.get(anonymousId);
    const person = userId ?? behind ?? null;
    const isOwn = behind === undefined || isSame(behind, person ?? '');
    const phone = isOwn ? anonymousId : null;
    const holders = this.usersOf(held);
    const holds = person !== null && holders.some((one) => isSame(one, person));
    const add = () => {
      if (person !== null && !held.users.includes(person)) held.users.push(person);
      if (phone !== null && !held.devices.includes(phone)) held.devices.push(phone);
      return 200;
    };
    if (held.token !== null) {
      if (person !== null && holders.length > 0 && !holds) return 409;
      held.byToken = true;
      return add();
    }
    if (person === null && phone === null) return 200;
    const isFree = held.users.length + held.devices.length === 0;
    const byPhone = phone !== null && held.devices.includes(phone);
    if (isFree || holds || (byPhone && (person === null || holders.length === 0))) return add();
    if (this.rule === 'keep') return 200;
    if (this.rule === 'share') return add();
    if (held.moves === 3) return 429;
    Object.assign(held, { users: [], devices: [], moves: held.moves + 1 });
    return add();
  }

  ofUser(held: Held, id: string): boolean {
    const mayBe = held.users.length === 0 || held.users.some((one) => isSame(one, id));
    const byDevice = held.devices.some((phone) => isSame(this.userOf.get(phone) ?? '', id));
    const byToken = held.byToken && isAccount(id);
    return mayBe && (held.users.some((one) => isSame(one, id)) || byDevice || byToken);
  }

  ofDevice(held: Held, id: string): boolean {
    const behind = this.userOf.get(id);
    if (behind === undefined) return held.devices.includes(id);
    return this.ofUser(held, behind);
  }

  ofBoth(held: Held, user: string, phone: string): boolean {
    const behind = this.userOf.get(phone) ?? user;
    const mayBe = held.users.length === 0 || held.users.some((one) => isSame(one, user));
    const byPhone = held.devices.includes(phone) && isSame(behind, user) && mayBe;
    return byPhone || this.ofUser(held, user);
  }

  isGrantedBoth(user: string, phone: string): boolean {
    const isPhones = this.granted.some(({ kind, id }) => kind === 'device' && id === phone);
    const isTheirs = isSame(this.userOf.get(phone) ?? user, user);
    return (isPhones && isTheirs) || this.isGranted(user, 'user');
  }

  /** What an erasure of the person, or of a device's user, would take; devices are of one spelling. */
  isLinked(held: Held, id: string): boolean {
    const person = this.userOf.get(id) ?? id;
    const byToken = held.told !== null && held.token !== null && isAccount(person);
    const byDevice = held.devices.some((phone) => (this.userOf.get(phone) ?? phone) === person);
    return byToken || byDevice || held.users.some((one) => isSame(one, person));
  }

  isGranted(id: string, kind: 'user' | 'device'): boolean {
    const person = kind === 'user' ? id : this.userOf.get(id);
    return this.granted.some((one) =>
      one.kind === 'user'
        ? person !== undefined && isSame(one.id, person)
        : (kind === 'device' && one.id === id) ||
          (person !== undefined && isSame(this.userOf.get(one.id) ?? '', person)),
    );
  }
}

const iso = (ms: number) => new Date(ms).toISOString();

const HOOK = { url: 'https://example.com/hooks', events: ['subscription.started.v1'] };

async function announced({ org }: PurchaseApp): Promise<any[]> {
  const rows = await sql<{ body: string }[]>`
    SELECT body FROM webhook_deliveries WHERE org_id = ${org.orgId}`;
  return rows.map(({ body }) => JSON.parse(body).data);
}

type Chain = {
  id: () => Promise<string>;
  tell: () => Promise<void>;
  hand: (ids: object) => Promise<number>;
};

function ofAppStore(app: PurchaseApp, n: number, { token, family }: Given): Chain {
  const bought = buy(app, clock.now - DAY_MS, {
    ...{ family, productId: `p${n}`, terms: { subscriptionGroupIdentifier: `g${n}` } },
    ...(token !== null && { appAccountToken: token }),
  });
  return {
    id: async () => bought.originalTransactionId,
    tell: () => service.deliver(bought, bought.told[0]!, app),
    hand: async (ids) => (await verify(app, store.sign(bought.newest), ids)).status,
  };
}

async function ofGooglePlay(sold: PurchaseApp, n: number, { token }: Given): Promise<Chain> {
  const app = { ...sold, packageName: sold.bundleId };
  google.play.addApp(app.packageName);
  await onPlay.connect(app);
  const purchaseToken = newToken();
  const ids = { externalAccountIdentifiers: { obfuscatedExternalAccountId: token } };
  onPlay.sell({ token: purchaseToken, productId: `p${n}` }, token === null ? {} : ids);
  const presented = { store: 'google_play', purchaseToken };
  return {
    id: async () => {
      const [row] = await sql<{ id: string }[]>`
        SELECT original_transaction_id AS id FROM purchase_chains
        WHERE app_id = ${app.appId} AND store = 'google_play'`;
      return row?.id ?? '';
    },
    tell: async () => {
      expect((await onPlay.push(app, ofToken(purchaseToken, 4))).status).toBe(200);
      await onPlay.askNow(app);
    },
    hand: async (who) => {
      const body = { ...presented, ...who };
      return (await call('/v1/purchases/verify', { headers: app.device, body })).status;
    },
  };
}

/** Who holds what by an export: what their erasure would take. */
async function exported({ appId, org }: PurchaseApp, personId: string): Promise<string[]> {
  const query = new URLSearchParams({ personId, limit: '1000' });
  const { status, body } = await call(`/v1/apps/${appId}/person?${query}`, { headers: org.key });
  const records: any[] = status === 404 ? [] : body.records;
  const purchases = records.filter(({ kind }) => kind === 'purchase');
  return purchases.map(({ data }) => data.originalTransactionId).toSorted();
}

test('one person gets one answer by every door', async () => {
  const numRuns = isFullRun ? 2_000 : 25;
  const drawn = fc.sample(fc.tuple(chains, steps, rules), { numRuns, seed: 65 });
  await inLanes(drawn, async ([given, history, ownership]) => {
    const app = await service.app();
    const plain = new Plain(
      given.map(({ token }) => token),
      ownership,
    );
    const changed = { method: 'PATCH', headers: app.org.key, body: { ownership } };
    expect((await call(path(app, '/settings'), changed)).status).toBe(200);
    const bought = await Promise.all(
      given.map((one, n) => (n === 2 ? ofGooglePlay : ofAppStore)(app, n, one)),
    );
    await call('/v1/webhooks', { headers: app.org.key, body: HOOK });
    for (const step of history as Step[]) {
      if (step.kind === 'tell') {
        await bought[step.chain]!.tell();
        const held = plain.chains[step.chain]!;
        if (held.token !== null) held.byToken = true;
      } else if (step.kind === 'hand') {
        const { userId, anonymousId } = step;
        const expected = plain.hand(plain.chains[step.chain]!, userId, anonymousId);
        const ids = { ...(userId && { userId }), ...(anonymousId && { anonymousId }) };
        const status = await bought[step.chain]!.hand(ids);
        expect([step, status]).toEqual([step, expected]);
      } else if (step.kind === 'join') {
        await alias(app, step.anonymousId, step.userId);
        if (!plain.userOf.has(step.anonymousId)) plain.userOf.set(step.anonymousId, step.userId);
      } else {
        const isDevice = DEVICES.includes(step.who);
        const who = isDevice ? { anonymousId: step.who } : { userId: step.who };
        const { status } = await grant(app, {
          ...who,
          productId: 'gift',
          expiresAt: iso(clock.now + DAY_MS),
        });
        expect([step, status]).toEqual([step, 201]);
        const behind = isDevice ? plain.userOf.get(step.who) : step.who;
        plain.granted.push(
          behind === undefined ? { kind: 'device', id: step.who } : { kind: 'user', id: behind },
        );
      }
      if (step.kind !== 'tell' && step.kind !== 'hand') continue;
      const held = plain.chains[step.chain]!;
      held.told ??= [held.users.toSorted(), held.devices.toSorted()];
    }
    for (const data of await announced(app)) {
      const { token, told } = plain.chains[Number(data.productId.slice(1))]!;
      const { appAccountToken, userIds, anonymousIds } = data;
      expect([appAccountToken, [userIds.toSorted(), anonymousIds.toSorted()]]).toEqual([
        token,
        told,
      ]);
    }
    const told: [object, boolean[]][] = [];
    const expected: [object, boolean[]][] = [];
    for (const query of [
      ...USERS.map((userId) => ({ userId })),
      ...DEVICES.map((anonymousId) => ({ anonymousId })),
      { appAccountToken: TOKEN },
    ]) {
      const has: boolean[] = await Promise.all(
        ['p0', 'p1', 'p2', 'gift'].map(
          async (productId) => (await asked(app, { ...query, productId } as never)).entitled,
        ),
      );
      told.push([query, has]);
      const isHeld = (held: Held) =>
        'userId' in query
          ? plain.ofUser(held, query.userId)
          : 'anonymousId' in query
            ? plain.ofDevice(held, query.anonymousId)
            : held.byToken || plain.ofUser(held, TOKEN);
      const isGranted =
        'anonymousId' in query
          ? plain.isGranted(query.anonymousId, 'device')
          : plain.isGranted('userId' in query ? query.userId : TOKEN, 'user');
      expected.push([query, [...plain.chains.map(isHeld), isGranted]]);
      if ('appAccountToken' in query) continue;
      const { status, body } = await customer(app, Object.values(query)[0] ?? '');
      const any = status === 200 && body.entitlement.entitled;
      if (status === 200) expect([query, any]).toEqual([query, has.includes(true)]);
      else expect([query, has]).toEqual([query, has.map(() => false)]);
    }
    for (const [userId, anonymousId] of USERS.flatMap((one) =>
      DEVICES.map((phone) => [one, phone]),
    )) {
      const query = { userId: userId!, anonymousId: anonymousId! };
      const has = await Promise.all(
        ['p0', 'p1', 'p2', 'gift'].map(
          async (productId) => (await asked(app, { ...query, productId })).entitled,
        ),
      );
      told.push([query, has]);
      const isHeld = (held: Held) => plain.ofBoth(held, query.userId, query.anonymousId);
      const isGranted = plain.isGrantedBoth(query.userId, query.anonymousId);
      expected.push([query, [...plain.chains.map(isHeld), isGranted]]);
    }
    expect(told).toEqual(expected);
    const ids = await Promise.all(bought.map(({ id }) => id()));
    for (const person of [...USERS, ...DEVICES]) {
      const linked = plain.chains.flatMap((held, n) =>
        plain.isLinked(held, person) ? ids[n]! : [],
      );
      expect([person, await exported(app, person)]).toEqual([person, linked.toSorted()]);
    }
    for (const [n, held] of plain.chains.entries()) {
      const people = await entitledIn(app, `p${n}`);
      const originalTransactionId = await bought[n]!.id();
      const [buyer] = await sql<{ knownAs: string }[]>`
        SELECT known_as AS "knownAs" FROM purchase_buyer(${app.org.orgId}, ${app.appId},
          'Production', ${originalTransactionId})`;
      // Whoever a segment or SQL names is entitled by the same name, and there is somebody or nobody.
      expect(people.length > 0).toBe(held.byToken || held.users.length + held.devices.length > 0);
      if (buyer) expect(people).toContain(buyer.knownAs);
      else expect(people).toEqual([]);
      for (const person of people) {
        const isDevice = DEVICES.includes(person);
        const query = isDevice ? { anonymousId: person } : { userId: person };
        expect([person, await asked(app, { ...query, productId: `p${n}` } as never)]).toMatchObject(
          [person, { entitled: true }],
        );
      }
    }
  });
}, 3_600_000);
