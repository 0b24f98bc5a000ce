import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { toDistribution } from '../../../src/query/funnel/distribution.ts';
import type { FunnelQuestion } from '../../../src/query/funnel/model.ts';
import type { Selected } from '../../../src/query/selection/selected.ts';
import { isSelected } from '../../support/asked-reference.ts';
import { APP, countOver, eventRow, ORG, TestDuck } from '../../support/event-source.ts';
import { countedPathBy } from '../../support/funnel-reference.ts';
import { isFullRun } from '../../support/random.ts';
import { type PlainEvent, stitched, stitchedCases } from '../../support/stitched-events.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

const selected: fc.Arbitrary<Selected> = fc.constantFrom<Selected>(
  { events: ['opened'] },
  { events: ['bought'] },
  { events: ['closed'] },
  { events: ['bought', 'closed'] },
  { events: ['opened'], where: { all: [{ field: 'platform', op: 'is', value: 'ios' }] } },
  { where: { all: [{ field: 'platform', op: 'isNotSet' }] } },
);
const asked = fc
  .record({
    steps: fc.array(selected, { minLength: 2, maxLength: 4 }),
    excluded: fc.array(fc.record({ events: selected, from: fc.nat(2), length: fc.nat(2) }), {
      maxLength: 2,
    }),
    isStrict: fc.boolean(),
    fromUs: fc.nat(30),
    length: fc.integer({ min: 1, max: 120 }),
    windowUs: fc.nat(80),
    firstStartOnly: fc.boolean(),
  })
  .map(({ excluded, length, ...rules }) => ({
    ...rules,
    startBeforeUs: rules.fromUs + length,
    exclusions: excluded.flatMap(({ events, from, length: steps }) => {
      const to = from + steps + 1;
      return to < rules.steps.length ? [{ events, from, to }] : [];
    }),
  }));

function pathsOf(
  question: Pick<FunnelQuestion, 'fromUs' | 'startBeforeUs' | 'windowUs'> & {
    steps: Selected[];
    exclusions: { events: Selected; from: number; to: number }[];
    isStrict: boolean;
    firstStartOnly: boolean;
  },
  plain: readonly PlainEvent[],
) {
  const { steps, isStrict, startBeforeUs, ...rules } = question;
  const strict = isStrict ? [{ events: {}, from: 0, to: steps.length - 1 }] : [];
  const exclusions = [...question.exclusions, ...strict];
  const placed = plain.map(({ person, row }) => ({
    ...{ person, row, at: row.occurredAtUs, arrival: row.arrival, batchIndex: row.batchIndex },
  }));
  return [...Map.groupBy(placed, ({ person }) => person).values()].flatMap((own) => {
    const all = { ...rules, steps, exclusions, untilUs: startBeforeUs };
    const path = countedPathBy(own, all, ({ row }, step) => isSelected(row, step));
    return path ? [path.times] : [];
  });
}

function middle(values: number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  if (half === 0) return null;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2 / 1_000_000;
}

test('a funnel with exclusions, strict or not, counts the paths that trying all of them finds', async () => {
  await fc.assert(
    fc.asyncProperty(
      stitchedCases(fc.integer({ min: 0, max: 160 }), 70),
      asked,
      async (events, rules) => {
        const { source, plain } = await stitched(duck, events);
        const question = { orgId: ORG, appId: APP, filters: {}, breakdown: null, ...rules };
        const { total } = await duck.query(source, (connection, whole) =>
          countOver(connection, whole, 'funnel', { ...question, trendFromUs: null }),
        );
        const times = pathsOf(rules, plain);
        const steps = rules.steps.map((_, step) => step);
        expect(total.people).toEqual(
          steps.map((step) => times.filter((one) => one.length > step).length),
        );
        expect(total.medianSecondsFromStart.slice(1)).toEqual(
          steps
            .slice(1)
            .map((step) =>
              middle(times.flatMap((one) => (one.length > step ? one[step]! - one[0]! : []))),
            ),
        );
      },
    ),
    { numRuns: isFullRun ? 2_000 : 60 },
  );
});

const MINUTE = 60_000_000;
async function countOf(events: [name: string, minute: number][], more: Partial<FunnelQuestion>) {
  const hotRows = events.map(([name, minute], arrival) =>
    eventRow({ name, personId: 'user-1', occurredAtUs: minute * MINUTE, arrival }),
  );
  const question: FunnelQuestion = {
    ...{ orgId: ORG, appId: APP, filters: {}, breakdown: null, trendFromUs: null },
    steps: [{ event: 'a' }, { event: 'b' }, { event: 'c' }],
    ...{ fromUs: 0, startBeforeUs: 1_000 * MINUTE, windowUs: 100 * MINUTE },
    ...more,
  };
  const { total } = await duck.query({ hotRows }, (connection, whole) =>
    countOver(connection, whole, 'funnel', question),
  );
  return total.people.filter((people) => people === 1).length;
}

test('what must not happen ends a path between its steps only, and what was reached stays', async () => {
  const exclusions = [{ events: { events: ['x'] }, from: 1, to: 2 }];
  expect(
    await countOf(
      [
        ['a', 0],
        ['b', 1],
        ['x', 2],
        ['c', 3],
      ],
      { exclusions },
    ),
  ).toBe(2);
  expect(
    await countOf(
      [
        ['a', 0],
        ['x', 1],
        ['b', 2],
        ['c', 3],
      ],
      { exclusions },
    ),
  ).toBe(3);
  expect(
    await countOf(
      [
        ['a', 0],
        ['b', 1],
        ['x', 2],
        ['b', 3],
        ['c', 4],
      ],
      { exclusions },
    ),
  ).toBe(3);
  expect(
    await countOf(
      [
        ['a', 0],
        ['b', 1],
        ['c', 2],
        ['x', 3],
      ],
      { exclusions },
    ),
  ).toBe(3);
  expect(
    await countOf(
      [
        ['a', 0],
        ['b', 1],
        ['x', 1],
        ['c', 3],
      ],
      { exclusions },
    ),
  ).toBe(3);
});

test('strict lets nothing else of clients happen between two steps', async () => {
  const isStrict = true;
  expect(
    await countOf(
      [
        ['a', 0],
        ['b', 1],
        ['c', 2],
      ],
      { isStrict },
    ),
  ).toBe(3);
  expect(
    await countOf(
      [
        ['a', 0],
        ['x', 1],
        ['b', 2],
        ['c', 3],
      ],
      { isStrict },
    ),
  ).toBe(1);
  expect(
    await countOf(
      [
        ['a', 0],
        ['b', 1],
        ['b', 2],
        ['c', 3],
      ],
      { isStrict },
    ),
  ).toBe(2);
  expect(
    await countOf(
      [
        ['a', 0],
        ['a', 1],
        ['b', 2],
        ['c', 3],
      ],
      { isStrict },
    ),
  ).toBe(3);
});

test('times to convert are counted between round bounds, up to the window', () => {
  const seconds = [0, 9.9, 10, 59, 60, 119, 120, 3_599, 3_600, 7_200];
  const times = Float64Array.from(seconds, (one) => one * 1_000_000);
  const found = toDistribution(times, 7_200 * 1_000_000);
  expect(
    found.map(({ fromSeconds, toSeconds, people }) => [fromSeconds, toSeconds, people]),
  ).toEqual([
    [0, 10, 2],
    [10, 30, 1],
    [30, 60, 1],
    [60, 120, 2],
    [120, 300, 1],
    [300, 600, 0],
    [600, 1_800, 0],
    [1_800, 3_600, 1],
    [3_600, 7_200, 2],
  ]);
});

test('a funnel says the times of everybody who finished, by whichever way it is counted', async () => {
  const rows = [0, 1, 2, 3].flatMap((person) =>
    ['a', 'b'].map((name, step) =>
      eventRow({ name, personId: `user-${person}`, occurredAtUs: step * person * 20_000_000 }),
    ),
  );
  const question: FunnelQuestion = {
    ...{ orgId: ORG, appId: APP, filters: {}, breakdown: null, trendFromUs: null },
    steps: [{ event: 'a' }, { event: 'b' }],
    ...{ fromUs: 0, startBeforeUs: MINUTE, windowUs: 2 * MINUTE, isDistributed: true },
  };
  const file = await duck.writeFile(rows, { level: 1 });
  for (const source of [{ hotRows: rows }, { files: [file] }, { files: [file], erased: ['no'] }]) {
    const { distribution } = await duck.query(source, (connection, whole) =>
      countOver(connection, whole, 'funnel', question),
    );
    expect(distribution?.map(({ people }) => people)).toEqual([1, 1, 1, 1]);
  }
});
