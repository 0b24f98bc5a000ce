import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Selected } from '../../../src/query/selection/selected.ts';
import { plainFunnel, plainRetention, plainSeries } from '../../support/asked-reference.ts';
import { APP, countOver, ORG, TestDuck } from '../../support/event-source.ts';
import { randomConditions, randomFacts } from '../../support/random-conditions.ts';
import { stitched, stitchedCases } from '../../support/stitched-events.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

const END = 1_300;
const OF_APP = { orgId: ORG, appId: APP };
const cases = stitchedCases(fc.integer({ min: 0, max: END }), 80, randomFacts);
const events = fc.subarray(['opened', 'bought', 'closed'], { minLength: 1 });
const selection: fc.Arbitrary<Selected> = fc.record(
  { events, where: randomConditions },
  { requiredKeys: [] },
);
const boundaries = fc
  .tuple(
    fc.nat(300),
    fc.array(fc.constantFrom(60, 60, 60, 45, 80), { minLength: 2, maxLength: 90 }),
  )
  .map(([start, steps]) => {
    const found = [start];
    for (const step of steps) found.push((found.at(-1) ?? 0) + step);
    return found;
  });
const numRuns = Number(process.env.TEST_FULL ? (process.env.TEST_RUNS ?? 2_000) : 12);

test('series of selections count what plain loops count', async () => {
  await fc.assert(
    fc.asyncProperty(
      cases,
      boundaries,
      fc.array(selection, { minLength: 1, maxLength: 4 }),
      async (made, boundariesUs, selections) => {
        const { source, plain } = await stitched(duck, made);
        const buckets = boundariesUs.length - 1;
        const ranges: [number, number][] = [
          [0, buckets],
          [1, 2],
          [0, 0],
          [buckets >> 1, buckets],
        ];
        const asked = {
          ...OF_APP,
          boundariesUs,
          ranges,
          names: null,
          breakdown: null,
          valuesFrom: 0,
        };
        const { total, series } = await duck.query(source, (connection, whole) =>
          countOver(connection, whole, 'series', { ...asked, filters: {}, selections }),
        );
        expect({ total, series: series.map(({ value: _, ...one }) => one) }).toEqual(
          plainSeries(asked, selections, plain),
        );
      },
    ),
    { numRuns },
  );
});

test('a funnel of selections counts what plain loops count', async () => {
  const steps = fc.array(selection, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      cases,
      steps,
      fc.option(randomConditions, { nil: undefined }),
      fc.record({
        fromUs: fc.nat(600),
        length: fc.integer({ min: 1, max: 800 }),
        windowUs: fc.nat(300),
      }),
      async (made, steps, where, { fromUs, length, windowUs }) => {
        const { source, plain } = await stitched(duck, made);
        const question = {
          ...OF_APP,
          ...{ steps, fromUs, startBeforeUs: fromUs + length, windowUs },
          ...(where && { where }),
          ...{ breakdown: null, trendFromUs: null },
        };
        const { total } = await duck.query(source, (connection, whole) =>
          countOver(connection, whole, 'funnel', { ...question, filters: {} }),
        );
        expect(total.people).toEqual(plainFunnel(question, plain));
      },
    ),
    { numRuns },
  );
});

test('retention of selections counts what plain loops count', async () => {
  await fc.assert(
    fc.asyncProperty(
      cases,
      boundaries.map((all) => all.slice(0, 21)),
      fc.record({
        start: selection,
        return: selection,
        cohort: fc.constantFrom('first' as const, 'recurring' as const),
        criterion: fc.constantFrom('on' as const, 'on_or_after' as const),
        periodUs: fc.constantFrom(null, 60, 7),
        periods: fc.integer({ min: 1, max: 12 }),
        cohorts: fc.integer({ min: 1, max: 2 }),
      }),
      async (made, boundariesUs, drawn) => {
        const { source, plain } = await stitched(duck, made);
        const question = { ...OF_APP, boundariesUs, ...drawn };
        const { people, cohorts } = await duck.query(source, (connection, whole) =>
          countOver(connection, whole, 'retention', question),
        );
        const { start, return: comingBack } = drawn;
        expect({ people, cohorts }).toEqual(plainRetention(question, { start, comingBack }, plain));
      },
    ),
    { numRuns },
  );
});
