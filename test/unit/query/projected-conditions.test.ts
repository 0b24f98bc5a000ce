import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import type { Measure, Measured } from '../../../src/query/measures/model.ts';
import type { EventSource } from '../../../src/query/reading/source/events.ts';
import { CountingThreads } from '../../../src/query/reading/threads/threads.ts';
import type { Selected } from '../../../src/query/selection/selected.ts';
import type { SeriesQuestion } from '../../../src/query/series/model.ts';
import { isInScope } from '../../../src/shared/environment.ts';
import { APP, countOver, eventRow, ORG, TestDuck } from '../../support/event-source.ts';
import { PROPS, randomConditions, randomFacts } from '../../support/random-conditions.ts';
import { byDuck, nobody, withoutProjections } from '../../support/readers.ts';
import { stitched, stitchedCases } from '../../support/stitched-events.ts';

let duck: TestDuck;
/** Ranges of a few people, so that every thread has several of them. */
const SMALL_RANGES = { threads: 3, entriesAtOnce: 3, minRanges: 1 };
const together = new CountingThreads(SMALL_RANGES);
/** Nobody but they counts, as long as they can. */
const helpersOnly = new CountingThreads({ ...SMALL_RANGES, helpersFirst: true });
beforeAll(async () => {
  duck = await TestDuck.open();
  await Promise.all([together.ready(), helpersOnly.ready()]);
});
afterAll(async () => {
  await Promise.all([together.stop(), helpersOnly.stop()]);
  duck.close();
});

const OF_APP = { orgId: ORG, appId: APP };
const FILE_SPAN = 800;

/** Now and then at one instant. */
const times = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 2 * FILE_SPAN }) },
  fc.constantFrom(400, 900),
);
const boundaries = fc
  .record({
    start: fc.integer({ min: 0, max: FILE_SPAN }),
    steps: fc.array(fc.constantFrom(20, 100, FILE_SPAN), { minLength: 1, maxLength: 20 }),
  })
  .map(({ start, steps }) => {
    const found = [start];
    for (const step of steps) found.push((found.at(-1) ?? 0) + step);
    return found;
  });
const dimension = fc.oneof(
  fc.constantFrom('platform' as const, 'appVersion' as const, 'country' as const).map((kind) => ({
    kind,
  })),
  fc.constantFrom(...PROPS).map((prop) => ({ kind: 'prop' as const, prop })),
);
const filters = fc.constantFrom<SeriesQuestion['filters']>(
  {},
  {},
  { platform: 'other' },
  { appVersion: '2.9', country: 'unknown' },
  { property: { prop: 'plan', equals: '5' } },
);
const selection: fc.Arbitrary<Selected> = fc.record(
  {
    events: fc.subarray(['opened', 'bought', 'closed'], { minLength: 1 }),
    where: randomConditions,
  },
  { requiredKeys: [] },
);
/** Without sums: of numbers of any size these depend on the order of rows. */
const measure: fc.Arbitrary<Measure> = fc.oneof(
  fc.constantFrom('people', 'events', 'eventsPerPerson').map((of) => ({ of })),
  fc.record({
    of: fc.constant('property' as const),
    property: fc.constantFrom(...PROPS),
    statistic: fc.constantFrom('median', 'p90', 'minimum', 'maximum'),
    per: fc.constant('event' as const),
  }),
);
const asked = fc.record({
  measure,
  environment: fc.constantFrom<EventSource['environment']>('production', 'development', 'all'),
  boundariesUs: boundaries,
  names: fc.constantFrom<string[] | null>(null, ['opened'], ['bought', 'opened', 'never_seen']),
  where: fc.option(randomConditions, { nil: undefined }),
  filters,
  breakdown: fc.option(dimension),
  steps: fc.array(selection, { minLength: 1, maxLength: 4 }),
  windowUs: fc.nat(300),
  firstStartOnly: fc.boolean(),
  start: selection,
  return: selection,
  cohort: fc.constantFrom('first' as const, 'recurring' as const),
  criterion: fc.constantFrom('on' as const, 'on_or_after' as const),
});
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

/** What lies between two values is rounded by each in its own last digit. */
const rounded = ({ value, ...rest }: Measured) => ({ ...rest, value: value?.toPrecision(14) });

/** Every question with conditions and breakdowns that projections may answer. */
async function answers(
  connection: DuckDBConnection,
  source: EventSource,
  ask: Asked,
  threads: CountingThreads | null = null,
) {
  const { boundariesUs, names, where, filters, breakdown, steps, windowUs, firstStartOnly } = ask;
  const buckets = boundariesUs.length - 1;
  const [fromUs = 0] = boundariesUs;
  const { start, cohort, criterion, return: comingBack } = ask;
  const series = {
    ...OF_APP,
    ...{ boundariesUs, filters },
    ...(where && { where }),
    valuesFrom: Math.floor(buckets / 3),
    ranges: [
      [0, buckets],
      [0, 1],
      [Math.floor(buckets / 2), buckets],
    ] as [number, number][],
  };
  return {
    selections: await countOver(
      connection,
      source,
      'series',
      { ...series, names: null, breakdown: null, selections: steps },
      threads,
    ),
    retention: await countOver(
      connection,
      source,
      'retention',
      {
        ...OF_APP,
        ...{ boundariesUs, start, return: comingBack, cohort, criterion },
        ...{ periodUs: null, periods: 3 },
        cohorts: Math.ceil(buckets / 2),
        ...(breakdown && { breakdown }),
      },
      threads,
    ),
    funnel: await countOver(
      connection,
      source,
      'funnel',
      {
        ...OF_APP,
        ...{ steps, windowUs, firstStartOnly, filters, breakdown, fromUs },
        ...(where && { where }),
        startBeforeUs: boundariesUs.at(-1) ?? 0,
        trendFromUs: [fromUs, fromUs + 100],
      },
      threads,
    ),
    series: await countOver(connection, source, 'series', { ...series, names, breakdown }, threads),
    measures: await countOver(
      connection,
      source,
      'measures',
      { ...series, names, measure: ask.measure, ...(breakdown && { breakdown }) },
      threads,
    ).then(({ measured, series: ofValues, brokenDown }) => ({
      measured: measured.map(rounded),
      series: ofValues?.map((one) => ({ ...one, measured: one.measured.map(rounded) })),
      brokenDown,
    })),
  };
}

/** Of one value each, so that projections have these instead of others. */
const FILLERS = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`filler${n}`, n]));
const factsBesideFillers = randomFacts.map(({ props, ...facts }) => ({
  ...facts,
  props: JSON.stringify({ ...FILLERS, ...JSON.parse(props ?? '{}') }),
}));

test.each([
  ['by themselves', randomFacts, []],
  ['with columns of what is asked for', factsBesideFillers, PROPS],
])(
  'conditions, filters and breakdowns are counted alike by projections %s, from memory and by DuckDB, in one thread or several',
  async (_, facts, columns) => {
    duck.asked = columns;
    await fc.assert(
      fc.asyncProperty(stitchedCases(times, 120, facts), asked, async (events, ask) => {
        const made = await stitched(duck, { ...events, erased: [] }, { splitAt: FILE_SPAN });
        // As the engine does, which leaves the log's other rows out.
        const hotRows = (made.source.hotRows ?? []).filter((row) =>
          isInScope(row.environment, ask.environment),
        );
        const source = { ...made.source, hotRows, environment: ask.environment };
        const counted = await duck.query(source, async (connection, whole) => [
          await answers(connection, whole, ask),
          await answers(connection, whole, ask, together),
          await answers(connection, whole, ask, helpersOnly),
        ]);
        const bare = await duck.query(withoutProjections(source), (connection, whole) =>
          answers(connection, whole, ask),
        );
        const read = await duck.query(byDuck(source), (connection, whole) =>
          answers(connection, whole, ask),
        );
        expect([...counted, bare]).toEqual([read, read, read, read]);
      }),
      { numRuns: Number(process.env.TEST_FULL ? (process.env.TEST_RUNS ?? 1_000) : 6) },
    );
  },
);

test('platform, version, country and properties of few values are counted without DuckDB', async () => {
  const rows = Array.from({ length: 600 }, (_, n) =>
    eventRow({
      name: n % 2 === 0 ? 'opened' : 'bought',
      anonymousId: `device-${n % 40}`,
      occurredAtUs: n,
      platform: ['ios', 'web', null][n % 3]!,
      appVersion: `2.${n % 12}`,
      country: n % 5 === 0 ? 'DE' : 'US',
      props: JSON.stringify({ plan: n % 4, wide: n }),
    }),
  );
  const file = await duck.writeFile(rows, { level: 1 });
  const files = [{ ...file, rows: 100_000 }];
  const question = {
    ...OF_APP,
    boundariesUs: [0, 300, 600],
    names: null,
    breakdown: null,
    valuesFrom: 0,
    filters: {},
    ranges: [[0, 2] as [number, number]],
  };
  await duck.query({ files }, async (_, whole) => {
    const ask = (changes: Partial<SeriesQuestion>) =>
      countOver(nobody, whole, 'series', { ...question, ...changes });
    const onIos = await ask({ filters: { platform: 'ios' } });
    expect(onIos.total.events).toEqual([100, 100]);
    const recent = { field: 'appVersion', op: 'gte' as const, value: '2.10' };
    const inGermany = { field: 'country', op: 'is' as const, value: 'de' };
    const either = await ask({ where: { any: [recent, inGermany] } });
    const meant = rows.filter(
      ({ appVersion, country }) => ['2.10', '2.11'].includes(appVersion ?? '') || country === 'DE',
    );
    expect(either.total.events.reduce((sum, one) => sum + one)).toBe(meant.length);
    const byPlan = await ask({ breakdown: { kind: 'prop', prop: 'plan' }, names: ['opened'] });
    expect(byPlan.series.map(({ value }) => value)).toEqual(['0', '2']);
    const byVersion = await ask({ breakdown: { kind: 'appVersion' } });
    expect(byVersion.series.map(({ value }) => value)).toEqual([
      ...['2.0', '2.1', '2.10', '2.11', '2.2', '2.3'],
      null,
    ]);
    const funnel = {
      ...OF_APP,
      ...{ fromUs: 0, startBeforeUs: 600, windowUs: 600, trendFromUs: null, filters: {} },
      steps: [
        { events: ['opened'] },
        { where: { all: [{ field: 'prop:plan', op: 'gte' as const, value: 2 }] } },
      ],
    };
    const { total, breakdown } = await countOver(nobody, whole, 'funnel', {
      ...funnel,
      filters: { country: 'DE' },
      breakdown: { kind: 'platform' },
    });
    expect(total.people[0]).toBeGreaterThan(0);
    expect(breakdown?.map(({ value }) => value).toSorted()).toEqual(['ios', 'other', 'web']);
    const { people } = await countOver(nobody, whole, 'retention', {
      ...OF_APP,
      ...{ boundariesUs: [0, 300, 600], cohorts: 1, periods: 1, periodUs: null },
      ...{ cohort: 'first', criterion: 'on' },
      start: { where: { all: [{ field: 'platform', op: 'is', value: 'ios' }] } },
    });
    expect(people).toBe(40);
    for (const field of ['osVersion', 'prop:wide']) {
      const where = { all: [{ field, op: 'isSet' as const }] };
      expect(ask({ where })).rejects.toThrow('DuckDB is asked');
    }
  });
});

test('which of two entries at one instant a path starts with, their order says, which DuckDB knows', async () => {
  const entry = (anonymousId: string, platform: string, batchIndex: number) =>
    eventRow({ name: 'opened', anonymousId, platform, batchIndex, occurredAtUs: 5 });
  const alike = [entry('device-1', 'ios', 0), entry('device-1', 'ios', 1)];
  const unlike = [entry('device-2', 'web', 1), entry('device-2', 'ios', 0)];
  const question = {
    ...OF_APP,
    ...{ fromUs: 0, startBeforeUs: 10, windowUs: 10, trendFromUs: null, breakdown: null },
    ...{ steps: [{ event: 'opened' }, { event: 'opened' }], filters: { platform: 'ios' } },
  };
  const one = { files: [await duck.writeFile(alike, { level: 1 })] };
  const both = { files: [await duck.writeFile([...alike, ...unlike], { level: 1 })] };
  await duck.query(one, async (_, whole) => {
    const { total } = await countOver(nobody, whole, 'funnel', question);
    expect(total.people).toEqual([1, 1]);
  });
  await duck.query(both, async (connection, whole) => {
    expect(countOver(nobody, whole, 'funnel', question)).rejects.toThrow('DuckDB is asked');
    const { total } = await countOver(connection, whole, 'funnel', question);
    // That of the second device starts with the later of the two, which is of the web.
    expect(total.people).toEqual([1, 1]);
  });
});
