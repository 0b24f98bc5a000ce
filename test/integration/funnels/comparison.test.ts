import { describe, expect, test } from 'bun:test';
import {
  countedPath,
  type ReferenceEvent,
  type ReferenceStep,
} from '../../support/funnel-reference.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { randomFrom } from '../../support/random.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);

const NOW = deps.clock().getTime();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const STEPS: (ReferenceStep & { label: string })[] = [
  { event: 'app_opened', label: 'Opened' },
  { event: 'paywall_viewed', label: 'Offer', where: { prop: 'offer', equals: '2' } },
  { event: 'purchase_completed', label: 'Bought' },
];

type Sent = {
  name: string;
  ts: string;
  anonymousId: string;
  userId?: string;
  props: Record<string, string | number | boolean | null>;
};

/** 260 devices over four weeks; some of them share a user. */
function history(seed: number): Sent[] {
  const random = randomFrom(seed);
  const below = (n: number) => Math.floor(random() * n);
  return Array.from({ length: 260 }, (_, device) => {
    const anonymousId = `device-${String(device).padStart(4, '0')}`;
    // Whole milliseconds, and nothing of the minute in which the test runs.
    const start = NOW - HOUR - below(28 * 24 * 60) * 60_000;
    const at = (ms: number) => new Date(Math.min(ms, NOW - HOUR)).toISOString();
    const props = () => ({
      plan: [null, 'free', 'pro', true, 1][below(5)] ?? null,
      offer: below(3),
    });
    const events: Sent[] = [{ name: 'app_opened', ts: at(start), anonymousId, props: props() }];
    for (const { event } of STEPS.slice(below(2))) {
      if (random() < 0.25) continue;
      const ts = at(start + below(9 * 24 * 60) * 60_000);
      events.push({ name: event, ts, anonymousId, props: props() });
    }
    const userId = `user-${Math.floor(device / 10)}`;
    const last = events.at(-1);
    if (device % 10 < 2 && last) last.userId = userId;
    return events;
  }).flat();
}

type Window = { from: number; until: number; observed: number };

/** How many people came how far, and only those whose counted start fits: by trying every path. */
function recount(
  sent: readonly Sent[],
  { from, until, observed }: Window,
  fits: (start: ReferenceEvent) => boolean,
): number[] {
  const userOf = new Map(
    sent.flatMap((one) => (one.userId ? [[one.anonymousId, one.userId]] : [])),
  );
  const events = sent
    .map(({ name, ts, anonymousId, userId, props }, arrival) => ({
      person: userId ?? userOf.get(anonymousId) ?? anonymousId,
      name,
      at: Date.parse(ts) * 1_000,
      batchIndex: arrival % 100,
      arrival,
      props,
    }))
    .filter(({ at }) => at < observed * 1_000);
  const counts = STEPS.map(() => 0);
  for (const own of Map.groupBy(events, ({ person }) => person).values()) {
    const rules = {
      steps: STEPS,
      fromUs: from * 1_000,
      untilUs: until * 1_000,
      windowUs: 120 * HOUR * 1_000,
    };
    const path = countedPath(own, rules);
    const start = path?.events[0];
    if (!path || !start || !fits(start)) continue;
    for (let step = 0; step < path.times.length; step += 1) counts[step] = (counts[step] ?? 0) + 1;
  }
  return counts;
}

const app = await createTestApp(service, org.orgId);
const sent = history(11);
for (let n = 0; n < sent.length; n += 100) {
  const body = { events: sent.slice(n, n + 100) };
  expect((await call('/v1/events', { body, headers: app.device })).status).toBe(202);
  if (n === 300) await compactEverything(deps);
}
const { body: funnel } = await call(`/v1/apps/${app.appId}/funnels`, {
  headers: org.key,
  body: { name: 'Main', steps: STEPS },
});
const report = async (query: string) =>
  (
    await call(`/v1/apps/${app.appId}/funnels/${funnel.id}/report?windowHours=120&${query}`, {
      headers: org.key,
    })
  ).body;

const counts = (steps: { people: number | null }[]) => steps.map(({ people }) => people);
const iso = (ms: number) => encodeURIComponent(new Date(ms).toISOString());
const everybody = () => true;

describe('a funnel report with a filter by a property', () => {
  test.each(['free', 'pro', 'true', '1', 'missing'])(
    'counts who began with plan=%s',
    async (plan) => {
      const expected = recount(
        sent,
        { from: NOW - 28 * DAY, until: NOW, observed: NOW },
        ({ props }) => props.plan !== null && String(props.plan) === plan,
      );
      const { people, steps, verdict, filters } = await report(`days=28&property=plan=${plan}`);
      expect(people).toBe(expected[0]);
      expect(filters.property).toEqual({ prop: 'plan', equals: plan });
      if (verdict === 'ready') expect(counts(steps)).toEqual(expected);
    },
  );
});

describe('a funnel report against the window before', () => {
  const both = (from: number, to: number, seen: number) => ({
    now: { from, until: to, observed: NOW },
    before: { from: from - (to - from), until: from, observed: from + (seen - to) },
  });

  test.each([
    ['the last fourteen days', 'days=14', both(NOW - 14 * DAY, NOW, NOW)],
    [
      'a past window whose time to convert is over',
      `from=${iso(NOW - 14 * DAY)}&to=${iso(NOW - 6 * DAY)}`,
      both(NOW - 14 * DAY, NOW - 6 * DAY, NOW),
    ],
    [
      'one whose time to convert is not over',
      `from=${iso(NOW - 12 * DAY)}&to=${iso(NOW - 2 * DAY)}`,
      both(NOW - 12 * DAY, NOW - 2 * DAY, NOW),
    ],
  ])('equals trying every path in both: %s', async (_, query, { now, before }) => {
    const { steps, comparison } = await report(`${query}&compare=previous`);
    const [expectedNow, expectedBefore] = [
      recount(sent, now, everybody),
      recount(sent, before, everybody),
    ];
    expect(counts(steps)).toEqual(expectedNow);
    expect(comparison.verdict).toBe('ready');
    expect(comparison.people).toBe(expectedBefore[0]);
    expect(counts(comparison.steps)).toEqual(expectedBefore);
    for (const [index, step] of comparison.steps.entries()) {
      if (index === 0) continue;
      expect(step.fromStart.now).toBe(steps[index].rateFromStart);
      expect(step.fromPrevious.now).toBe(steps[index].rateFromPrevious);
      const start = (expectedBefore[index] ?? 0) / (expectedBefore[0] ?? 0);
      expect(step.fromStart.before).toBe(start);
      expect(step.fromStart.difference).toBeCloseTo(step.fromStart.now - start, 12);
      expect(step.fromStart.low).toBeLessThan(step.fromStart.difference);
      expect(step.fromStart.high).toBeGreaterThan(step.fromStart.difference);
    }
  });

  test('gives counts and no difference where either has fewer than fifty people', async () => {
    const { comparison, steps } = await report('days=28&compare=previous');
    expect(steps[1].people).toBeGreaterThan(0);
    expect(comparison).toMatchObject({ people: 0, verdict: 'no_data' });
    for (const step of comparison.steps) {
      expect([step.people, step.fromPrevious, step.fromStart]).toEqual([null, null, null]);
    }
  });

  test('is left out unless asked for, and goes by the filters of the report', async () => {
    expect(await report('days=14')).not.toHaveProperty('comparison');
    const filtered = await report('days=14&compare=previous&property=offer=2');
    const expected = recount(
      sent,
      both(NOW - 14 * DAY, NOW, NOW).before,
      ({ props }) => props.offer === 2,
    );
    expect(filtered.comparison.people).toBe(expected[0]);
  });

  test('is refused for any other window', async () => {
    const path = `/v1/apps/${app.appId}/funnels/${funnel.id}/report?compare=year`;
    expect((await call(path, { headers: org.key })).status).toBe(400);
  });
});
