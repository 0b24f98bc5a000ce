import { describe, expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const NOW = deps.clock().getTime();
const DAY = 86_400_000;
const at = (daysAgo: number, ms = 0) => new Date(NOW - daysAgo * DAY + ms).toISOString();

async function newApp() {
  const app = await createTestApp(service, org.orgId);
  const send = async (events: object[], context?: object) => {
    for (let start = 0; start < events.length; start += 100) {
      const body = { events: events.slice(start, start + 100), ...(context && { context }) };
      expect((await call('/v1/events', { body, headers: app.device })).status).toBe(202);
    }
  };
  const get = async (tail: string) =>
    call(`/v1/apps/${app.appId}/events/${tail}`, { headers: org.key });
  return { ...app, send, get };
}

describe('the summary of events', () => {
  test('of an app that never sent any is empty', async () => {
    const { get } = await newApp();
    expect((await get('summary')).body).toEqual({
      window: { from: expect.any(String), to: expect.any(String) },
      people: 0,
      events: 0,
      firstEventAt: null,
      lastEventAt: null,
      names: [],
      platforms: [],
      versions: [],
    });
  });

  test('tells of no event in the future, however fast a clock is', async () => {
    const { send, get } = await newApp();
    await send([{ name: 'app_opened', ts: at(-0.005), anonymousId: 'person-one' }]);
    const { events, firstEventAt, lastEventAt } = (await get('summary')).body;
    expect(events).toBe(1);
    const now = new Date().toISOString();
    expect(lastEventAt <= now).toBe(true);
    expect(firstEventAt <= lastEventAt).toBe(true);
  });

  test('counts events and people, the same before and after compaction and resends', async () => {
    const { send, get } = await newApp();
    const ios = [
      { name: 'app_opened', ts: at(3), anonymousId: 'person-one' },
      { name: 'app_opened', ts: at(2), anonymousId: 'person-one' },
      { name: 'my_own_event', ts: at(2), anonymousId: 'person-two' },
      { name: 'app_opened', ts: at(40), anonymousId: 'person-old' },
    ];
    await send(ios, { platform: 'ios', appVersion: '1.0' });
    await send([{ name: 'app_opened', ts: at(1), anonymousId: 'person-two' }], {
      platform: 'web',
      appVersion: '2.0',
    });
    await send([{ name: 'app_opened', ts: at(0.5), anonymousId: 'person-three' }]);
    const expected = {
      window: { from: expect.any(String), to: expect.any(String) },
      people: 3,
      events: 5,
      firstEventAt: at(3),
      lastEventAt: at(0.5),
      names: [
        { name: 'app_opened', events: 4, people: 3, standard: true },
        { name: 'my_own_event', events: 1, people: 1, standard: false },
      ],
      platforms: [
        { platform: 'ios', people: 2 },
        { platform: 'other', people: 1 },
        { platform: 'web', people: 1 },
      ],
      versions: [
        { appVersion: '1.0', people: 2 },
        { appVersion: '2.0', people: 1 },
        { appVersion: 'unknown', people: 1 },
      ],
    };
    expect((await get('summary')).body).toEqual(expected);
    await compactEverything(deps);
    await send(ios, { platform: 'ios', appVersion: '1.0' });
    expect((await get('summary')).body).toEqual(expected);
    expect((await get('summary?days=41')).body).toMatchObject({ people: 4, events: 6 });
    expect((await get('summary?days=1')).body.events).toBe(1);
  });

  test('takes who signs up for one person', async () => {
    const { send, get } = await newApp();
    await send([
      { name: 'app_opened', ts: at(5), anonymousId: 'device-1' },
      { name: 'app_opened', ts: at(5), anonymousId: 'device-2' },
    ]);
    await compactEverything(deps);
    expect((await get('summary')).body.people).toBe(2);
    await send([
      { name: 'signup_completed', ts: at(1), anonymousId: 'device-1', userId: 'user-1' },
      { name: 'app_opened', ts: at(1), anonymousId: 'device-2', userId: 'user-1' },
    ]);
    const { body } = await get('summary');
    expect(body.people).toBe(1);
    expect(body.names).toEqual([
      { name: 'app_opened', events: 3, people: 1, standard: true },
      { name: 'signup_completed', events: 1, people: 1, standard: true },
    ]);
  });

  test('leaves out what the service wrote itself', async () => {
    const { send, get, appId } = await newApp();
    const event = { name: '$exposure', anonymousId: 'seen-only', props: { armId: 'arm_1' } };
    await deps.events.append({
      org: org.orgId,
      app: appId,
      key: 'experiments',
      receivedAt: NOW,
      body: Buffer.from(JSON.stringify({ events: [event] })),
    });
    await send([{ name: 'app_opened', anonymousId: 'person-one' }]);
    const { people, events, names } = (await get('summary')).body;
    expect([people, events, names.length]).toEqual([1, 1, 1]);
    expect((await get('recent')).body).toHaveLength(1);
  });

  test('lists at most 500 names, the most frequent, and counts people of each exactly', async () => {
    const { send, get } = await newApp();
    const events = Array.from({ length: 520 }, (_, i) => {
      const name = `event_${String(i).padStart(3, '0')}`;
      const often = i < 130 ? 3 : 1;
      return Array.from({ length: often }, (_, n) => ({
        name,
        anonymousId: `person-${i}-${n % 2}`,
      }));
    }).flat();
    await send(events);
    const { names, people } = (await get('summary')).body;
    expect(names).toHaveLength(500);
    expect(people).toBe(130 * 2 + 390);
    for (const [index, one] of names.entries()) {
      const isOften = index < 130;
      expect(one).toMatchObject({ events: isOften ? 3 : 1, people: isOften ? 2 : 1 });
      expect(one.name).toBe(`event_${String(index).padStart(3, '0')}`);
    }
  });

  test.each(['days=0', 'days=401', 'days=1.5', 'days=', 'days=abc'])(
    'refuses %s',
    async (query) => {
      const { get } = await shared;
      expect((await get(`summary?${query}`)).status).toBe(400);
    },
  );
});

describe('recent events', () => {
  test('are the last received as they are stored, whatever time they carry', async () => {
    const { send, get } = await newApp();
    await send(
      [
        {
          id: 'client-id-1',
          name: 'screen_viewed',
          ts: at(20),
          anonymousId: 'person-one',
          sessionId: 'session-1',
          props: { screen: 'home', n: 1.5, ok: true, none: null, text: 'a "quoted" ü\n' },
        },
      ],
      { platform: 'ios', appVersion: '1.0', osVersion: '18', locale: 'de_DE', country: 'DE' },
    );
    await compactEverything(deps);
    await send([{ name: 'app_opened', ts: at(100), anonymousId: 'person-two' }]);
    await send([{ name: 'app_opened', anonymousId: 'person-two', userId: 'user-1' }]);
    const { body } = await get('recent');
    expect(body.map((one: any) => [one.name, one.personId, one.timeFlag])).toEqual([
      ['app_opened', 'user-1', 'no_ts'],
      ['app_opened', 'user-1', null],
      ['screen_viewed', 'person-one', null],
    ]);
    expect(body[2]).toMatchObject({
      id: 'client-id-1',
      occurredAt: at(20),
      ts: at(20),
      anonymousId: 'person-one',
      userId: null,
      sessionId: 'session-1',
      platform: 'ios',
      appVersion: '1.0',
      osVersion: '18',
      locale: 'de_DE',
      country: 'DE',
      props: { screen: 'home', n: 1.5, ok: true, none: null, text: 'a "quoted" ü\n' },
    });
    expect((await get('recent?limit=1')).body).toHaveLength(1);
  });

  test('are a hundred at most', async () => {
    const { send, get } = await newApp();
    await send(
      Array.from({ length: 150 }, (_, i) => ({ name: `e_${i}`, anonymousId: 'person-one' })),
    );
    const { body } = await get('recent');
    expect(body).toHaveLength(100);
    expect(body[0].name).toBe('e_149');
    expect(body[99].name).toBe('e_50');
    expect((await get('recent?limit=101')).status).toBe(400);
  });
});

describe('ingestion figures', () => {
  test('say what was taken, known already, corrected and turned away', async () => {
    const { send, get, device } = await newApp();
    const events = [
      { name: 'app_opened', ts: at(1), anonymousId: 'person-one' },
      { name: 'app_opened', anonymousId: 'person-two' },
    ];
    await send(events);
    await compactEverything(deps);
    await send(events.slice(0, 1));
    await compactEverything(deps);
    const bad = { events: [{ name: 'Not A Name', anonymousId: 'person-one' }] };
    expect((await call('/v1/events', { body: bad, headers: device })).status).toBe(400);
    await deps.events.close();
    const { body } = await get('ingestion');
    // Two where the hour ends meanwhile.
    expect([1, 2]).toContain(body.hours.length);
    const sum = (field: string) =>
      body.hours.reduce((total: number, hour: Record<string, number>) => total + hour[field]!, 0);
    expect(['accepted', 'duplicates', 'timeCorrected', 'rejected'].map(sum)).toEqual([3, 1, 1, 1]);
    expect(body.rejected).toHaveLength(1);
    expect(body.rejected[0].batches).toBe(1);
    expect(body.rejected[0].lastExample).toBeString();
  });

  test('are those of the app alone', async () => {
    const { get } = await newApp();
    expect((await get('ingestion')).body).toEqual({
      ...{ hours: [], rejected: [], ignoredIds: [], names: [] },
    });
    expect((await get('ingestion?days=0')).status).toBe(400);
  });
});

const shared = newApp();
