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
const noon = (ago: number) => new Date(TODAY - ago * DAY + DAY / 2).toISOString();
const start = (ago: number) => new Date(TODAY - ago * DAY).toISOString();

async function newApp() {
  const app = await createTestApp(service, org.orgId);
  const send = async (events: object[]) => {
    for (let n = 0; n < events.length; n += 100) {
      const body = { events: events.slice(n, n + 100) };
      expect((await call('/v1/events', { body, headers: app.device })).status).toBe(202);
    }
  };
  const get = (tail: string) => call(`/v1/apps/${app.appId}/events/${tail}`, { headers: org.key });
  return { ...app, send, get };
}

const id = (n: number) => `person-${String(n).padStart(4, '0')}`;
/** So many people with an event on each of these days, counted back from today. */
const visits = (from: number, before: number, days: number[]) =>
  Array.from({ length: before - from }, (_, n) => id(from + n)).flatMap((anonymousId) =>
    days.map((ago) => ({ name: 'opened', ts: noon(ago), anonymousId })),
  );

describe('the lifecycle', () => {
  test('says who is new, returning, resurrected and dormant, and lists them', async () => {
    const { get, send } = await newApp();
    await send([...visits(0, 20, [9, 4, 3]), ...visits(20, 50, [9, 5]), ...visits(50, 60, [4, 2])]);
    await compactEverything(deps);
    // One of the returning signs in with the device of one of the dormant.
    await send([
      { name: 'signed_in', ts: noon(4), anonymousId: id(0), userId: 'user-1' },
      { name: 'signed_in', ts: noon(5), anonymousId: id(20), userId: 'user-1' },
    ]);
    const { body } = await get('lifecycle?days=4');
    expect(body).toMatchObject({ people: 59, verdict: 'ready', interval: 'day' });
    expect(body.points.map(({ from: _, ...figures }: Record<string, unknown>) => figures)).toEqual([
      { active: 30, new: 10, returning: 1, resurrected: 19, dormant: 29 },
      { active: 20, new: 0, returning: 20, resurrected: 0, dormant: 10 },
      { active: 10, new: 0, returning: 0, resurrected: 10, dormant: 20 },
      { active: 0, new: 0, returning: 0, resurrected: 0, dormant: 10 },
      { active: 0, new: 0, returning: 0, resurrected: 0, dormant: null, partial: true },
    ]);
    const list = async (state: string) => {
      const tail = `lifecycle/people?days=4&point=${start(4)}&state=${state}`;
      return (await get(tail)).body.people.map((one: { personId: string }) => one.personId);
    };
    expect(await list('returning')).toEqual(['user-1']);
    expect(await list('new')).toEqual(Array.from({ length: 10 }, (_, n) => id(50 + n)));
    expect(await list('dormant')).toEqual(Array.from({ length: 29 }, (_, n) => id(21 + n)));
    expect(await list('resurrected')).toHaveLength(19);
  });

  test('shows counts of fewer than fifty people, says when there will be more, and lists nobody', async () => {
    const { get, send } = await newApp();
    await send(visits(0, 49, [2]));
    const { body } = await get('lifecycle?days=3&name=opened');
    expect(body).toMatchObject({ people: 49, verdict: 'too_few_people', minimumPeople: 50 });
    expect(body.points[1]).toMatchObject({ active: 49, new: 49 });
    expect(body.forecast.text).toContain('49 of 50 people');
    const listed = await get(`lifecycle/people?days=3&point=${start(2)}&state=new`);
    expect([listed.status, listed.body.error.code]).toEqual([409, 'conflict']);
  });

  test('of a name that never came says which one came', async () => {
    const { get, send } = await newApp();
    await send(visits(0, 1, [2]));
    const { body } = await get('lifecycle?days=3&name=openedd');
    expect(body.hint).toContain('"opened"');
  });

  test.each([
    ['lifecycle?days=400&interval=hour', 'interval'],
    ['lifecycle?days=3&from=2026-01-01', 'days'],
    [`lifecycle/people?days=3&point=${start(9)}&state=new`, 'point'],
    [`lifecycle/people?days=3&point=${start(0)}&state=dormant`, 'state'],
    [`lifecycle/people?days=3&point=${start(1)}&state=lost`, 'state'],
  ])('%s is refused and names %s', async (tail, field) => {
    const { get } = await newApp();
    const { status, body } = await get(tail);
    expect(status).toBe(400);
    expect(body.error.hint).toStartWith(`${field}: `);
  });
});
