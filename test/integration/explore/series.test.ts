import { describe, expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const NOW = deps.clock().getTime();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ZONE = 'America/New_York';

const format = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, dateStyle: 'short' });
const dateOf = (ms: number) => format.format(ms);
/** Whole days between local dates. */
const daysAgo = (ms: number) =>
  Math.round((Date.parse(dateOf(NOW)) - Date.parse(dateOf(ms))) / DAY);

async function newApp() {
  const app = await createTestApp(service, org.orgId);
  const send = async (events: object[], context?: object) => {
    const body = { events, ...(context && { context }) };
    expect((await call('/v1/events', { body, headers: app.device })).status).toBe(202);
  };
  const get = (tail: string) => call(`/v1/apps/${app.appId}/events/${tail}`, { headers: org.key });
  const zone = (timezone: string) =>
    call(`/v1/apps/${app.appId}/settings`, {
      method: 'PATCH',
      headers: org.key,
      body: { timezone },
    });
  return { ...app, send, get, zone };
}

type Sent = { name: string; ms: number; anonymousId: string; userId?: string; plan: number };

/** Eighty devices over eleven weeks; some sign in at last, which stitches what they did before. */
function history(): Sent[] {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const events: Sent[] = [];
  for (let device = 0; device < 80; device += 1) {
    const anonymousId = `device-${String(device).padStart(4, '0')}`;
    for (let n = 0; n < 2 + random(12); n += 1) {
      const ms = NOW - 60_000 - random(77 * 24 * 60) * 60_000;
      const name = random(3) === 0 ? 'bought' : 'opened';
      events.push({ name, ms, anonymousId, plan: random(9) });
    }
    // Two devices share a user.
    if (device % 4 === 0) {
      const userId = `user-${Math.floor(device / 8)}`;
      events.push({ name: 'opened', ms: NOW - 90_000, anonymousId, userId, plan: 1 });
    }
  }
  return events;
}

describe('the series of events', () => {
  test('equals plain loops over what was sent, by days of the app’s zone', async () => {
    const { send, get, zone } = await newApp();
    expect((await zone(ZONE)).body).toMatchObject({ timezone: ZONE });
    const events = history();
    const wire = events.map(({ ms, plan, ...event }, n) => ({
      ...event,
      id: `event-${String(n).padStart(6, '0')}`,
      ts: new Date(ms).toISOString(),
      props: { plan },
    }));
    for (let n = 0; n < wire.length; n += 100) {
      await send(wire.slice(n, n + 100));
      if (n === 200) await compactEverything(deps);
    }
    // Sent again: counted once.
    await send(wire.slice(50, 150));

    const userOf = new Map<string, string>();
    for (const { anonymousId, userId } of events) if (userId) userOf.set(anonymousId, userId);
    const people = (list: Sent[]) =>
      new Set(list.map((one) => userOf.get(one.anonymousId) ?? one.anonymousId)).size;
    const within = (from: number, to: number) =>
      events.filter(({ ms }) => daysAgo(ms) >= from && daysAgo(ms) <= to);

    const series = (await get('series?active=true')).body;
    const [now, before] = [within(1, 28), within(29, 56)];
    expect(series.timezone).toBe(ZONE);
    expect(series.totals).toEqual({
      people: people(now),
      events: now.length,
      previousPeople: people(before),
      previousEvents: before.length,
      peopleChange: people(before) < 50 ? null : people(now) / people(before) - 1,
      eventsChange: people(before) < 50 ? null : now.length / before.length - 1,
    });
    expect(series.points).toHaveLength(29);
    for (const [index, point] of series.points.entries()) {
      const ago = 28 - index;
      const day = within(ago, ago);
      expect(daysAgo(Date.parse(point.from))).toBe(ago);
      expect(point.people).toBe(people(day));
      expect(point.events).toBe(day.length);
      expect(point.partial).toBe(ago === 0 ? true : undefined);
      const past = within(ago + 28, ago + 28);
      expect(point.previousPeople).toBe(ago === 0 ? undefined : people(past));
      expect(point.previousEvents).toBe(ago === 0 ? undefined : past.length);
    }
    const ratios: number[] = [];
    for (const [index, point] of series.active.points.entries()) {
      const ago = 28 - index;
      const mau = people(within(ago, ago + 27));
      expect(point.dau).toBe(people(within(ago, ago)));
      expect(point.wau).toBe(people(within(ago, ago + 6)));
      expect(point.mau).toBe(mau);
      if (ago > 0 && mau > 0) ratios.push(point.dau / mau);
    }
    expect(series.active.dauOverMau).toBeCloseTo(
      ratios.reduce((total, ratio) => total + ratio, 0) / ratios.length,
      12,
    );

    const named = (await get('series?names=opened,bought&interval=week&days=21&compare=false'))
      .body;
    expect(named.series.map(({ key }: { key: string }) => key)).toEqual(['opened', 'bought']);
    for (const { from } of named.points) {
      expect(new Date(`${dateOf(Date.parse(from))}T00:00:00Z`).getUTCDay()).toBe(1);
    }
    const [first] = named.points;
    const bought = events.filter(
      ({ name, ms }) =>
        name === 'bought' &&
        ms >= Date.parse(first.from) &&
        ms < Date.parse(named.window.finishedThrough),
    );
    expect(named.series[1].totals.events).toBe(bought.length);
    expect(named.series[1].totals.people).toBe(people(bought));
    expect(named.totals.previousPeople).toBeNull();

    const plans = (await get('series?breakdown=prop:plan&names=opened&days=28')).body;
    const opened = within(0, 28).filter(({ name }) => name === 'opened');
    const largest = [...Map.groupBy(opened, ({ plan }) => plan)]
      .toSorted(([a, x], [b, y]) => y.length - x.length || a - b)
      .slice(0, 6)
      .map(([plan]) => String(plan));
    expect(plans.series.map(({ key }: { key: string }) => key)).toEqual([...largest, 'other']);
    const filtered = (await get('series?property=plan=3&days=28')).body;
    const third = now.filter(({ plan }) => plan === 3);
    expect(filtered.totals.people).toBe(people(third));
    expect(filtered.totals.events).toBe(third.length);
  });

  test('by hours ends with the one that is not over', async () => {
    const { send, get } = await newApp();
    const at = NOW - HOUR;
    await send([{ name: 'opened', ts: new Date(at).toISOString(), anonymousId: 'person-0001' }]);
    const { points, totals } = (await get('series?interval=hour&days=1')).body;
    expect(points.at(-1).partial).toBe(true);
    expect(points.filter(({ partial }: { partial?: boolean }) => partial)).toHaveLength(1);
    const hour = points.find(
      ({ from }: { from: string }) => Date.parse(from) <= at && at < Date.parse(from) + HOUR,
    );
    expect(hour).toMatchObject({ people: 1, events: 1 });
    expect(totals.peopleChange).toBeNull();
  });

  test('of an app that never sent any is zeros', async () => {
    const { get } = await newApp();
    const { status, body } = await get('series?days=2&breakdown=platform');
    expect(status).toBe(200);
    expect(body.totals).toMatchObject({ people: 0, events: 0, previousPeople: 0 });
    expect(body.series).toEqual([]);
  });

  test.each([
    ['interval=fortnight', 'interval'],
    ['days=401', 'days'],
    ['days=3&from=2026-01-01&to=2026-01-02', 'days'],
    ['from=2026-01-01', 'to'],
    ['from=2026-02-30&to=2026-03-01', 'from'],
    ['from=2026-01-02&to=2026-01-01', 'to'],
    ['from=2099-01-01&to=2099-01-02', 'from'],
    ['from=2020-01-01&to=2026-01-02', 'from'],
    ['timezone=Mars/Olympus', 'timezone'],
    ['names=Opened', 'names'],
    ['names=a,b,c,d,e,f,g', 'names'],
    ['names=a,b&breakdown=platform', 'breakdown'],
    ['active=true&interval=week', 'active'],
    ['interval=hour&days=60', 'interval'],
    ['breakdown=colour', 'breakdown'],
    ['property=plan', 'property'],
  ])('is refused with %s, which names %s', async (query, field) => {
    const { get } = await newApp();
    const { status, body } = await get(`series?${query}`);
    expect(status).toBe(400);
    expect(body.error.hint).toStartWith(`${field}: `);
  });
});

describe('values', () => {
  const of = (values: readonly (string | number)[], props: (value: string | number) => object) =>
    values.map((value, index) => ({
      name: 'opened',
      anonymousId: `value-${String(index).padStart(4, '0')}`,
      ts: new Date(NOW - DAY).toISOString(),
      props: props(value),
    }));

  test('a value that is called other has a series, and the rest is marked', async () => {
    const { send, get } = await newApp();
    const times: [string, number][] = [
      ['other', 9],
      ['a', 8],
      ['b', 7],
      ['c', 6],
      ['d', 5],
    ];
    times.push(['e', 4], ['f', 3], ['g', 2]);
    const values = times.flatMap(([value, count]) => Array.from({ length: count }, () => value));
    await send(of(values, (plan) => ({ plan })));
    const { series } = (await get('series?breakdown=prop:plan&compare=false')).body;
    expect(series.map((one: any) => [one.key, one.rest, one.totals.events])).toEqual([
      ['other', undefined, 9],
      ['a', undefined, 8],
      ['b', undefined, 7],
      ['c', undefined, 6],
      ['d', undefined, 5],
      ['e', undefined, 4],
      ['other', true, 5],
    ]);
  });

  test('are listed as filters want them, also numbers with an exponent', async () => {
    const { send, get } = await newApp();
    const numbers = [1e21, -1.5e300, 1e-7, 1e20, 2 ** 53, 0.5];
    await send(of([...numbers, '1e21'], (n) => ({ n })));
    const wanted = [...numbers.map(String), '1e21'].toSorted();
    const { series } = (await get('series?breakdown=prop:n&compare=false')).body;
    const keys = series.filter((one: any) => !one.rest).map((one: any) => one.key);
    for (const key of keys) expect(wanted).toContain(key);
    const { properties } = (await get('properties?name=opened')).body;
    const listed = properties[0].values.map(({ value }: any) => value);
    expect(listed.toSorted()).toEqual(wanted);
    for (const value of listed) {
      const filter = encodeURIComponent(`n=${value}`);
      expect((await get(`series?property=${filter}`)).body.totals.events).toBe(1);
    }
  });

  test('are as long as code points say, not halves of pairs', async () => {
    const { send, get } = await newApp();
    const [name, value] = ['😀'.repeat(64), '🎉'.repeat(200)];
    await send(of([value], (text) => ({ [name]: text })));
    const asked = async (prop: string, equals: string) =>
      get(`series?property=${encodeURIComponent(`${prop}=${equals}`)}`);
    expect((await asked(name, value)).body.totals.events).toBe(1);
    expect((await asked(`${name}😀`, value)).status).toBe(400);
    expect((await asked(name, `${value}🎉`)).status).toBe(400);
    const by = (prop: string) => get(`series?breakdown=${encodeURIComponent(`prop:${prop}`)}`);
    expect((await by(name)).body.series[0].key).toBe(value);
    expect((await by(`${name}😀`)).status).toBe(400);
  });

  test('of days on which the app did not exist make no change', async () => {
    const { send, get } = await newApp();
    const at = (index: number, days: number) => ({
      name: 'opened',
      anonymousId: `young-${String(index).padStart(4, '0')}`,
      ts: new Date(NOW - days * DAY).toISOString(),
    });
    await send(Array.from({ length: 60 }, (_, index) => at(index, 16)));
    await send(Array.from({ length: 90 }, (_, index) => at(index, 3)));
    const young = (await get('series?days=14')).body;
    expect(young.notice).toContain('nothing is compared');
    expect(young.totals).toMatchObject({ people: 90, previousPeople: 60, peopleChange: null });
    const old = (await get('series?days=10')).body;
    expect(old.notice).toBeUndefined();
    expect(old.totals).toMatchObject({ people: 90, previousPeople: 60, peopleChange: 0.5 });
  });
});

describe('the settings of an app', () => {
  test('are those of UTC until somebody changes them', async () => {
    const { appId, zone } = await newApp();
    const read = () => call(`/v1/apps/${appId}/settings`, { headers: org.key });
    expect((await read()).body).toEqual({ timezone: 'UTC', pinnedViews: [] });
    expect((await zone('Europe/Berlin')).status).toBe(200);
    expect((await read()).body).toEqual({ timezone: 'Europe/Berlin', pinnedViews: [] });
    const refused = await zone('Berlin');
    expect(refused.status).toBe(400);
    expect(refused.body.error.hint).toStartWith('timezone: ');
    expect((await read()).body).toEqual({ timezone: 'Europe/Berlin', pinnedViews: [] });
  });

  test('keep up to six views of the console, and the zone beside them', async () => {
    const { appId, zone } = await newApp();
    const pin = (pinnedViews: object[]) =>
      call(`/v1/apps/${appId}/settings`, {
        method: 'PATCH',
        headers: org.key,
        body: { pinnedViews },
      });
    const view = { title: 'Buyers', page: 'trends', query: 'event=purchase_completed&days=90' };
    await zone('Europe/Berlin');
    const { status, body } = await pin([view]);
    expect([status, body]).toEqual([200, { timezone: 'Europe/Berlin', pinnedViews: [view] }]);
    for (const views of [
      Array.from({ length: 7 }, () => view),
      [{ ...view, query: '"><script>' }],
      [{ ...view, page: 'https://example.com' }],
      [{ ...view, title: '' }],
    ]) {
      expect((await pin(views)).status).toBe(400);
    }
    expect((await pin([])).body.pinnedViews).toEqual([]);
  });
});
