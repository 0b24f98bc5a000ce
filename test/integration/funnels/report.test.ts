import { describe, expect, test } from 'bun:test';
import { setFunnelWindow } from '../../../src/modules/funnels/funnels.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);

const NOW = deps.clock().getTime();
const DAY = 86_400_000;
const at = (daysAgo: number, seconds = 0) =>
  new Date(NOW - daysAgo * DAY + seconds * 1_000).toISOString();

type Sent = { name: string; ts?: string; anonymousId: string; userId?: string; props?: object };

async function newApp() {
  const app = await createTestApp(service, org.orgId);
  const send = async (events: Sent[], context: object = { platform: 'ios', appVersion: '1.0' }) => {
    for (let start = 0; start < events.length; start += 100) {
      const body = { events: events.slice(start, start + 100), context };
      const answer = await call('/v1/events', { body, headers: app.device });
      expect(answer.status).toBe(202);
    }
  };
  const { body: funnel } = await call(`/v1/apps/${app.appId}/funnels`, {
    headers: org.key,
    body: {
      name: 'Main',
      steps: [
        { event: 'app_opened', label: 'Opened' },
        { event: 'paywall_viewed', label: '=Paywall, "b"', where: { prop: 'v', equals: '2' } },
        { event: 'purchase_completed', label: 'Bought' },
      ],
    },
  });
  const path = `/v1/apps/${app.appId}/funnels/${funnel.id}`;
  const get = (tail: string, headers: Record<string, string> = {}) =>
    call(`${path}${tail}`, { headers: { ...org.key, ...headers } });
  return { ...app, send, funnel, path, get };
}

/** People who open the app; of each ten, five see the right paywall after 60 s, one buys after 90 s. */
function crowd(count: number, prefix: string, daysAgo: number): Sent[] {
  return Array.from({ length: count }, (_, i) => {
    const anonymousId = `${prefix}-person-${i}`;
    const events: Sent[] = [{ name: 'app_opened', ts: at(daysAgo), anonymousId }];
    const props = { v: i % 2 === 0 ? 2 : 1 };
    events.push({ name: 'paywall_viewed', ts: at(daysAgo, 60), anonymousId, props });
    if (i % 10 === 0) events.push({ name: 'purchase_completed', ts: at(daysAgo, 90), anonymousId });
    return events;
  }).flat();
}

describe('a funnel report', () => {
  test('says what people did, at once and the same after compaction', async () => {
    const { send, get, funnel, appId } = await newApp();
    await send(crowd(100, 'a', 20));
    const first = await get('/report');
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      funnelId: funnel.id,
      appId,
      name: 'Main',
      window: { days: 30 },
      conversionWindowHours: 336,
      timezone: 'UTC',
      filters: { platform: null, appVersion: null, country: null },
      people: 100,
      maturePeople: 100,
      minimumPeople: 50,
      verdict: 'ready',
      breakdown: null,
      overall: { rate: 0.1, medianSeconds: 90 },
    });
    expect(first.body.trend).toBeUndefined();
    expect(first.body.steps[0]).toEqual({
      index: 1,
      event: 'app_opened',
      label: 'Opened',
      where: null,
      people: 100,
      rateFromPrevious: null,
      rateFromStart: 1,
      rateFromPreviousLow: null,
      rateFromPreviousHigh: null,
      medianSecondsFromPrevious: null,
      medianSecondsFromStart: null,
      dropped: 0,
      verdict: 'entry',
    });
    expect(first.body.steps[1]).toMatchObject({
      where: { prop: 'v', equals: '2' },
      people: 50,
      rateFromPrevious: 0.5,
      rateFromStart: 0.5,
      medianSecondsFromPrevious: 60,
      dropped: 50,
      verdict: 'biggest_leak',
    });
    expect(first.body.steps[1].rateFromPreviousLow).toBeCloseTo(0.4038, 4);
    expect(first.body.steps[1].rateFromPreviousHigh).toBeCloseTo(0.5962, 4);
    expect(first.body.steps[2]).toMatchObject({
      people: 10,
      rateFromPrevious: 0.2,
      rateFromStart: 0.1,
      medianSecondsFromPrevious: 30,
      medianSecondsFromStart: 90,
      dropped: 40,
      verdict: 'leak',
    });
    const figures = ({ body }: typeof first) => ({
      ...body,
      computedAt: 0,
      dataThrough: 0,
      window: 0,
    });
    await compactEverything(deps);
    expect(figures(await get('/report'))).toEqual(figures(first));
    // The same batch again, as a client that lost the answer sends it.
    await send(crowd(100, 'a', 20));
    expect(figures(await get('/report'))).toEqual(figures(first));
  });

  test('shows an event right after its 202, even from a device that is minutes ahead', async () => {
    const { send, get } = await newApp();
    await send(crowd(60, 'b', 0).map((event) => ({ ...event, ts: at(0, 300) })));
    expect((await get('/report?days=1')).body).toMatchObject({ people: 60, maturePeople: 0 });
    await send([{ name: 'app_opened', anonymousId: 'without-a-time' }]);
    expect((await get('/report?days=1')).body.people).toBe(61);
  });

  test('refuses to draw a result from fewer than fifty people, and says how many there are', async () => {
    const { send, get } = await newApp();
    const none = (await get('/report')).body;
    expect(none).toMatchObject({ people: 0, verdict: 'no_data', overall: { rate: null } });
    await send(crowd(49, 'c', 5));
    const few = (await get('/report?breakdown=platform&interval=week')).body;
    expect(few).toMatchObject({ people: 49, verdict: 'too_few_people' });
    for (const step of [...few.steps, ...few.breakdown.values[0].steps]) {
      const { index, event, label, where, ...figures } = step;
      expect([index, event, label, where]).not.toContain(undefined);
      expect(Object.values(figures).every((figure) => figure === null)).toBe(true);
    }
    expect(few.overall).toEqual({ rate: null, rateLow: null, rateHigh: null, medianSeconds: null });
    for (const point of few.trend) expect(point.rate).toBeNull();
    expect((await get('/people?step=1')).status).toBe(409);
    expect((await get('/people?step=1')).body.error.code).toBe('conflict');
    await send([{ name: 'app_opened', ts: at(5), anonymousId: 'the-fiftieth' }]);
    expect((await get('/report')).body.verdict).toBe('ready');
    expect((await get('/people?step=1')).status).toBe(200);
  });

  test('takes someone who signs up for one person, also what they did weeks before', async () => {
    const { send, get } = await newApp();
    await send(crowd(60, 'd', 25));
    await compactEverything(deps);
    const before = (await get('/report')).body;
    // Two devices of one user become one person; nobody is counted twice.
    await send([
      { name: 'app_opened', ts: at(1), anonymousId: 'd-person-1', userId: 'user-1' },
      { name: 'purchase_completed', ts: at(1), anonymousId: 'd-person-2', userId: 'user-1' },
    ]);
    expect((await get('/report')).body.people).toBe(before.people - 1);
    await compactEverything(deps);
    expect((await get('/report')).body.people).toBe(before.people - 1);
  });

  test('is broken down and filtered by what the counted start says', async () => {
    const { send, get } = await newApp();
    await send(crowd(70, 'e', 10), { platform: 'ios', appVersion: '1.0', country: 'DE' });
    await send(crowd(55, 'f', 10), { platform: 'android', appVersion: '2.0' });
    await send(crowd(3, 'g', 10), {});
    const report = (await get('/report?breakdown=platform')).body;
    expect(report.people).toBe(128);
    expect(report.breakdown.values.map((one: any) => [one.value, one.people, one.verdict])).toEqual(
      [
        ['ios', 70, 'ready'],
        ['android', 55, 'ready'],
        ['other', 3, 'too_few_people'],
      ],
    );
    for (const [query, people] of [
      ['platform=ios', 70],
      ['platform=android&appVersion=2.0', 55],
      ['appVersion=unknown', 3],
      ['country=DE', 70],
      ['country=XX', 0],
    ] as const) {
      expect((await get(`/report?${query}`)).body.people).toBe(people);
    }
    const filtered = (await get('/report?platform=ios')).body;
    expect(filtered.filters).toEqual({ platform: 'ios', appVersion: null, country: null });
    expect(filtered.steps).toEqual(report.breakdown.values[0].steps);
    const byProp = (await get('/report?breakdown=prop:v')).body.breakdown;
    expect(byProp).toMatchObject({ by: 'prop:v', values: [{ value: 'unknown', people: 128 }] });
  });

  test('shows twenty values, one named other among them, and the rest as other', async () => {
    const { send, get } = await newApp();
    const people = Array.from({ length: 25 * 60 }, (_, i) => ({
      name: 'app_opened',
      ts: at(3),
      anonymousId: `many-values-${i}`,
      props: { plan: i % 5 === 0 ? 'other' : `plan-${i % 23}` },
    }));
    await send(people);
    const { values } = (await get('/report?breakdown=prop:plan')).body.breakdown;
    expect(values).toHaveLength(21);
    const others = values.filter((one: any) => one.value === 'other');
    expect(others.map(({ people, rest }: any) => [people, rest])).toEqual([
      [300, undefined],
      [values[20].people, true],
    ]);
    expect(values[0]).toBe(others[0]);
    expect(values.reduce((sum: number, one: any) => sum + one.people, 0)).toBe(1_500);
  });

  test('draws a trend by the local date of step 1', async () => {
    const { send, get } = await newApp();
    await send(crowd(60, 'h', 2));
    await send(crowd(20, 'i', 1));
    const query = 'days=5&interval=day&timezone=America/New_York';
    const { trend, people } = (await get(`/report?${query}`)).body;
    expect(people).toBe(80);
    expect(trend.length).toBeGreaterThanOrEqual(5);
    expect(trend.filter((point: any) => point.verdict === 'ready')).toHaveLength(1);
    expect(trend.find((point: any) => point.verdict === 'ready')).toMatchObject({
      people: 60,
      rate: 0.1,
    });
    expect(trend.reduce((sum: number, point: any) => sum + point.people, 0)).toBe(80);
    expect(trend.map((point: any) => point.partial ?? false)).toEqual(
      trend.map((_: any, index: number) => index === 0 || index === trend.length - 1),
    );
    for (const point of trend) expect(point.from).toMatch(/T0[45]:00:00.000Z$/);
    expect((await get('/report?days=30&interval=week')).body.trend.length).toBeLessThan(7);
  });

  test('who never goes on stays in the interval and group in which they first came', async () => {
    const { send, get } = await newApp();
    const opened = (daysAgo: number) =>
      Array.from({ length: 60 }, (_, index) => ({
        name: 'app_opened',
        ts: at(daysAgo),
        anonymousId: `returning-${index}`,
      }));
    await send(opened(9), { appVersion: '1' });
    await send(opened(2), { appVersion: '2' });
    await send(crowd(60, 'repaired', 2), { appVersion: '2' });
    const query = 'days=10&interval=day&timezone=UTC';
    const { trend, people } = (await get(`/report?${query}`)).body;
    expect(people).toBe(120);
    expect(trend.filter((one: any) => one.people > 0).map((one: any) => one.people)).toEqual([
      60, 60,
    ]);
    const { values } = (await get('/report?breakdown=appVersion')).body.breakdown;
    expect(values.map((one: any) => [one.value, one.people, one.overall.rate])).toEqual([
      ['1', 60, 0],
      ['2', 60, 0.1],
    ]);
    // Of them only the later ones were never there before the last five days.
    const asked = '/report?days=5&people=new';
    const report = (await get(asked)).body;
    expect(report).toMatchObject({
      people: 60,
      filters: { people: 'new' },
      overall: { rate: 0.1 },
    });
    expect((await get('/report?days=5')).body).toMatchObject({ people: 120 });
    const byVersion = (await get(`${asked}&breakdown=appVersion&interval=day`)).body;
    expect(byVersion.breakdown.values).toMatchObject([{ value: '2', people: 60 }]);
    const list = (await get('/people?days=5&people=new&step=1')).body;
    expect(list.people).toHaveLength(60);
    expect(list.people.every((one: any) => one.personId.startsWith('repaired'))).toBe(true);
  });

  test('takes dates and intervals in the zone of the app', async () => {
    const { send, get, appId } = await newApp();
    await call(`/v1/apps/${appId}/settings`, {
      method: 'PATCH',
      headers: org.key,
      body: { timezone: 'America/Los_Angeles' },
    });
    await send(crowd(60, 'pacific', 2));
    const day = new Intl.DateTimeFormat('en-CA', {
      timeZone: 'America/Los_Angeles',
      dateStyle: 'short',
    }).format(new Date(at(2)));
    const { timezone, window, people, trend } = (
      await get(`/report?from=${day}&to=${day}&interval=day`)
    ).body;
    expect({ timezone, people }).toEqual({ timezone: 'America/Los_Angeles', people: 60 });
    expect(window.from).toMatch(/T0[78]:00:00.000Z$/);
    expect(trend[0].from).toBe(window.from);
    const utc = (await get(`/report?from=${day}&to=${day}&timezone=UTC`)).body;
    expect(utc).toMatchObject({ timezone: 'UTC', window: { from: `${day}T00:00:00.000Z` } });
  });

  test('compares with no window of which the app saw less than half', async () => {
    const { send, get } = await newApp();
    await send(crowd(60, 'young', 3));
    await send(crowd(60, 'first', 12));
    const asked = async (days: number) =>
      (await get(`/report?days=${days}&compare=previous`)).body.comparison;
    const none = await asked(10);
    expect(none.notice).toContain('nothing is compared');
    expect(none).toMatchObject({ people: 60, verdict: 'ready' });
    expect(none.steps.every((step: any) => step.fromStart === null)).toBe(true);
    const some = await asked(7);
    expect(some.notice).toBeUndefined();
    expect(some.steps[1].fromStart.difference).toBe(0);
  });

  test('takes a country for the same however it is written', async () => {
    const { send, get } = await newApp();
    await send(crowd(60, 'upper', 2), { country: 'DE' });
    await send(crowd(60, 'lower', 2), { country: 'de' });
    const { breakdown } = (await get('/report?breakdown=country')).body;
    expect(breakdown.values).toMatchObject([{ value: 'DE', people: 120 }]);
    for (const country of ['DE', 'de', 'De']) {
      expect((await get(`/report?country=${country}`)).body.people).toBe(120);
    }
  });

  test('counts within the window that is asked for', async () => {
    const { send, get } = await newApp();
    await send(crowd(50, 'j', 40));
    const day = at(40).slice(0, 10);
    expect((await get('/report')).body.people).toBe(0);
    expect((await get('/report?days=41')).body.people).toBe(50);
    const dated = (await get(`/report?from=${day}&to=${day}`)).body;
    expect(dated).toMatchObject({ people: 50, window: { days: 1, from: `${day}T00:00:00.000Z` } });
    const exact = `from=${encodeURIComponent(at(40))}&to=${encodeURIComponent(at(40, 1))}`;
    expect((await get(`/report?${exact}`)).body.people).toBe(50);
    const tooEarly = `from=${encodeURIComponent(at(41))}&to=${encodeURIComponent(at(40))}`;
    expect((await get(`/report?${tooEarly}`)).body.people).toBe(0);
    expect((await get('/report?days=41&windowHours=1')).body.steps[2].people).toBe(5);
  });

  test.each([
    'days=0',
    'days=401',
    'days=1.5',
    'days=x',
    'days=5&from=2026-01-01&to=2026-01-02',
    'from=2026-01-01',
    'to=2026-01-01',
    'from=2026-01-02&to=2026-01-01',
    'from=2026-02-30&to=2026-03-01',
    'from=2024-01-01&to=2026-01-01',
    'from=2026-01-01T00:00:00&to=2026-01-02',
    'timezone=Mars/Olympus',
    'breakdown=prop:',
    'breakdown=size',
    'interval=hour',
    'windowHours=0',
    'windowHours=2161',
  ])('refuses %s', async (query) => {
    const { get } = await shared;
    const answer = await get(`/report?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_input' });
    expect(answer.body.error.hint).toBeString();
  });

  test('gives people as long to convert as the app says, unless it is asked otherwise', async () => {
    const { send, get, appId } = await newApp();
    const ctx = { deps, requestId: 'test' };
    await setFunnelWindow(ctx, { appId, hours: 2 });
    await setFunnelWindow(ctx, { appId, hours: 1 });
    const slow = Array.from({ length: 60 }, (_, i) => {
      const anonymousId = `slow-person-${i}`;
      const paywall = { name: 'paywall_viewed', ts: at(1, 3_601), anonymousId, props: { v: 2 } };
      return [{ name: 'app_opened', ts: at(1), anonymousId }, paywall];
    });
    await send(slow.flat());
    const { conversionWindowHours, steps } = (await get('/report')).body;
    expect([conversionWindowHours, steps[1].people]).toEqual([1, 0]);
    expect((await get('/report?windowHours=2')).body.steps[1].people).toBe(60);
    const nobody = { appId: 'app_of_nobody', hours: 1 };
    expect(setFunnelWindow(ctx, nobody)).rejects.toThrow('There is no app');
  });

  test('gives its steps as CSV to who asks for it', async () => {
    const { send, get } = await newApp();
    await send(crowd(60, 'k', 4));
    const { status, headers, text } = await get('/report', { accept: 'text/csv' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('x-request-id')).toStartWith('req_');
    const lines = text.split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toStartWith('index,event,label,people,dropped,rateFromPrevious');
    expect(lines[1]).toBe('1,"app_opened","Opened",60,0,,,,1,,,"entry"');
    expect(lines[2]).toStartWith(`2,"paywall_viewed","'=Paywall, ""b""",30,30,0.5,`);
    const both = await get('/report', { accept: 'application/json, text/csv' });
    expect(both.body.people).toBe(60);
  });
});

const shared = newApp();

describe('the people behind a figure', () => {
  test('are as many as the figure says, page by page', async () => {
    const { send, get } = await newApp();
    await send(crowd(120, 'l', 6));
    const all = async (query: string) => {
      const found: any[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: any = await get(`/people?${query}&limit=17${cursor && `&cursor=${cursor}`}`);
        expect(page.status).toBe(200);
        found.push(...page.body.people);
        cursor = page.body.nextCursor;
      }
      expect(new Set(found.map((one) => one.personId)).size).toBe(found.length);
      return found;
    };
    const { steps } = (await get('/report')).body;
    for (const step of steps) {
      expect(await all(`step=${step.index}`)).toHaveLength(step.people);
      expect(await all(`step=${step.index}&dropped=true`)).toHaveLength(step.dropped);
    }
    expect((await all('step=3'))[0]).toEqual({ personId: 'l-person-0', reachedAt: at(6, 90) });
    expect((await all('step=2&dropped=true'))[0]).toEqual({
      personId: 'l-person-1',
      reachedAt: at(6),
    });
  });

  test.each([
    '',
    'step=0',
    'step=13',
    'step=4',
    'step=1&cursor=%25',
    'step=1&limit=0',
    'step=1&dropped=maybe',
  ])('are refused for "%s"', async (query) => {
    const { get } = await shared;
    expect((await get(`/people?${query}`)).status).toBe(400);
  });
});
