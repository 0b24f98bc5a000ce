import { describe, expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const DAY = 86_400_000;
const MINUTE = 60_000;
const YESTERDAY = Math.floor(deps.clock().getTime() / DAY) * DAY - DAY;

async function newApp() {
  const app = await createTestApp(service, org.orgId);
  const send = async (events: object[], context?: object) => {
    for (let n = 0; n < events.length; n += 100) {
      const body = { events: events.slice(n, n + 100), ...(context && { context }) };
      expect((await call('/v1/events', { body, headers: app.device })).status).toBe(202);
    }
  };
  const get = (tail: string) => call(`/v1/apps/${app.appId}/events/${tail}`, { headers: org.key });
  return { ...app, send, get };
}

/** Sittings of so many people, an event a minute. */
const sittings = (from: number, before: number, names: string[], startMinute = 600) =>
  Array.from({ length: before - from }, (_, n) => from + n).flatMap((person) =>
    names.map((name, n) => ({
      name,
      ts: new Date(YESTERDAY + (startMinute + n) * MINUTE).toISOString(),
      anonymousId: `person-${String(person).padStart(4, '0')}`,
    })),
  );

type Node = { kind: string; name: string | null; sessions: number; people: number; share: number };
const nodesOf = (step: { nodes: Node[] }) =>
  step.nodes.map(({ kind, name, sessions, people }) => [name ?? kind, sessions, people]);

describe('paths', () => {
  test('say what came after an event, session by session, and how sessions came from node to node', async () => {
    const { get, send } = await newApp();
    await send([
      ...sittings(0, 30, ['opened', 'searched', 'saved', 'closed', 'shared']),
      ...sittings(30, 50, ['opened', 'searched']),
      ...sittings(50, 60, ['opened', 'bought', 'saved']),
    ]);
    await compactEverything(deps);
    // A second sitting of some of them, hours later.
    await send(sittings(0, 5, ['opened', 'shared'], 900));
    const { body } = await get('paths?name=opened&days=2&names=2');
    expect(body).toMatchObject({ sessions: 65, people: 60, verdict: 'ready', direction: 'after' });
    const [first, second, third] = body.steps;
    expect(nodesOf(first)).toEqual([
      ['searched', 50, 50],
      ['bought', 10, 10],
      ['rest', 5, 5],
    ]);
    expect(first.nodes[0].share).toBe(50 / 65);
    expect(nodesOf(second)).toEqual([
      ['saved', 40, 40],
      ['end', 25, 25],
    ]);
    expect(second.links).toEqual([
      { from: 2, to: 1, sessions: 5, people: 5 },
      { from: 0, to: 1, sessions: 20, people: 20 },
      { from: 0, to: 0, sessions: 30, people: 30 },
      { from: 1, to: 0, sessions: 10, people: 10 },
    ]);
    expect(nodesOf(third)).toEqual([
      ['closed', 30, 30],
      ['end', 10, 10],
    ]);
    const back = (await get('paths?name=closed&days=2&direction=before')).body;
    expect(back).toMatchObject({ sessions: 30, people: 30, verdict: 'too_few_people', steps: [] });
    expect(back.forecast.text).toContain('30 of 50 people');
    const before = (await get('paths?name=searched&days=2&direction=before')).body;
    expect(before.steps.map(nodesOf)).toEqual([[['opened', 50, 50]], [['end', 50, 50]], []]);
  });

  test('take filters of the event itself, and name what was never sent', async () => {
    const { get, send } = await newApp();
    await send(sittings(0, 60, ['opened']), { platform: 'ios' });
    await send(sittings(0, 60, ['opened', 'closed'], 700), { platform: 'web' });
    const of = async (tail: string) => (await get(`paths?days=2&${tail}`)).body;
    expect(nodesOf((await of('name=opened&platform=web')).steps[0])).toEqual([['closed', 60, 60]]);
    expect(nodesOf((await of('name=opened&platform=ios')).steps[0])).toEqual([['end', 60, 60]]);
    expect((await of('name=openned')).hint).toContain('"opened"');
  });

  test.each([
    ['paths', 'name'],
    ['paths?name=opened&names=21', 'names'],
    ['paths?name=opened&direction=beside', 'direction'],
    ['paths?name=opened&days=3&from=2026-01-01', 'days'],
  ])('%s is refused and names %s', async (tail, field) => {
    const { get } = await newApp();
    const { status, body } = await get(tail);
    expect(status).toBe(400);
    expect(body.error.hint).toStartWith(`${field}: `);
  });
});
