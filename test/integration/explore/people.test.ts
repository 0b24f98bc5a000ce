import { describe, expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const DAY = 86_400_000;
const TODAY = Math.floor(deps.clock().getTime() / DAY) * DAY;
/** At noon (UTC), so many days ago. */
const noon = (ago: number) => new Date(TODAY - ago * DAY + DAY / 2).toISOString();

async function newApp(people: number) {
  const app = await createTestApp(service, org.orgId);
  const send = async (events: object[], context?: object) => {
    for (let n = 0; n < events.length; n += 100) {
      const body = { events: events.slice(n, n + 100), ...(context && { context }) };
      expect((await call('/v1/events', { body, headers: app.device })).status).toBe(202);
    }
  };
  const get = (tail: string) => call(`/v1/apps/${app.appId}/events/${tail}`, { headers: org.key });
  const ids = Array.from({ length: people }, (_, n) => `person-${String(n).padStart(4, '0')}`);
  await send(ids.map((anonymousId) => ({ name: 'opened', ts: noon(3), anonymousId })));
  const back = ids.filter((_, n) => n % 2 === 0);
  await send(back.map((anonymousId) => ({ name: 'bought', ts: noon(2), anonymousId })));
  return { ...app, send, get, ids, back };
}

type Page = { people: { personId: string }[]; nextCursor: string | null };
const idsOf = ({ people }: Page) => people.map(({ personId }) => personId);

describe('the people behind a figure', () => {
  test('of a point are those it counts, page by page, stitched', async () => {
    const { get, send, ids, back } = await newApp(60);
    await compactEverything(deps);
    await send([{ name: 'signed_in', ts: noon(1), anonymousId: ids[0], userId: 'user-1' }]);
    const point = new Date(TODAY - 2 * DAY).toISOString();
    const tail = `series/people?days=5&point=${point}`;
    const expected = [...back.slice(1), 'user-1'];
    const first = (await get(`${tail}&limit=20`)).body;
    expect(idsOf(first)).toEqual(expected.slice(0, 20));
    const second = (await get(`${tail}&cursor=${first.nextCursor}`)).body;
    expect(idsOf(second)).toEqual(expected.slice(20));
    expect(second.nextCursor).toBeNull();
    expect(idsOf((await get(`${tail}&name=opened`)).body)).toEqual([]);
    const figures = (await get('series?days=5')).body.points;
    expect(figures.find(({ from }: { from: string }) => from === point).people).toBe(30);
  });

  test('of a cell of retention are those it counts, and of period 0 the cohort', async () => {
    const { get, ids, back } = await newApp(60);
    const tail = 'retention/people?interval=day&days=5&cohortIndex=2';
    expect(idsOf((await get(tail)).body)).toEqual(ids);
    expect(idsOf((await get(`${tail}&period=1`)).body)).toEqual(back);
    expect(idsOf((await get(`${tail}&period=2&criterion=on_or_after`)).body)).toEqual([]);
  });

  test('of fewer than fifty in all are not listed', async () => {
    const { get } = await newApp(49);
    const point = new Date(TODAY - 3 * DAY).toISOString();
    const tails = [
      `series/people?days=5&point=${point}`,
      'retention/people?interval=day&days=5&cohortIndex=2',
    ];
    for (const tail of tails) {
      const { status, body } = await get(tail);
      expect(status).toBe(409);
      expect(body.error.code).toBe('conflict');
    }
  });

  test.each([
    ['series/people?point=2026-01-01T00:00:00Z', 'point'],
    ['series/people?point=yesterday', 'point'],
    ['retention/people?cohortIndex=60', 'cohortIndex'],
    ['retention/people?cohortIndex=0&cursor=!', 'cursor'],
  ])('%s is refused and names %s', async (tail, field) => {
    const { get } = await newApp(1);
    const { status, body } = await get(tail);
    expect(status).toBe(400);
    expect(body.error.hint).toStartWith(`${field}: `);
  });
});

describe('the properties of an event', () => {
  test('are named with their types and most frequent values', async () => {
    const { send, get } = await newApp(0);
    const props = [{ plan: 'a', n: 1 }, { plan: 'a', n: 2.5, 'we"ird': true }, { plan: null }, {}];
    await send(
      props.map((own, n) => ({
        name: 'bought',
        ts: noon(1),
        anonymousId: `device-${n}0`,
        props: own,
      })),
    );
    await send([{ name: 'closed', ts: noon(1), anonymousId: 'device-00', props: { other: 1 } }]);
    await send([{ name: 'bought', ts: noon(1), anonymousId: 'device-00' }]);
    const { body } = await get('properties?name=bought');
    expect(body.events).toBe(5);
    expect(body.properties).toEqual([
      {
        name: 'plan',
        events: 3,
        types: ['null', 'string'],
        values: [
          { value: 'a', events: 2 },
          { value: 'null', events: 1 },
        ],
      },
      {
        name: 'n',
        events: 2,
        types: ['number'],
        values: [
          { value: '1', events: 1 },
          { value: '2.5', events: 1 },
        ],
      },
      { name: 'we"ird', events: 1, types: ['boolean'], values: [{ value: 'true', events: 1 }] },
    ]);
    expect((await get('properties?name=never_seen')).body).toMatchObject({
      events: 0,
      properties: [],
    });
    expect((await get('properties')).status).toBe(400);
  });
});

describe('the events received last', () => {
  test('are filtered by name, person, property, platform and environment', async () => {
    const { send, get } = await newApp(2);
    await send(
      [
        { name: 'opened', ts: noon(1), anonymousId: 'device-00', props: { plan: 'a' } },
        { name: 'opened', ts: noon(1), anonymousId: 'device-01', userId: 'user-1' },
        { name: 'bought', ts: noon(1), anonymousId: 'device-01', props: { plan: 'b' } },
      ],
      { platform: 'ios' },
    );
    const names = async (tail: string) =>
      (await get(`recent?${tail}`)).body.map(({ name, personId }: Record<string, string>) => [
        name,
        personId,
      ]);
    expect(await names('name=bought')).toEqual([
      ['bought', 'user-1'],
      ['bought', 'person-0000'],
    ]);
    expect(await names('personId=user-1')).toEqual([
      ['bought', 'user-1'],
      ['opened', 'user-1'],
    ]);
    expect(await names('property=plan=a')).toEqual([['opened', 'device-00']]);
    expect(await names('platform=ios&name=opened')).toHaveLength(2);
    expect(await names('environment=development')).toEqual([]);
    expect((await get('recent?name=Opened')).status).toBe(400);
  });
});

describe('the search for people', () => {
  test('finds them by the beginning of any id, with what all their devices did', async () => {
    const { appId, send, ids } = await newApp(60);
    await compactEverything(deps);
    await send([{ name: 'signed_in', ts: noon(1), anonymousId: ids[7], userId: 'user-7' }]);
    const find = async (search: string) =>
      (await call(`/v1/apps/${appId}/people?search=${search}`, { headers: org.key })).body;
    const user = {
      personId: 'user-7',
      anonymousIds: ['person-0007'],
      events: 2,
      firstEventAt: noon(3),
      lastEventAt: noon(1),
      ...{ platform: null, appVersion: null, country: null },
    };
    expect(await find('user-')).toEqual({ people: [user], hasMore: false });
    expect(await find('person-0007')).toEqual({ people: [user], hasMore: false });
    const many = await find('person-');
    expect(many.people).toHaveLength(50);
    expect(many.hasMore).toBe(true);
    expect(await find('erson')).toEqual({ people: [], hasMore: false });
    expect(await find('%25')).toEqual({ people: [], hasMore: false });
    expect((await call(`/v1/apps/${appId}/people`, { headers: org.key })).status).toBe(400);
  });
});
