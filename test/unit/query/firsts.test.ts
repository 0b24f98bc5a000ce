import { expect, test } from 'bun:test';
import type { DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import type { EventSource } from '../../../src/query/reading/source/events.ts';
import type { CountingThreads } from '../../../src/query/reading/threads/threads.ts';
import type { Dimension } from '../../../src/query/selection/dimension.ts';
import { isInScope } from '../../../src/shared/environment.ts';
import { openDuckAndThreads } from '../../support/duck-and-threads.ts';
import { APP, countOver, eventRow, ORG } from '../../support/event-source.ts';
import { conditionsOf, randomCondition, randomFacts } from '../../support/random-conditions.ts';
import { randomDimension } from '../../support/random-dimensions.ts';
import { byDuck, nobody, withoutProjections } from '../../support/readers.ts';
import { stitched, stitchedCases } from '../../support/stitched-events.ts';

const { duck, together } = await openDuckAndThreads(3);

const OF_APP = { orgId: ORG, appId: APP };
const SPAN = 800;

/** Mostly apart, so that it is known which event was first. */
const times = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 0, max: 2_000 * SPAN }) },
  fc.constantFrom(400_000, 900_000),
);
const member = fc.record({ segment: fc.constant('seg_often'), is: fc.boolean() });
const conditions = conditionsOf(fc.oneof({ weight: 2, arbitrary: randomCondition }, member));
const ofFirst = randomDimension
  .filter((by) => by.kind !== 'first' && !('bounds' in by))
  .map((of) => ({ kind: 'first', of }) as Dimension);
const asked = fc.record({
  environment: fc.constantFrom<EventSource['environment']>('production', 'development', 'all'),
  start: fc.integer({ min: 0, max: 1_000 * SPAN }),
  steps: fc.array(fc.constantFrom(20_000, 100_000, 800_000), { minLength: 2, maxLength: 40 }),
  names: fc.constantFrom<string[] | null>(null, null, ['opened'], ['bought', '$exposure']),
  where: fc.option(conditions, { nil: undefined }),
  by: fc.oneof({ weight: 2, arbitrary: ofFirst }, randomDimension),
  newPeopleOnly: fc.boolean(),
  firstStartOnly: fc.boolean(),
});
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

const OFTEN = {
  ...{ id: 'seg_often', asOf: 'now' as const, beforeUs: 10_000 * SPAN },
  rules: [
    {
      match: 'all' as const,
      clauses: [{ kind: 'did' as const, names: ['opened'], least: 2, most: null, fromUs: null }],
    },
  ],
};

/** Every question that wants to know what came before its window. */
async function answers(
  connection: DuckDBConnection,
  source: EventSource,
  { start, steps, names, where, by, newPeopleOnly, firstStartOnly }: Asked,
  threads: CountingThreads | null = null,
) {
  const boundariesUs = [start];
  for (const step of steps) boundariesUs.push((boundariesUs.at(-1) ?? 0) + step);
  const buckets = boundariesUs.length - 1;
  const beforeUs = boundariesUs.at(-1) ?? 0;
  const named = JSON.stringify(where ?? null).includes('seg_often') ? [OFTEN] : [];
  const ask = { ...OF_APP, ...(where && { where }), memberships: named };
  const funnel = {
    ...ask,
    ...{ newPeopleOnly, firstStartOnly, filters: {}, fromUs: start, startBeforeUs: beforeUs },
    ...{ windowUs: 300_000, trendFromUs: [start, start + 100_000] },
    steps: [{ ...(names && { events: names }) }, { event: 'bought' }],
  };
  const ranges: [number, number][] = [
    [0, buckets],
    [0, 1],
  ];
  const series = { ...ask, boundariesUs, names, ranges, filters: {}, valuesFrom: buckets >> 1 };
  const lifecycle = { ...ask, boundariesUs, names, filters: {} };
  return [
    await countOver(connection, source, 'funnel', { ...funnel, breakdown: null }, threads),
    await countOver(connection, source, 'funnel', { ...funnel, breakdown: by }, threads),
    await countOver(connection, source, 'series', { ...series, breakdown: by }, threads),
    await countOver(connection, source, 'lifecycle', lifecycle, threads),
    await countOver(connection, source, 'lifecycle', { ...lifecycle, breakdown: by }, threads),
    await countOver(
      connection,
      source,
      'retention',
      {
        ...{ ...OF_APP, boundariesUs, periodUs: null, periods: 3, memberships: named },
        ...{ cohort: 'recurring', criterion: 'on', cohorts: buckets >> 1, breakdown: by },
        start: { ...(names && { events: names }), ...(where && { where }) },
      },
      threads,
    ),
  ];
}

test('new people, first events and states are counted alike by projections, from memory and by DuckDB, in one thread or several', async () => {
  await fc.assert(
    fc.asyncProperty(stitchedCases(times, 120, randomFacts), asked, async (events, ask) => {
      const splitAt = 1_000 * SPAN;
      const made = await stitched(duck, { ...events, erased: [] }, { splitAt });
      // As the engine does, which leaves the log's other rows out.
      const hotRows = (made.source.hotRows ?? []).filter((row) =>
        isInScope(row.environment, ask.environment),
      );
      const source = { ...made.source, hotRows, environment: ask.environment };
      const counted = await duck.query(source, async (connection, whole) => [
        await answers(connection, whole, ask),
        await answers(connection, whole, ask, together),
      ]);
      const bare = await duck.query(withoutProjections(source), (connection, whole) =>
        answers(connection, whole, ask),
      );
      const read = await duck.query(byDuck(source), (connection, whole) =>
        answers(connection, whole, ask),
      );
      expect([...counted, bare]).toEqual([read, read, read]);
    }),
    {
      numRuns: Number(process.env.TEST_FULL ? (process.env.TEST_RUNS ?? 500) : 6),
      endOnFailure: true,
    },
  );
});

const BY_PLATFORM = { kind: 'first', of: { kind: 'platform' } } as const;
const FUNNEL = {
  ...{ ...OF_APP, fromUs: 100, startBeforeUs: 400, windowUs: 300, trendFromUs: null, filters: {} },
  ...{ steps: [{ event: 'opened' }, { event: 'bought' }], breakdown: null },
};

test('first events, new people and states need no DuckDB, late sign-ins and rows of the log included', async () => {
  const row = (n: number, at: number, name: string) =>
    eventRow({
      ...{ name, anonymousId: `device-${n}`, occurredAtUs: at },
      platform: at < 100 ? 'web' : ['ios', 'android'][n % 2]!,
    });
  const people = Array.from({ length: 40 }, (_, n) => n);
  const files = [
    await duck.writeFile(
      people.slice(0, 20).map((n) => row(n, n, 'closed')),
      { level: 1 },
    ),
    await duck.writeFile(
      people.map((n) => row(n, 100 + n, 'opened')),
      { level: 1 },
    ),
    await duck.writeFile(
      people.map((n) => row(n, 200 + n, 'bought')),
      { level: 1 },
    ),
  ];
  const large = files.map((file) => ({ ...file, rows: 100_000 }));
  // Two devices that turn out to be one user, of whom one was there before.
  const lateAliases = [18, 38].map((n) => ({ anonymousId: `device-${n}`, userId: 'user-1' }));
  const source = { files: large, lateAliases, hotRows: [row(21, 50, 'closed')] };
  for (const threads of [null, together]) {
    await duck.query(source, async (_, whole) => {
      const fresh = await countOver(nobody, whole, 'funnel', { ...FUNNEL, newPeopleOnly: true });
      expect(fresh.total.people).toEqual([18, 18]);
      const ask = { ...FUNNEL, breakdown: BY_PLATFORM };
      const { breakdown } = await countOver(nobody, whole, 'funnel', ask, threads);
      expect(breakdown?.map(({ value, tally }) => [value, tally.people[1]])).toEqual([
        ['web', 21],
        ['android', 9],
        ['ios', 9],
      ]);
      const days = { ...OF_APP, boundariesUs: [0, 100, 200, 300], names: null, filters: {} };
      const states = await countOver(nobody, whole, 'lifecycle', days, threads);
      expect(states.people).toBe(39);
      expect(states.intervals).toEqual([
        { new: 18, returning: 21, resurrected: 0, dormant: 0 },
        { new: 0, returning: 39, resurrected: 0, dormant: 0 },
      ]);
      const by = await countOver(nobody, whole, 'lifecycle', { ...days, breakdown: BY_PLATFORM });
      expect(by.groups?.map(({ value, people }) => [value, people])).toEqual([
        ['web', 21],
        ['android', 9],
        ['ios', 9],
      ]);
    });
  }
});

test('which of two events at one instant was first, their order says, which DuckDB knows', async () => {
  const row = (anonymousId: string, platform: string, batchIndex: number, name = 'opened') =>
    eventRow({ name, anonymousId, platform, batchIndex, occurredAtUs: 150 });
  const alike = [row('device-1', 'ios', 0), row('device-1', 'ios', 1, 'bought')];
  const unlike = [row('device-2', 'web', 1), row('device-2', 'ios', 0, 'closed')];
  const ask = { ...FUNNEL, breakdown: BY_PLATFORM };
  const one = { files: [await duck.writeFile(alike, { level: 1 })] };
  const both = { files: [await duck.writeFile([...alike, ...unlike], { level: 1 })] };
  await duck.query(one, async (_, whole) => {
    const { breakdown } = await countOver(nobody, whole, 'funnel', ask);
    expect(breakdown?.map(({ value }) => value)).toEqual(['ios']);
  });
  await duck.query(both, async (connection, whole) => {
    expect(countOver(nobody, whole, 'funnel', ask)).rejects.toThrow('DuckDB is asked');
    const { breakdown } = await countOver(connection, whole, 'funnel', ask);
    expect(breakdown?.map(({ value, tally }) => [value, tally.people[0]])).toEqual([['ios', 2]]);
  });
});
