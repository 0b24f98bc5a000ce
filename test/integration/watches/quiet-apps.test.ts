import { expect, test } from 'bun:test';
import { checkWatches } from '../../../src/modules/watches/index.ts';
import { at } from '../../../src/shared/assert.ts';
import { drawsFrom } from '../../support/draws.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { poisson } from '../../support/quiet-apps.ts';
import { isFullRun } from '../../support/random.ts';
import {
  createTestApp,
  createTestOrg,
  startTestService,
  type TestApp,
} from '../../support/service.ts';

/**
 * Watches of a change by the service itself, of apps in which nothing happens until the last day:
 * events come in by HTTP, the clock goes on from day to day, and the check of every hour is run once
 * a day. On the last day six in ten of those who were to come stay away.
 */
const APPS = isFullRun ? 60 : 3;
const LARGEST = isFullRun ? 4 : 1.3;
const [HISTORY, LOOKED] = [44, isFullRun ? 30 : 6];
const DAY_MS = 86_400_000;
const START_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS - (HISTORY + LOOKED + 1) * DAY_MS;

let nowMs = START_MS;
const service = await startTestService(await testDatabase(), {
  with: () => ({ clock: () => new Date(nowMs) }),
});
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const draw = drawsFrom(1060);

type QuietApp = TestApp & { size: number; watches: string[] };

async function quietApp(): Promise<QuietApp> {
  const app = await createTestApp(service, org.orgId);
  const path = `/v1/apps/${app.appId}`;
  const opened = { events: ['opened'] };
  const steps = [opened, { events: ['bought'] }];
  const asked = [
    ['people', { kind: 'series', series: [opened] }],
    ['events', { kind: 'series', series: [{}] }],
    ['conversion', { kind: 'funnel', steps, windowHours: 1 }],
    ['value', { kind: 'measures', measure: { of: 'eventsPerPerson' } }],
  ] as const;
  const watches: string[] = [];
  for (const [of, question] of asked) {
    const saved = { name: of, question: { ...question, timezone: 'UTC' } };
    const made = await call(`${path}/questions`, { headers: org.key, body: saved });
    const body = { questionId: made.body.id, figure: { of }, rule: { kind: 'change' } };
    watches.push((await call(`${path}/watches`, { headers: org.key, body })).body.id);
  }
  return { ...app, size: Math.round(70 * LARGEST ** draw.uniform()), watches };
}

/** More at weekends, days that differ by a tenth, some who do more than others. */
async function live({ device, size }: QuietApp, day: number, coming: number): Promise<void> {
  const noise = () => 1 + 0.058 * draw.normal();
  const people = poisson(draw, size * (day % 7 < 2 ? 1.3 : 1) * noise() * coming);
  const buyers = draw.successes(people, Math.min(1, 0.3 * noise()));
  const events = Array.from({ length: people }, (_, person) => {
    const anonymousId = `person-${day}-${person}`;
    const atMs = START_MS + day * DAY_MS + Math.floor(draw.uniform() * DAY_MS * 0.9);
    const ts = (minute: number) => new Date(atMs + minute * 60_000).toISOString();
    const again = Array.from({ length: poisson(draw, 0.5) }, (_each, n) => ({
      ...{ name: 'looked', ts: ts(n + 2), anonymousId },
    }));
    const bought = person < buyers ? [{ name: 'bought', ts: ts(1), anonymousId }] : [];
    return [{ name: 'opened', ts: ts(0), anonymousId }, ...bought, ...again];
  }).flat();
  for (let from = 0; from < events.length; from += 100) {
    const body = { events: events.slice(from, from + 100), context: { platform: 'ios' } };
    expect((await call('/v1/events', { headers: device, body })).status).toBe(202);
  }
}

const told = async () => [
  ...(await deps.sql<{ appId: string; text: string }[]>`
    SELECT app_id AS "appId", text FROM messages WHERE org_id = ${org.orgId}`),
];

test('watches of quiet apps are told of no change, and of the day on which most of the people stay away', async () => {
  nowMs = START_MS + HISTORY * DAY_MS;
  // One after the other, so that each run draws the same.
  const apps: QuietApp[] = [];
  for (let index = 0; index < APPS; index += 1) apps.push(await quietApp());
  for (let day = 0; day < HISTORY; day += 1) {
    for (const app of apps) await live(app, day, 1);
  }
  await compactEverything(deps);
  const look = async (day: number, coming = 1) => {
    // Late enough for a funnel too, whose people have an hour.
    nowMs = START_MS + (day + 1) * DAY_MS + 4 * 3_600_000;
    for (const app of apps) await live(app, day, coming);
    await checkWatches({ deps, requestId: 'test' }, { orgId: org.orgId });
  };
  for (let day = HISTORY; day < HISTORY + LOOKED; day += 1) await look(day);
  const wrong = await told();
  const looks = await deps.sql<{ verdict: string; count: number }[]>`
    SELECT look->>'verdict' AS verdict, count(*)::int AS count FROM watch_looks
    WHERE org_id = ${org.orgId} GROUP BY 1 ORDER BY 2 DESC`;
  if (isFullRun) console.log([...looks], wrong);
  const counts = new Map(looks.map(({ verdict, count }) => [verdict, count]));
  expect(counts.get('within') ?? 0).toBeGreaterThan(APPS * 4 * LOOKED * 0.9);
  // Two in a hundred watches in a month; and what chance adds to that with so few of them.
  const watches = APPS * 4;
  expect(wrong.length / 2).toBeLessThanOrEqual(watches * (0.02 + 4 * Math.sqrt(0.0196 / watches)));

  const before = wrong.length;
  await look(HISTORY + LOOKED, 0.4);
  const right = (await told()).slice(before).map(({ text }) => text);
  const ofPeople = right.filter((text) => text.startsWith('“people”'));
  if (isFullRun) console.log(ofPeople.length, 'of', APPS, 'watches of people told the last day');
  // Of three, one may be told a day later.
  expect(ofPeople.length).toBeGreaterThanOrEqual(APPS * (isFullRun ? 0.9 : 0.6));
  expect(at(ofPeople, 0)).toMatch(/, \d+\.\d % below the usual \d+, more than chance does\.$/);
}, 3_600_000);
