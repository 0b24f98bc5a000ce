import { afterEach, describe, expect, test } from 'bun:test';
import { writeDigest } from '../../../src/modules/digests/index.ts';
import { link, upsertStoreApps } from '../../../src/modules/sales/collection/apps-queries.ts';
import { insertFacts } from '../../../src/modules/sales/days/queries.ts';
import { eachDay } from '../../../src/shared/pacific.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { randomFrom } from '../../support/random.ts';
import {
  createTestApp,
  createTestKey,
  createTestOrg,
  startTestService,
} from '../../support/service.ts';

// The afternoon of a day in New York, which is the next day in Europe.
const NOW = Date.parse('2026-07-15T23:30:00Z');
const DAY = 86_400_000;
const ZONE = 'America/New_York';

const clock = { now: NOW };
const service = await startTestService(await testDatabase(), {
  with: () => ({ clock: () => new Date(clock.now) }),
});
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
afterEach(() => {
  clock.now = NOW;
});

const newApp = async () => {
  const app = await createTestApp(service, org.orgId);
  const path = `/v1/apps/${app.appId}/marks`;
  const get = (query = '', headers: Record<string, string> = org.key) =>
    call(`${path}${query}`, { headers });
  const add = (body: object, headers: Record<string, string> = org.key) =>
    call(path, { body, headers });
  return { ...app, path, get, add };
};
const kinds = (marks: { kind: string }[]) => marks.map(({ kind }) => kind);

describe('notes by hand', () => {
  test('are read back in the order of their days, with their author, until one is deleted', async () => {
    const { get, add, path } = await newApp();
    const late = await add({ day: '2026-07-14', text: 'Featured' });
    expect(late.status).toBe(201);
    expect(late.body).toMatchObject({
      kind: 'note',
      day: '2026-07-14',
      text: 'Featured',
      at: null,
    });
    expect(late.body.author.kind).toBe('orgKey');
    const early = await add({ day: '2026-07-01', text: 'Newsletter' });
    expect((await get()).body).toEqual({
      from: '2026-06-18',
      to: '2026-07-15',
      timezone: 'UTC',
      marks: [early.body, late.body],
      omitted: 0,
    });
    expect((await get('?from=2026-07-02&to=2026-07-14')).body.marks).toEqual([late.body]);
    const remove = () => call(`${path}/${late.body.id}`, { method: 'DELETE', headers: org.key });
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect((await get()).body.marks).toEqual([early.body]);
  });

  test('are there once, however often the same is sent', async () => {
    const { get, add } = await newApp();
    const note = { day: '2026-07-10', text: 'Press' };
    const all = await Promise.all([add(note), add(note), add(note)]);
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(1);
    expect((await get()).body.marks).toHaveLength(1);
  });

  test('are a thousand an app', async () => {
    const { add, appId } = await newApp();
    await deps.sql`
      INSERT INTO mark_notes
      SELECT 'mrk_' || ${appId} || n, ${org.orgId}, ${appId}, '2026-07-01', 'n' || n, 'user', 'u', now()
      FROM generate_series(1, 999) n`;
    expect((await add({ day: '2026-07-10', text: 'the last' })).status).toBe(201);
    const refused = await add({ day: '2026-07-10', text: 'one too many' });
    expect(refused.status).toBe(409);
    expect(refused.body.error.code).toBe('conflict');
  });

  test('beyond five hundred are left out from the oldest on, and counted', async () => {
    const { get, appId } = await newApp();
    await deps.sql`
      INSERT INTO mark_notes
      SELECT 'mrk_' || ${appId} || n, ${org.orgId}, ${appId}, '2026-07-01'::date + n / 100, 'n' || n,
        'user', 'u', now() FROM generate_series(1, 502) n`;
    const { marks, omitted } = (await get()).body;
    expect([marks.length, omitted]).toEqual([500, 2]);
    expect(marks.at(-1).day).toBe('2026-07-06');
  });

  test('are written and deleted by those who may change the app, and read by those who may read', async () => {
    const { get, add, path } = await newApp();
    const reader = await createTestKey(service, org, ['analytics:read']);
    const note = { day: '2026-07-10', text: 'Press' };
    expect((await add(note, reader)).status).toBe(403);
    const { body } = await add(note);
    expect((await get('', reader)).body.marks).toEqual([body]);
    const removed = await call(`${path}/${body.id}`, { method: 'DELETE', headers: reader });
    expect(removed.status).toBe(403);
    const stranger = await createTestOrg(service);
    expect((await get('', stranger.key)).status).toBe(404);
    expect((await add(note, stranger.key)).status).toBe(404);
  });

  test.each([
    [{ day: '2026-02-30', text: 'x' }, 'day'],
    [{ day: '1999-12-31', text: 'x' }, 'day'],
    [{ day: '3000-01-01', text: 'x' }, 'day'],
    [{ day: '2026-07-10', text: '' }, 'text'],
    [{ day: '2026-07-10', text: '  ' }, 'text'],
    [{ day: '2026-07-10', text: 'x'.repeat(201) }, 'text'],
    [{ day: '2026-07-10', text: 'x', kind: 'price' }, 'kind'],
  ])('are refused as %o, naming %s', async (body, field) => {
    const { status, body: answer } = await (await shared).add(body);
    expect(status).toBe(400);
    expect(answer.error.hint).toStartWith(`${field}: `);
  });

  test.each([
    'days=0',
    'days=401',
    'from=2026-07-01',
    'from=2026-07-02&to=2026-07-01',
    'timezone=Mars/X',
  ])('are not listed for %s', async (query) => {
    expect((await (await shared).get(`?${query}`)).status).toBe(400);
  });
});
const shared = newApp();

describe('marks that follow from what is there', () => {
  test('are experiments at their start and stop, on days of the zone', async () => {
    const { get, appId } = await newApp();
    const times = [
      ['ran', '2026-07-01T02:00:00Z', '2026-07-10T12:00:00Z'],
      ['runs', '2026-07-12T12:00:00Z', null],
      ['long ago', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'],
      ['never', null, null],
    ] as const;
    for (const [name, started, stopped] of times) {
      const status = started === null ? 'draft' : stopped === null ? 'running' : 'stopped';
      await deps.sql`
        INSERT INTO experiments
          (experiment_id, org_id, app_id, name, status, arms, created_at, started_at, stopped_at)
        VALUES (${`exp_${appId}_${name}`}, ${org.orgId}, ${appId}, ${name}, ${status}, '[]',
          now(), ${started}, ${stopped})`;
    }
    const { marks } = (await get(`?timezone=${ZONE}`)).body;
    expect(marks.map(({ kind, day, text, at }: any) => [kind, day, text, at])).toEqual([
      ['experiment_started', '2026-06-30', 'Experiment “ran” started', '2026-07-01T02:00:00.000Z'],
      ['experiment_stopped', '2026-07-10', 'Experiment “ran” stopped', '2026-07-10T12:00:00.000Z'],
      ['experiment_started', '2026-07-12', 'Experiment “runs” started', '2026-07-12T12:00:00.000Z'],
    ]);
    expect(marks[0].experimentId).toBe(`exp_${appId}_ran`);
  });

  test('are prices that changed by the reports of the store', async () => {
    const { get, appId } = await newApp();
    const { sql } = deps;
    await sql`
      INSERT INTO store_connections (org_id, connection_id, issuer_id, key_id, vendor_number,
        sealed_key, status, connected_at)
      VALUES (${org.orgId}, ${`con_${appId}`}, 'i', 'k', '800', 's', 'connected', now())`;
    const own = { storeAppId: '900', name: 'Focus', bundleId: 'com.example.focus', sku: 'FOCUS' };
    await upsertStoreApps(sql, org.orgId, [own]);
    await sql.begin((tx) => link(tx, org.orgId, { storeAppId: '900', appId, at: new Date(NOW) }));
    await sql.begin(async (tx) => {
      for (const day of eachDay('2026-06-01', '2026-07-14')) {
        const scope = { orgId: org.orgId, vendorNumber: '800', reportType: 'SALES', day } as const;
        const sold = (line: number, country: string, since: string) => ({
          line,
          storeId: '555',
          parentStoreId: null,
          sku: 'coins',
          parentSku: 'FOCUS',
          title: 'Coins',
          productType: 'IA1',
          country,
          device: 'iPhone',
          units: '2',
          bundleCredit: false,
          isRenewal: null,
          trials: 0,
          proceeds: '1.4',
          proceedsCurrency: 'USD',
          customerSpend: day >= since ? '2.58' : '1.98',
          customerCurrency: 'USD',
        });
        await insertFacts(tx, scope, [sold(1, 'US', '2026-07-03'), sold(2, 'CA', '2026-07-05')]);
      }
    });
    const { marks } = (await get()).body;
    expect(marks.map(({ day, text }: any) => [day, text])).toEqual([
      ['2026-07-03', 'Price of Coins: 0.99 USD → 1.29 USD in US and 1 more country'],
    ]);
    expect(marks[0].price).toMatchObject({ productId: 'coins', countries: 2, toMinor: 129 });
  });

  test('are versions on the first day with three people and five percent of all, as plain loops find', async () => {
    const { get, device, appId } = await newApp();
    await call(`/v1/apps/${appId}/settings`, {
      method: 'PATCH',
      headers: org.key,
      body: { timezone: ZONE },
    });
    const random = randomFrom(5);
    const below = (n: number) => Math.floor(random() * n);
    const format = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, dateStyle: 'short' });
    const sent: { person: string; version: string | null; ms: number }[] = [];
    for (let ago = 80; ago >= 0; ago -= 1) {
      // Releases every twelve days, taken up slowly; now and then somebody has a version of their own.
      const newest = Math.floor((80 - ago) / 12);
      for (let n = 0; n < 18; n += 1) {
        const isStray = below(60) === 0;
        const version = isStray
          ? `dev-${below(3)}`
          : `1.${Math.max(0, newest - (below(5) === 0 ? 0 : 1))}`;
        const person = `person-${String(below(90)).padStart(4, '0')}`;
        const ms = NOW - 3_600_000 - ago * DAY - below(20) * 3_600_000;
        sent.push({ person, version: below(30) === 0 ? null : version, ms });
      }
    }
    const byVersion = Map.groupBy(sent, ({ version }) => version);
    for (const [version, events] of byVersion) {
      for (let n = 0; n < events.length; n += 100) {
        const body = {
          events: events.slice(n, n + 100).map(({ person, ms }) => ({
            name: 'app_opened',
            anonymousId: person,
            ts: new Date(ms).toISOString(),
          })),
          context: version === null ? {} : { appVersion: version },
        };
        expect((await call('/v1/events', { body, headers: device })).status).toBe(202);
      }
      if (version === '1.2') await compactEverything(deps);
    }

    const days = Map.groupBy(sent, ({ ms }) => format.format(ms));
    const first = new Map<string, string>();
    for (const day of [...days.keys()].toSorted()) {
      if (day >= format.format(NOW)) continue;
      const own = days.get(day) ?? [];
      const everybody = new Set(own.map(({ person }) => person)).size;
      for (const [version, events] of Map.groupBy(own, (one) => one.version)) {
        const people = new Set(events.map(({ person }) => person)).size;
        if (version === null || first.has(version) || people < 3 || people < 0.05 * everybody)
          continue;
        first.set(version, day);
      }
    }
    const expected = (from: string) =>
      [...first]
        .filter(([, day]) => day >= from)
        .map(([version, day]) => [day, `Version ${version} first seen`])
        .toSorted();
    const found = async (query: string) =>
      (await get(query)).body.marks.map(({ day, text }: any) => [day, text]).toSorted();
    expect(expected('2026-06-18').length).toBeGreaterThan(1);
    expect(await found('')).toEqual(expected('2026-06-18'));
    expect(await found('?days=100')).toEqual(expected('2026-04-07'));
    expect([...first.keys()].some((version) => version.startsWith('dev'))).toBe(false);
  });

  test('are none for an app of which nothing is known, nor for days to come', async () => {
    const { get } = await newApp();
    expect((await get()).body.marks).toEqual([]);
    expect((await get('?from=2026-08-01&to=2026-08-20')).body.marks).toEqual([]);
    expect(kinds((await get('?days=400')).body.marks)).toEqual([]);
  });
});

describe('a morning digest', () => {
  test('tells the marks of the last seven days that no digest told yet, once each', async () => {
    const own = await createTestOrg(service);
    const app = await createTestApp(service, own.orgId);
    const body = { isOn: true, timezone: 'Europe/Berlin', hour: 8 };
    await call('/v1/digests', { method: 'PUT', headers: own.key, body });
    const note = async (day: string) =>
      (await call(`/v1/apps/${app.appId}/marks`, { headers: own.key, body: { day, text: day } }))
        .body;
    const told = async (day: string) => {
      clock.now = Date.parse(`${day}T06:00:00Z`);
      const input = { orgId: own.orgId, startedMs: clock.now };
      await writeDigest({ deps: deps as any, requestId: 'test' }, input);
      const [row] = await deps.sql<[{ digest: any }]>`
        SELECT digest FROM digests WHERE org_id = ${own.orgId} AND day = ${day}`;
      return row.digest.apps[0].marks.map(({ text }: { text: string }) => text);
    };
    for (const day of ['2026-07-03', '2026-07-04', '2026-07-12']) await note(day);
    await deps.sql`
      INSERT INTO experiments (experiment_id, org_id, app_id, name, status, arms, created_at,
        started_at)
      VALUES (${`exp_${app.appId}`}, ${own.orgId}, ${app.appId}, 'A', 'running', '[]', now(),
        '2026-07-09T12:00:00Z')`;
    const withdrawn = await note('2026-07-10');
    // The seven days that end with the tenth begin with the fourth.
    expect(await told('2026-07-10')).toEqual([
      '2026-07-04',
      'Experiment “A” started',
      '2026-07-10',
    ]);
    const remove = `/v1/apps/${app.appId}/marks/${withdrawn.id}`;
    expect((await call(remove, { method: 'DELETE', headers: own.key })).status).toBe(204);
    expect(await told('2026-07-11')).toEqual([]);
    // Written late, for a day that a digest has told of already.
    await note('2026-07-08');
    await deps.sql`
      UPDATE experiments SET status = 'stopped', stopped_at = '2026-07-12T05:00:00Z'
      WHERE org_id = ${own.orgId}`;
    expect(await told('2026-07-12')).toEqual([
      '2026-07-08',
      '2026-07-12',
      'Experiment “A” stopped',
    ]);
    expect(await told('2026-07-13')).toEqual([]);
    // Twenty at once, the others with the next.
    await deps.sql`
      INSERT INTO mark_notes
      SELECT 'mrk_' || ${app.appId} || n, ${own.orgId}, ${app.appId}, '2026-07-14', 'n' || n,
        'user', 'u', now() FROM generate_series(1, 25) n`;
    expect(await told('2026-07-14')).toHaveLength(20);
    expect(await told('2026-07-15')).toHaveLength(5);
  });
});
