import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { at } from '../../../src/shared/assert.ts';
import { intakeOf } from '../../support/intake.ts';
import { inLanes } from '../../support/lanes.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { isFullRun } from '../../support/random.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const send = intakeOf(service);

const device = (digit: string) => `0198a1b2-0000-7000-8000-00000000000${digit}`;
/** Shared by the users; `reset` gives PostHog's clients another anonymous id on the same one. */
const DEVICES = [device('1'), device('2')];
const ANONYMOUS = [device('a'), device('b')];
/** One is too short to be a device's. */
const USERS = ['user-0001', 'user-0002', 'u3'];
const NO_IDS = ['undefined', 'null', '00000000-0000-0000-0000-000000000000'];
const IDS = [...DEVICES, ...ANONYMOUS, ...USERS];

const FORMATS = ['own', 'segment', 'posthog', 'amplitude'] as const;
const acts = fc.record({
  kind: fc.constantFrom('event', 'event', 'event', 'alias', 'identify', 'reset', 'nobody'),
  format: fc.constantFrom(...FORMATS),
  name: fc.constantFrom('opened', 'bought'),
  device: fc.nat({ max: DEVICES.length - 1 }),
  user: fc.option(fc.constantFrom(...USERS, ...NO_IDS), { freq: 3, nil: undefined }),
  isTurned: fc.boolean(),
});
type Act = Parameters<Parameters<typeof acts.map>[0]>[0];
/** What an act says of who did it. */
type Said = { device?: string | undefined; user?: string | undefined };

const isUser = (id: string | undefined): id is string => id !== undefined && USERS.includes(id);

function saidBy({ kind, device: number, user }: Act): Said {
  if (kind === 'nobody') return { device: 'undefined' };
  if (kind === 'reset') return { device: at(ANONYMOUS, number) };
  if (kind === 'identify') {
    return { device: at(ANONYMOUS, number), user: isUser(user) ? user : 'u3' };
  }
  if (kind === 'alias') return { device: at(DEVICES, number), user: isUser(user) ? user : 'u3' };
  return { device: at(DEVICES, number), user };
}

/** By the documents: the user sent, else the device's first user, else the device, else nobody. */
function plainPeople(history: readonly Act[]) {
  const users = new Map<string, string>();
  for (const said of history.map(saidBy)) {
    if (!said.device || !IDS.includes(said.device) || !isUser(said.user)) continue;
    if (!users.has(said.device)) users.set(said.device, said.user);
  }
  const personOf = (act: Act): string | null => {
    const said = saidBy(act);
    if (isUser(said.user)) return said.user;
    if (!said.device || !IDS.includes(said.device)) return null;
    return users.get(said.device) ?? said.device;
  };
  const done = history.map((act, n) => ({
    n,
    name: act.kind === 'alias' || act.kind === 'identify' ? 'identify' : act.name,
    person: personOf(act),
  }));
  const people = new Set(done.flatMap(({ person }) => person ?? []));
  return { done, people, named: (id: string) => (people.has(id) ? id : (users.get(id) ?? id)) };
}

const BEGIN_MS = Date.now() - 3_600_000;

function posthogMessage(act: Act, n: number, { device: id, user }: Said): object {
  const { kind, name, isTurned } = act;
  if (kind === 'alias') {
    const [distinct_id, alias] = isTurned ? [user, id] : [id, user];
    return { event: '$create_alias', distinct_id, properties: { n, alias } };
  }
  const $device_id = kind === 'event' || kind === 'nobody' ? id : at(DEVICES, act.device);
  if (kind === 'identify') {
    const properties = { n, $device_id, $anon_distinct_id: id, $is_identified: true };
    return { event: '$identify', distinct_id: user, properties };
  }
  const properties = { n, $device_id, $is_identified: user !== undefined };
  return { event: name, distinct_id: user ?? id, properties };
}

function messageOf(act: Act, n: number): [string, object] {
  const { kind, format, name } = act;
  const said = saidBy(act);
  const { device: id, user } = said;
  const time = BEGIN_MS + 1_000 * n;
  const timestamp = new Date(time).toISOString();
  const isAlias = kind === 'alias';
  if (format === 'posthog' || kind === 'reset' || kind === 'identify') {
    return ['/v1/posthog/batch/', { batch: [{ ...posthogMessage(act, n, said), timestamp }] }];
  }
  if (format === 'segment') {
    const event = { event: name, userId: user, anonymousId: id, properties: { n }, timestamp };
    return isAlias
      ? ['/v1/segment/v1/alias', { userId: user, previousId: id, timestamp }]
      : ['/v1/segment/v1/track', event];
  }
  if (format === 'amplitude') {
    const event_type = isAlias ? '$identify' : name;
    const event = { event_type, user_id: user, device_id: id, event_properties: { n }, time };
    return ['/v1/amplitude/2/httpapi', { events: [event] }];
  }
  const event = { name: isAlias ? 'identify' : name, anonymousId: id, userId: user };
  return ['/v1/events', { events: [{ ...event, ts: timestamp, props: { n } }] }];
}

type App = Awaited<ReturnType<typeof createTestApp>>;

async function carryOut(app: App, act: Act, n: number): Promise<void> {
  const [path, message] = messageOf(act, n);
  if (path === '/v1/events') {
    expect((await call(path, { body: message, headers: app.device })).status).toBe(202);
    return;
  }
  const key = { writeKey: app.serviceKey, api_key: app.serviceKey };
  const headers = { 'content-type': 'application/json' };
  const answer = await send(path, JSON.stringify({ ...key, ...message }), headers);
  expect([path, answer.status]).toEqual([path, 200]);
}

const DAY_US = 86_400_000_000;

async function found({ appId }: App) {
  const path = `/v1/apps/${appId}`;
  const get = (tail: string) => call(`${path}${tail}`, { headers: org.key });
  const { people, events } = (await get('/events/summary')).body;
  const nowUs = Date.now() * 1_000;
  const { total } = await deps.queries.ask('funnel', {
    ...{ orgId: org.orgId, appId, filters: {}, breakdown: null, trendFromUs: null },
    steps: [{ event: 'opened' }, { event: 'bought' }],
    ...{ fromUs: nowUs - DAY_US, startBeforeUs: nowUs + DAY_US, windowUs: DAY_US },
  });
  const each: [string, object | null][] = [];
  for (const id of IDS) {
    const { status, body } = await get(`/person?personId=${id}`);
    // Joining events keep no properties.
    const own = status === 404 ? [] : body.events.map(({ props }: any) => props.n ?? 'joined');
    const listed = own
      .filter((n: unknown) => n !== 'joined')
      .toSorted((a: number, b: number) => a - b);
    each.push([id, status === 404 ? null : { personId: body.personId, listed, count: own.length }]);
  }
  return {
    people,
    events,
    funnel: total.people,
    each: Object.fromEntries(each),
  };
}

function plain(history: readonly Act[], gone?: string) {
  const { done, people, named } = plainPeople(history);
  const left = done.filter(({ person }) => gone === undefined || person !== gone);
  const converted = [...people].map((person) => {
    const own = left.filter((one) => one.person === person && one.name !== 'identify');
    const first = own.findIndex(({ name }) => name === 'opened');
    return first === -1 ? 0 : own.slice(first).some(({ name }) => name === 'bought') ? 2 : 1;
  });
  const each = IDS.map((id) => {
    const person = named(id);
    const own = left.filter((one) => one.person === person);
    const keepsProps = ({ n }: (typeof own)[number]) =>
      at(history, n).kind !== 'alias' || at(history, n).format === 'own';
    const listed = own.filter(keepsProps).map(({ n }) => n);
    return [id, own.length === 0 ? null : { personId: person, listed, count: own.length }];
  });
  return {
    people: new Set(left.flatMap(({ person }) => person ?? [])).size,
    events: left.length,
    funnel: [1, 2].map((depth) => converted.filter((one) => one >= depth).length),
    each: Object.fromEntries(each),
  };
}

test('people of all formats on shared devices are those of the documents', async () => {
  const count = isFullRun ? 500 : 6;
  const histories = fc.sample(fc.array(acts, { minLength: 3, maxLength: 12 }), {
    numRuns: count,
    seed: 60,
  });
  const apps = await Promise.all(histories.map(() => createTestApp(service, org.orgId)));
  /** Half lies in files, half in the log. */
  for (const half of [0, 1]) {
    await inLanes(histories, async (history, index) => {
      const middle = Math.floor(history.length / 2);
      for (const [n, act] of history.entries()) {
        if (n < middle === (half === 0)) await carryOut(at(apps, index), act, n);
      }
    });
    if (half === 0) await compactEverything(deps);
  }
  await inLanes(histories, async (history, index) => {
    const app = at(apps, index);
    expect(await found(app)).toEqual(plain(history));
    const erased = at(IDS, index % IDS.length);
    const path = `/v1/apps/${app.appId}/person?personId=${erased}`;
    expect((await call(path, { method: 'DELETE', headers: org.key })).status).toBe(204);
    const gone = plainPeople(history).named(erased);
    expect([erased, await found(app)]).toEqual([erased, plain(history, gone)]);
  });
}, 3_600_000);
