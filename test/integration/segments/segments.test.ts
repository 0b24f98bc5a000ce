import { describe, expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { buy, startPurchaseService } from '../../support/purchase-service.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import {
  createTestApp,
  createTestKey,
  createTestOrg,
  type TestOrg,
} from '../../support/service.ts';

const DAY = 86_400_000;
const service = await startPurchaseService(await testDatabase());
const { call, clock, deps, store } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
clock.now = Date.parse('2026-07-15T12:00:00Z');
const ago = (days: number) => new Date(clock.now - days * DAY).toISOString();

const EVERYBODY = { any: [{ did: {} }] };

async function newApp(own: TestOrg = org) {
  const app = await createTestApp(service, own.orgId);
  const path = `/v1/apps/${app.appId}/segments`;
  const get = (tail = '', headers: Record<string, string> = own.key) =>
    call(`${path}${tail}`, { headers });
  const make = (body: object, headers: Record<string, string> = own.key) =>
    call(path, { headers, body });
  const change = (id: string, body: object) =>
    call(`${path}/${id}`, { method: 'PUT', headers: own.key, body });
  const remove = (id: string, headers: Record<string, string> = own.key) =>
    call(`${path}/${id}`, { method: 'DELETE', headers });
  const send = async (events: object[], context?: object) => {
    const body = { events, ...(context && { context }) };
    expect((await call('/v1/events', { body, headers: app.device })).status).toBe(202);
  };
  const preview = (rule: object, more = {}) =>
    call(`${path}/preview`, { headers: own.key, body: { rule, ...more } });
  const sample = async (rule: object, more = {}) => {
    const { status, body } = await preview(rule, more);
    expect([status, body.error?.hint]).toEqual([200, undefined]);
    const people = body.sample.map(({ personId }: { personId: string }) => personId);
    expect(body.people).toBe(people.length);
    return people;
  };
  return { ...app, path, get, make, change, remove, send, preview, sample };
}

describe('a segment', () => {
  test('is read back by name, edited and deleted', async () => {
    const { get, make, change, remove } = await newApp();
    const late = await make({ name: 'Players', rule: EVERYBODY });
    expect(late.status).toBe(201);
    expect(late.body).toMatchObject({ name: 'Players', rule: EVERYBODY });
    expect(late.body.author.kind).toBe('orgKey');
    const early = await make({ name: 'Buyers', rule: { all: [{ entitled: true }] } });
    expect((await get()).body).toEqual([early.body, late.body]);
    const edited = await change(late.body.id, { name: 'All' });
    expect(edited.body).toMatchObject({ id: late.body.id, name: 'All', rule: EVERYBODY });
    expect((await get(`/${late.body.id}`)).body).toEqual(edited.body);
    expect((await remove(late.body.id)).status).toBe(204);
    expect((await remove(late.body.id)).status).toBe(404);
    expect((await get()).body).toEqual([early.body]);
  });

  test('has its name alone in the app, also of two made at once', async () => {
    const { make, change } = await newApp();
    const other = await newApp();
    const both = await Promise.all([
      make({ name: 'Twice', rule: EVERYBODY }),
      make({ name: 'Twice', rule: EVERYBODY }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const third = await make({ name: 'Third', rule: EVERYBODY });
    expect((await change(third.body.id, { name: 'Twice' })).status).toBe(409);
    expect((await change(third.body.id, { name: 'Third', rule: EVERYBODY })).status).toBe(200);
    expect((await other.make({ name: 'Twice', rule: EVERYBODY })).status).toBe(201);
  });

  test('is one of a hundred of an app', async () => {
    const { make, appId } = await newApp();
    await deps.sql`
      INSERT INTO segments SELECT 'seg_' || ${appId} || n, ${org.orgId}, ${appId}, 'n' || n,
        '{"any":[{"did":{}}]}', 'user', 'u', now(), now() FROM generate_series(1, 99) n`;
    expect((await make({ name: 'last', rule: EVERYBODY })).status).toBe(201);
    expect((await make({ name: 'more', rule: EVERYBODY })).status).toBe(409);
  });

  test('that another one uses is not deleted, and no circle comes about', async () => {
    const { make, change, remove, get } = await newApp();
    const used = await make({ name: 'used', rule: EVERYBODY });
    const user = await make({ name: 'user', rule: { all: [{ segment: used.body.id }] } });
    const refused = await remove(used.body.id);
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      'The segment “user” uses this segment.',
    ]);
    const uses = [{ kind: 'segment', id: user.body.id, name: 'user' }];
    expect((await get(`/${used.body.id}/uses`)).body).toEqual({ uses });
    const back = { all: [{ did: {} }, { segment: user.body.id, is: false }] };
    const circle = await change(used.body.id, { rule: back });
    expect([circle.status, circle.body.error.hint]).toEqual([
      400,
      'rule.all[1].segment: would make a circle of segments',
    ]);
    const itself = await change(used.body.id, { rule: { any: [{ segment: used.body.id }] } });
    expect(itself.status).toBe(400);
    expect((await change(user.body.id, { rule: EVERYBODY })).status).toBe(200);
    expect((await remove(used.body.id)).status).toBe(204);
  });

  test.each([
    [{ all: [] }, 'rule.all'],
    [{ all: [{ did: {} }], any: [{ did: {} }] }, 'rule.any'],
    [{ any: [{ entitled: 'yes' }] }, 'rule.any[0].entitled'],
    [{ any: [{ did: {} }, { done: {} }] }, 'rule.any[1]'],
    [{ all: [{ did: { events: ['Opened'] } }] }, 'rule.all[0].did.events[0]'],
    [{ any: [{ did: {}, atLeast: 1, exactly: 2 }] }, 'rule.any[0].exactly'],
    [{ any: [{ didNot: {}, withinDays: 7, since: '2026-07-01' }] }, 'rule.any[0].since'],
    [{ any: [{ did: {}, withinDays: 0 }] }, 'rule.any[0].withinDays'],
    [{ any: [{ did: {}, withinDays: 7, before: '2026-07-01' }] }, 'rule.any[0].before'],
    [{ any: [{ didNot: {}, since: '2026-07-01', before: '2026-07-01' }] }, 'rule.any[0].before'],
    [{ any: [{ paying: 'yes' }] }, 'rule.any[0].paying'],
    [
      { any: [{ firstSeen: { before: '2026-07-01', after: '2026-07-01' } }] },
      'rule.any[0].firstSeen.before',
    ],
    [
      { any: [{ firstSeen: { after: '2026-07-01', withinDays: 3 } }] },
      'rule.any[0].firstSeen.withinDays',
    ],
    [{ any: [{ experiment: 'exp_1', arm: 'arm_1' }] }, 'rule.any[0].experiment'],
    [{ all: [{ segment: 'seg_1' }] }, 'rule.all[0].segment'],
    [
      {
        all: [
          { did: {} },
          { did: { where: { all: [{ field: 'platform', op: 'is', value: 5 }] } } },
        ],
      },
      'rule.all[1].did.where.all[0].value',
    ],
  ])('is refused for %j, naming %s', async (rule, place) => {
    const { make, preview } = await shared;
    for (const { status, body } of [await make({ name: 'wrong', rule }), await preview(rule)]) {
      expect(status).toBe(400);
      expect(body.error.hint).toStartWith(`${place}: `);
    }
  });

  test('is of its organization and app alone', async () => {
    const { make, get, remove, path } = await newApp();
    const stranger = await createTestOrg(service);
    const elsewhere = await newApp(stranger);
    const sibling = await newApp();
    const { id } = (await make({ name: 'ours', rule: EVERYBODY })).body;
    for (const tail of ['', `/${id}`, `/${id}/people`, `/${id}/count`, `/${id}/uses`]) {
      expect((await get(tail, stranger.key)).status).toBe(404);
    }
    expect((await remove(id, stranger.key)).status).toBe(404);
    for (const other of [elsewhere, sibling]) {
      expect((await other.get(`/${id}/people`)).status).toBe(404);
      expect((await other.remove(id)).status).toBe(404);
      const named = await other.make({ name: 'named', rule: { all: [{ segment: id }] } });
      expect(named.status).toBe(400);
      expect((await other.get()).body).toEqual([]);
    }
    const reader = await createTestKey(service, org, ['analytics:read']);
    expect((await get(`/${id}`, reader)).status).toBe(200);
    expect((await make({ name: 'no', rule: EVERYBODY }, reader)).status).toBe(403);
    expect((await remove(id, reader)).status).toBe(403);
    const seen = await call(`${path}/preview`, { headers: reader, body: { rule: EVERYBODY } });
    expect(seen.status).toBe(200);
  });

  test('goes with its app, also one that another uses', async () => {
    const { make, appId } = await newApp();
    const { id } = (await make({ name: 'used', rule: EVERYBODY })).body;
    await make({ name: 'user', rule: { all: [{ segment: id }] } });
    await deps.sql`DELETE FROM apps WHERE app_id = ${appId}`;
    for (const table of ['segments', 'segment_uses']) {
      const rows = await deps.sql`SELECT FROM ${deps.sql(table)} WHERE app_id = ${appId}`;
      expect(rows).toHaveLength(0);
    }
  });
});
const shared = newApp();

describe('the people of a segment', () => {
  test('are listed page by page to the end, and as CSV', async () => {
    const { make, send, get, appId } = await newApp();
    const ids = Array.from({ length: 25 }, (_, n) => `person-${String(n).padStart(4, '0')}`);
    await send(ids.map((anonymousId) => ({ name: 'opened', ts: ago(3), anonymousId })));
    await compactEverything(deps);
    const user = { name: 'signed_in', ts: ago(1), anonymousId: ids[0], userId: '=user' };
    await send([user]);
    const rule = { all: [{ did: { events: ['opened'] }, withinDays: 4 }] };
    const { id } = (await make({ name: 'opened', rule })).body;
    const expected = ['=user', ...ids.slice(1)];
    const found: string[] = [];
    let cursor = '';
    for (let pages = 1; ; pages += 1) {
      const { body } = await get(`/${id}/people?limit=10${cursor && `&cursor=${cursor}`}`);
      expect(body.total).toBe(25);
      found.push(...body.people.map(({ personId }: { personId: string }) => personId));
      if (body.nextCursor === null) {
        expect(pages).toBe(3);
        break;
      }
      cursor = body.nextCursor;
    }
    expect(found).toEqual(expected);
    const csv = await get(`/${id}/people`, { ...org.key, accept: 'text/csv' });
    expect(csv.headers.get('content-type')).toStartWith('text/csv');
    const cells = expected.map((person) => `"${person === '=user' ? "'=user" : person}"`);
    expect(csv.text).toBe(`${['personId', ...cells].join('\r\n')}\r\n`);
    expect((await get(`/${id}/count`)).body).toMatchObject({
      people: 25,
      asOf: '2026-07-15T12:00:00.000Z',
    });
    expect((await get(`/${id}/count?environment=development`)).body.people).toBe(0);
    expect((await get(`/${id}/people?cursor=!`)).status).toBe(400);
    const erased = await call(`/v1/apps/${appId}/people/${ids[7]}`, {
      method: 'DELETE',
      headers: org.key,
    });
    expect(erased.status).toBe(204);
    expect((await get(`/${id}/count`)).body.people).toBe(24);
  });

  test('are those who did or did not, so often, so long ago, by what their events say', async () => {
    const { send, sample } = await newApp();
    const saw = (anonymousId: string, days: number, props = {}) => ({
      name: 'paywall_viewed',
      ts: ago(days),
      anonymousId,
      props,
    });
    await send(
      [
        ...[saw('person-twice', 2, { variant: 'b' }), saw('person-twice', 9, { variant: 'a' })],
        ...[
          saw('person-once0', 2, { variant: 'a' }),
          saw('person-bought', 1),
          saw('person-bought', 1),
        ],
        { name: 'purchase_completed', ts: ago(1), anonymousId: 'person-bought' },
        { name: 'opened', ts: ago(20), anonymousId: 'person-idle0' },
      ],
      { platform: 'ios' },
    );
    const paywall = { events: ['paywall_viewed'] };
    const notBought = { didNot: { events: ['purchase_completed'] } };
    expect(await sample({ all: [{ did: paywall, atLeast: 2 }, notBought] })).toEqual([
      'person-twice',
    ]);
    expect(await sample({ all: [{ did: paywall, exactly: 1, withinDays: 7 }] })).toEqual([
      'person-once0',
      'person-twice',
    ]);
    expect(await sample({ all: [{ did: paywall, atMost: 1 }, notBought] })).toEqual([
      'person-idle0',
      'person-once0',
    ]);
    const where = { all: [{ field: 'prop:variant', op: 'is', value: 'b' }] };
    expect(await sample({ all: [{ did: { ...paywall, where } }] })).toEqual(['person-twice']);
    expect(
      await sample({
        all: [{ did: { where: { all: [{ field: 'platform', op: 'isNot', value: 'ios' }] } } }],
      }),
    ).toEqual([]);
    expect(await sample({ all: [{ firstSeen: { before: '2026-07-01' } }] })).toEqual([
      'person-idle0',
    ]);
    expect(await sample({ all: [{ firstSeen: { withinDays: 5 } }] })).toEqual([
      'person-bought',
      'person-once0',
    ]);
    expect(await sample({ all: [{ did: paywall, since: '2026-07-14' }] })).toEqual([
      'person-bought',
    ]);
    const onThe13th = { since: '2026-07-13', before: '2026-07-14' };
    expect(await sample({ all: [{ did: paywall, ...onThe13th }] })).toEqual([
      'person-once0',
      'person-twice',
    ]);
    expect(
      await sample({
        all: [
          { did: paywall, ...onThe13th },
          { didNot: paywall, before: '2026-07-13' },
        ],
      }),
    ).toEqual(['person-once0']);
  });

  test('are those of another segment, or the others', async () => {
    const { send, make, sample } = await newApp();
    await send([
      { name: 'opened', ts: ago(1), anonymousId: 'person-open0' },
      { name: 'bought', ts: ago(1), anonymousId: 'person-bought' },
    ]);
    const { id } = (
      await make({ name: 'buyers', rule: { all: [{ did: { events: ['bought'] } }] } })
    ).body;
    expect(await sample({ all: [{ segment: id }] })).toEqual(['person-bought']);
    expect(await sample({ any: [{ segment: id, is: false }] })).toEqual(['person-open0']);
    const nested = await make({ name: 'others', rule: { all: [{ segment: id, is: false }] } });
    expect(await sample({ all: [{ segment: nested.body.id, is: false }] })).toEqual([
      'person-bought',
    ]);
  });

  test('are those of one arm alone, not by hand', async () => {
    const { send, sample, appId, device, make } = await newApp();
    const post = async (tail: string, body: object) =>
      (await call(`/v1/apps/${appId}${tail}`, { headers: org.key, body })).body;
    const arms = [];
    for (const name of ['control', 'short']) {
      const { id } = await post('/onboardings', { name, config: {} });
      arms.push({ name, weight: 1, onboardingId: id });
    }
    const experiment = await post('/experiments', { name: 'Long or short', arms });
    const start = { method: 'PATCH', headers: org.key, body: { status: 'running' } };
    await call(`/v1/apps/${appId}/experiments/${experiment.id}`, start);
    const shown = new Map<string, string>();
    for (let n = 0; n < 12; n += 1) {
      const answer = await call(`/v1/experiments?anonymousId=person-${n}00`, { headers: device });
      shown.set(`person-${n}00`, answer.body.arm.armId);
    }
    const of = (arm: string) => [...shown].flatMap(([id, own]) => (own === arm ? [id] : []));
    const [one, two] = experiment.arms.map(({ id }: { id: string }) => id);
    await send(
      [...shown.keys(), 'person-none0'].map((anonymousId) => ({ name: 'opened', anonymousId })),
    );
    const [a, b] = [of(one)[0]!, of(two)[0]!];
    // The same person signs in on both devices, and so is in no arm.
    await send([a, b].map((anonymousId) => ({ name: 'opened', anonymousId, userId: 'user-1' })));
    const clause = { experiment: experiment.id, arm: one };
    const inArm = of(one)
      .filter((id) => id !== a)
      .toSorted();
    expect(await sample({ all: [clause] })).toEqual(inArm);
    const others = [...of(two).filter((id) => id !== b), 'person-none0', 'user-1'].toSorted();
    expect(await sample({ all: [{ ...clause, is: false }] })).toEqual(others);
    expect(
      (await make({ name: 'arm', rule: { all: [{ ...clause, arm: 'arm_x' }] } })).body.error.hint,
    ).toBe('rule.all[0].arm: must be an arm of it');
  });

  test('are those who pay now: no trial, no free period, no grant, no family', async () => {
    const app = await service.app(org);
    const path = `/v1/apps/${app.appId}`;
    const bought = {
      'user-paid': {},
      'user-trial': { trial: true },
      'user-free': { terms: { price: 0 } },
      'user-family': { family: true },
    };
    for (const [userId, how] of Object.entries(bought)) {
      const signedTransaction = store.sign(buy(app, clock.now - DAY, how).newest);
      const body = { signedTransaction, userId };
      const answer = await call('/v1/purchases/verify', { headers: app.device, body });
      expect([userId, answer.body.entitled]).toEqual([userId, true]);
    }
    const grant = { userId: 'user-granted', productId: 'gift' };
    await call(`${path}/purchases/grants`, { headers: org.key, body: grant });
    const users = [...Object.keys(bought), 'user-granted', 'user-none'];
    const events = users.map((userId) => ({
      ...{ name: 'opened', ts: ago(0), userId, anonymousId: `${userId}-device` },
    }));
    await call('/v1/events', { headers: app.device, body: { events } });
    const sample = async (clause: object) => {
      const body = { rule: { all: [clause] } };
      const answer = await call(`${path}/segments/preview`, { headers: org.key, body });
      return answer.body.sample.map(({ personId }: { personId: string }) => personId);
    };
    expect(await sample({ paying: true })).toEqual(['user-paid']);
    expect(await sample({ paying: true, productId: 'gift' })).toEqual([]);
    expect(await sample({ paying: false })).toEqual(
      users.filter((user) => user !== 'user-paid').toSorted(),
    );
    expect(await sample({ entitled: true })).toHaveLength(5);
  });

  test('are those who are entitled now, to any product or to one', async () => {
    const app = await service.app(org);
    const { path } = { path: `/v1/apps/${app.appId}` };
    const sample = async (rule: object) => {
      const answer = await call(`${path}/segments/preview`, { headers: org.key, body: { rule } });
      return answer.body.sample.map(({ personId }: { personId: string }) => personId);
    };
    const verify = (body: object) => call('/v1/purchases/verify', { headers: app.device, body });
    const bought = buy(app, clock.now - DAY).newest;
    const { productId } = (
      await verify({ signedTransaction: store.sign(bought), userId: 'user-paid' })
    ).body;
    const lapsed = buy(app, clock.now - 400 * DAY).newest;
    await verify({ signedTransaction: store.sign(lapsed), userId: 'user-lapsed' });
    const sandbox = buy(app, clock.now - DAY, { environment: 'Sandbox' }).newest;
    await verify({ signedTransaction: store.sign(sandbox), userId: 'user-sandbox' });
    const grant = { userId: 'user-granted', productId: 'gift' };
    await call(`${path}/purchases/grants`, { headers: org.key, body: grant });
    const users = ['user-paid', 'user-lapsed', 'user-sandbox', 'user-granted', 'user-free'];
    await call('/v1/events', {
      headers: app.device,
      body: {
        events: users.map((userId) => ({
          name: 'opened',
          ts: ago(0),
          userId,
          anonymousId: `${userId}-device`,
        })),
      },
    });
    expect(await sample({ all: [{ entitled: true }] })).toEqual(['user-granted', 'user-paid']);
    expect(await sample({ all: [{ entitled: true, productId }] })).toEqual(['user-paid']);
    expect(await sample({ all: [{ entitled: true, productId: 'gift' }] })).toEqual([
      'user-granted',
    ]);
    const named = (entitlements: object[]) =>
      call(`${path}/entitlements`, {
        ...{ method: 'PUT', headers: org.key, body: { entitlements } },
      });
    await named([{ name: 'pro', productIds: [productId] }]);
    expect(await sample({ all: [{ entitled: true, entitlement: 'pro' }] })).toEqual(['user-paid']);
    const byName = { userId: 'user-free', entitlement: 'pro' };
    const free = await call(`${path}/purchases/grants`, { headers: org.key, body: byName });
    expect(await sample({ all: [{ entitled: true, entitlement: 'pro' }] })).toEqual([
      'user-free',
      'user-paid',
    ]);
    const grantPath = `${path}/purchases/grants/${free.body.id}`;
    await call(grantPath, { method: 'DELETE', headers: org.key });
    for (const [clause, hint] of [
      [{ entitled: true, entitlement: 'max' }, 'entitlement: must be the name of an entitlement'],
      [{ entitled: true, entitlement: 'pro', productId }, 'entitlement: is one of productId'],
    ] as const) {
      const body = { rule: { all: [clause] } };
      const refused = await call(`${path}/segments/preview`, { headers: org.key, body });
      expect(refused.body.error.hint).toStartWith(`rule.all[0].${hint}`);
    }
    const rule = { any: [{ did: {} }, { entitled: true, entitlement: 'pro' }] };
    const body = { name: 'Pros', rule };
    const segment = await call(`${path}/segments`, { headers: org.key, body });
    const refused = await named([]);
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      'The entitlement “pro” is used by the segment “Pros”.',
    ]);
    const segmentPath = `${path}/segments/${segment.body.id}`;
    await call(segmentPath, { method: 'DELETE', headers: org.key });
    expect((await named([])).status).toBe(200);
    expect(await sample({ all: [{ entitled: false }] })).toEqual([
      'user-free',
      'user-lapsed',
      'user-sandbox',
    ]);
  });
});
