import { beforeAll, expect, test } from 'bun:test';
import { createMemberIds } from '../../../src/modules/segments/index.ts';
import { flagApp, ON_OFF } from '../../support/flags/flags.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

let now = Date.now();
const service = await startTestService(await testDatabase(), {
  with: (deps) => {
    const clock = () => new Date(now);
    return { clock, memberIds: createMemberIds({ ...deps, clock }) };
  },
});
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const app = await flagApp(service, org);
const headers = org.key;
const segments = `/v1/apps/${app.appId}/segments`;

const send = async (events: object[]) => {
  const body = { events };
  expect((await call('/v1/events', { body, headers: app.device })).status).toBe(202);
};
const buyer = 'device-buyer-1';
const phone = 'device-phone-1';
let paying = '';
beforeAll(async () => {
  await send([
    { name: 'bought', anonymousId: buyer },
    { name: 'opened', anonymousId: 'device-other-1' },
    { name: 'opened', anonymousId: phone },
    { name: 'bought', anonymousId: phone, userId: 'user-1' },
  ]);
  await compactEverything(deps);
  const rule = { all: [{ did: { events: ['bought'] } }] };
  const made = await call(segments, { headers, body: { name: 'Paying', rule } });
  paying = made.body.id;
});

const ruleOf = (condition: object) => ({ where: { all: [condition] }, variant: 'on' });
const valueFor = async (key: string, targetingKey: string) =>
  (await app.ask(key, { targetingKey })).body.value;

test('a rule of a flag names a segment: its people, and their devices', async () => {
  const inside = { key: 'inside', ...ON_OFF, isOn: true };
  await app.create({ ...inside, rules: [ruleOf({ segment: paying, is: true })] });
  const outside = { key: 'outside', ...ON_OFF, isOn: true };
  await app.create({ ...outside, rules: [ruleOf({ segment: paying, is: false })] });
  const ids = [buyer, 'user-1', phone, 'device-other-1', 'device-unknown'];
  for (const [index, id] of ids.entries()) {
    expect([id, await valueFor('inside', id)]).toEqual([id, index < 3]);
    expect([id, await valueFor('outside', id)]).toEqual([id, index >= 3]);
    const { flags } = (await app.askAll({ targetingKey: id, [`in ${paying}`]: true })).body;
    expect(flags.map(({ value }: { value: boolean }) => value)).toEqual([index < 3, index >= 3]);
  }

  // Found anew a minute later, while the last ones are answered with.
  await send([{ name: 'bought', anonymousId: 'device-other-1' }]);
  expect(await valueFor('inside', 'device-other-1')).toBe(false);
  now += 61_000;
  await until(
    'the new member is found',
    async () => (await valueFor('inside', 'device-other-1')) === true,
  );
});

test('it is a use of the segment, which has to be of the app', async () => {
  const rule = { any: [{ did: {} }] };
  const used = (await call(segments, { headers, body: { name: 'Used', rule } })).body.id;
  const flag = { key: 'uses', ...ON_OFF, rules: [ruleOf({ segment: used, is: true })] };
  const { body } = await app.create(flag);
  const uses = async () => (await call(`${segments}/${used}/uses`, { headers })).body.uses;
  expect(await uses()).toEqual([{ kind: 'flag', id: body.id, name: 'uses' }]);
  const remove = () => call(`${segments}/${used}`, { method: 'DELETE', headers });
  expect((await remove()).status).toBe(409);
  expect((await app.change(body.id, { rules: [] })).status).toBe(200);
  expect(await uses()).toEqual([]);
  expect((await app.restore(body.id, { version: 1 })).status).toBe(200);
  expect((await remove()).status).toBe(409);
  expect((await app.remove(body.id)).status).toBe(204);
  expect((await remove()).status).toBe(204);

  const other = await createTestApp(service, org.orgId);
  const foreign = await call(`/v1/apps/${other.appId}/segments`, {
    headers,
    body: { name: 'Elsewhere', rule },
  });
  const hintOf = async (condition: object) =>
    (await app.create({ key: 'wrong', ...ON_OFF, rules: [ruleOf(condition)] })).body.error?.hint;
  expect(await hintOf({ segment: foreign.body.id, is: true })).toBe(
    'rules[0].where.all[0].segment: must be a segment of this app',
  );
  expect(await hintOf({ segment: paying, is: true, asOf: 'event' })).toBe(
    'rules[0].where.all[0].asOf: is now for flags',
  );
});

test('while queries are away the last people go on, and a new one has nobody', async () => {
  const key = 'away';
  await app.create({ key, ...ON_OFF, isOn: true, rules: [ruleOf({ segment: paying, is: true })] });
  expect(await valueFor(key, buyer)).toBe(true);
  const { ask } = deps.queries;
  deps.queries.ask = () => Promise.reject(new Error('away'));
  try {
    now += 61_000;
    expect(await valueFor(key, buyer)).toBe(true);
    const rule = { any: [{ did: {} }] };
    const late = (await call(segments, { headers, body: { name: 'Late', rule } })).body.id;
    const flag = { key: 'late', ...ON_OFF, isOn: true };
    await app.create({ ...flag, rules: [ruleOf({ segment: late, is: true })] });
    expect(await valueFor('late', buyer)).toBe(false);
  } finally {
    deps.queries.ask = ask;
  }
});

test('an erased person is in no segment of a flag from the answer on', async () => {
  const flag = { key: 'erased', ...ON_OFF, isOn: true };
  await app.create({ ...flag, rules: [ruleOf({ segment: paying, is: true })] });
  const all = () => Promise.all([buyer, 'user-1', phone].map((id) => valueFor('erased', id)));
  expect(await all()).toEqual([true, true, true]);
  const path = `/v1/apps/${app.appId}/person?personId=user-1`;
  expect((await call(path, { method: 'DELETE', headers })).status).toBe(204);
  expect(await all()).toEqual([true, false, false]);
});

test('nor by a search that began before the erasure', async () => {
  await send([{ name: 'bought', anonymousId: 'device-late-1', userId: 'user-late' }]);
  await compactEverything(deps);
  const flag = { key: 'meanwhile', ...ON_OFF, isOn: true };
  await app.create({ ...flag, rules: [ruleOf({ segment: paying, is: true })] });
  const value = (id = 'user-late') => valueFor('meanwhile', id);
  now += 61_000;
  await until('it is found', async () => (await value()) === true);
  const { ask } = deps.queries;
  const real: typeof ask = ask.bind(deps.queries);
  const [isAsked, isErased] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  deps.queries.ask = async (kind, question, options) => {
    const answer = await real(kind, question, options);
    if (kind !== 'segment') return answer;
    isAsked.resolve();
    await isErased.promise;
    return answer;
  };
  await send([{ name: 'bought', anonymousId: 'device-new-01' }]);
  try {
    now += 61_000;
    expect(await value()).toBe(true);
    await isAsked.promise;
    const path = `/v1/apps/${app.appId}/person?personId=user-late`;
    expect((await call(path, { method: 'DELETE', headers })).status).toBe(204);
  } finally {
    isErased.resolve();
    deps.queries.ask = ask;
  }
  await until('the search has ended', async () => (await value('device-new-01')) === true);
  expect(await value()).toBe(false);
});
