import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEventNames, importEventsFile } from '../../../src/modules/events/index.ts';
import { eventName } from '../../../src/modules/events/names/rule.ts';
import { quietLog } from '../../support/events.ts';
import { intakeOf } from '../../support/intake.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const send = intakeOf(service);
const folder = mkdtempSync(join(tmpdir(), 'names-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SENT = [
  ...['1 Onboarding', '2 Onboarding', '01_step', '02_step', 'Rating +1', 'Rating -1'],
  ...['Größe', 'Grüße', '支付 Success', '退款 Success', '購入完了', 'Покупка', '100% Off', 'Off'],
  ...['Sign Up', 'sign-up', 'Checkout!', 'Checkout?', `${'a'.repeat(70)}1`, `${'a'.repeat(70)}2`],
  ...['1 App Opened', 'half \ud83d', 'half \ud83c', 'nul \u0000', 'nul '],
];
const MEANT = ['App Opened', 'Application Opened', 'app_opened'];

const FORMATS: Record<string, (key: string, names: string[]) => [string, object]> = {
  segment: (writeKey, names) => [
    '/v1/segment/v1/batch',
    { writeKey, batch: names.map((event) => ({ type: 'track', event, anonymousId: 'dev-00001' })) },
  ],
  posthog: (api_key, names) => [
    '/v1/posthog/batch',
    { api_key, batch: names.map((event) => ({ event, distinct_id: 'dev-00001' })) },
  ],
  amplitude: (api_key, names) => [
    '/v1/amplitude/2/httpapi',
    { api_key, events: names.map((event_type) => ({ event_type, device_id: 'dev-00001' })) },
  ],
};

async function newApp() {
  const app = await createTestApp(service, org.orgId);
  const path = `/v1/apps/${app.appId}/events`;
  const get = async (tail: string) => (await call(`${path}/${tail}`, { headers: org.key })).body;
  const post = async (format: string, names: string[]) => {
    const [address, body] = FORMATS[format]?.(app.serviceKey, names) ?? ['', {}];
    const headers = { 'content-type': 'application/json' };
    expect((await send(address, JSON.stringify(body), headers)).status).toBe(200);
  };
  const counts = async () => {
    const { names } = await get('summary');
    return new Map<string, number>(names.map(({ name, events }: any) => [name, events]));
  };
  return { ...app, get, post, counts };
}

test.each(Object.keys(FORMATS))('names of %s that differ stay apart', async (format) => {
  const app = await newApp();
  for (const names of [SENT.slice(0, 9), SENT.slice(9), SENT, MEANT]) await app.post(format, names);
  const counts = await app.counts();
  expect(counts.get('app_opened')).toBe(MEANT.length);
  counts.delete('app_opened');
  expect([counts.size, new Set(counts.values())]).toEqual([SENT.length, new Set([2])]);
  // Who came first keeps the name of before.
  for (const sent of [
    '1 Onboarding',
    '01_step',
    'Rating +1',
    'Größe',
    '支付 Success',
    '100% Off',
  ]) {
    expect([sent, counts.get(eventName(sent))]).toEqual([sent, 2]);
  }

  const { names } = await app.get('ingestion');
  const taken = names.find(({ sentName }: any) => sentName === '2 Onboarding');
  expect(taken).toMatchObject({ takenBy: '1 Onboarding' });
  expect(counts.get(taken.name)).toBe(2);
  const shown = names.find(({ sentName }: any) => sentName === '購入完了');
  expect(shown).toMatchObject({ name: eventName('購入完了'), takenBy: null });
  expect(names.map(({ takenBy }: any) => takenBy === null)).toEqual(
    names.map(({ takenBy }: any) => takenBy === null).toSorted(),
  );
});

test('two hosts that see two names at once come to the same', async () => {
  const { appId } = await newApp();
  const scope = { orgId: org.orgId, appId };
  const hosts = await Promise.all(
    [0, 1, 2, 3].map(() => createEventNames({ ...deps, log: quietLog() }).of(scope)),
  );
  await Promise.all(hosts.map((host, n) => host.claim(n % 2 ? SENT.toReversed() : SENT)));
  const [first, ...others] = await Promise.all(hosts.map((host) => host.claim(SENT)));
  for (const other of others) expect(other).toEqual(first ?? new Map());
  expect(new Set(first?.values()).size).toBe(SENT.length);
});

test('an import has the names that clients have', async () => {
  const app = await newApp();
  await app.post('amplitude', ['2 Onboarding']);
  const event_time = new Date(Date.now() - 3_600_000).toISOString();
  const lines = ['1 Onboarding', '2 Onboarding', '購入完了'].map((event_type, n) =>
    JSON.stringify({ event_type, device_id: 'dev-00001', event_time, $insert_id: `insert-${n}` }),
  );
  const path = join(folder, 'names.jsonl');
  writeFileSync(path, lines.join('\n'));
  const found = await importEventsFile({ deps, requestId: 'test' }, { appId: app.appId, path });
  expect(found).toMatchObject({ events: 3, refusals: [] });
  const counts = await app.counts();
  expect([counts.get('onboarding'), counts.size]).toEqual([2, 3]);
});

test('while PostgreSQL is away events come by the names that are known, else by the rule', async () => {
  const { appId } = await newApp();
  const scope = { orgId: org.orgId, appId };
  let isAway = false;
  const sql = new Proxy(deps.sql, {
    apply: (of, self, given) =>
      isAway ? Promise.reject(new Error('away')) : Reflect.apply(of, self, given),
    get: (of, name) =>
      isAway && name === 'begin' ? () => Promise.reject(new Error('away')) : Reflect.get(of, name),
  });
  let nowMs = Date.now();
  const clock = () => new Date(nowMs);
  const names = createEventNames({ sql, clock, log: quietLog() });
  const first = await (await names.of(scope)).claim(['1 Step']);
  isAway = true;
  const away = await (await names.of(scope)).claim(['1 Step', '2 Step', 'Order']);
  expect([first.get('1 Step'), away.get('1 Step')]).toEqual(['step', 'step']);
  expect(away.get('2 Step')).toMatch(/^step_[0-9a-f]{8}$/);
  expect(away.get('Order')).toBe('order');
  isAway = false;
  nowMs += 60_000;
  expect(await (await names.of(scope)).claim(['2 Step', 'Order'])).toEqual(
    new Map([...away].slice(1)),
  );
});

test('an app claims a bounded number of names, and beyond they still differ', async () => {
  const { appId } = await newApp();
  const names = await deps.eventNames.of({ orgId: org.orgId, appId });
  const many = Array.from({ length: 5_010 }, (_, n) => `${n} step`);
  const found = await names.claim(many);
  expect(new Set(found.values()).size).toBe(many.length);
  const [{ count = 0 } = {}] = await deps.sql<{ count: number }[]>`
    SELECT count(*) FROM event_names WHERE app_id = ${appId}`;
  expect(count).toBe(5_000);
});
