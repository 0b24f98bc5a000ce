import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { countMeasures } from '../../../src/query/measures/count.ts';
import { measures } from '../../../src/query/measures/kind.ts';
import {
  COUNTED,
  type Measure,
  type MeasuresQuestion,
  RELATIVE_ERROR,
  STATISTICS,
} from '../../../src/query/measures/model.ts';
import type { EventSource } from '../../../src/query/reading/source/events.ts';
import { APP, countOver, eventRow, ORG, runOver, TestDuck } from '../../support/event-source.ts';
import { measuredBy } from '../../support/measures-reference.ts';
import { isFullRun } from '../../support/random.ts';
import { byDuck } from '../../support/readers.ts';
import { isSelected, selections } from '../../support/selected-events.ts';
import { stitched, stitchedCases } from '../../support/stitched-events.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

const MINUTE = 60_000_000;
const UNIT = 10 * MINUTE;

const measure: fc.Arbitrary<Measure> = fc.oneof(
  fc.constantFrom(...COUNTED).map((of) => ({ of })),
  fc.record({
    of: fc.constant('property' as const),
    property: fc.constant('plan'),
    statistic: fc.constantFrom(...STATISTICS),
    per: fc.constantFrom('event' as const, 'person' as const),
  }),
);
const boundaries = fc
  .record({
    start: fc.oneof(fc.nat(20), fc.nat(700)),
    steps: fc.array(fc.constantFrom(1, 20, 143, 144, 150, 400), { minLength: 1, maxLength: 8 }),
  })
  .map(({ start, steps }) => {
    const found = [start * UNIT];
    for (const step of steps) found.push((found.at(-1) ?? 0) + step * UNIT);
    return found;
  });

/** What lies between two values is rounded by each in its own last digit. */
const rounded = <T extends { value: number | null }>(one: T): T => ({
  ...one,
  value: one.value === null ? null : Number(one.value.toPrecision(14)),
});

test('each measure equals plain loops', async () => {
  await fc.assert(
    fc.asyncProperty(
      stitchedCases(fc.oneof(fc.nat(40), fc.nat(1_600))),
      boundaries,
      selections,
      measure,
      async (events, boundariesUs, selected, asked) => {
        const apart = events.shapes.map((shape, n) => ({ ...shape, at: shape.at * 1_000 + n }));
        const places = { unitUs: UNIT / 1_000, splitAt: 800_000 };
        const { source, plain } = await stitched(
          duck,
          { ...events, shapes: apart, erased: [] },
          places,
        );
        const buckets = boundariesUs.length - 1;
        const ranges: [number, number][] = [
          ...[[0, buckets] as [number, number], [0, 0] as [number, number]],
          ...Array.from({ length: buckets }, (_, n): [number, number] => [n, n + 1]),
        ];
        const happened = plain.map((one) => {
          const { plan } = one.row.props === null ? { plan: null } : JSON.parse(one.row.props);
          return {
            ...{ person: one.person, session: one.row.sessionId, name: one.row.name },
            ...{ at: one.row.occurredAtUs, isMeant: isSelected(one, selected) },
            number: typeof plan === 'number' ? plan : null,
          };
        });
        const question: MeasuresQuestion = {
          ...{ orgId: ORG, appId: APP, boundariesUs, ranges, measure: asked },
          ...selected,
        };
        for (const by of [source, byDuck(source)]) {
          const answer = await duck.query(by, (connection, whole) =>
            countOver(connection, whole, 'measures', question),
          );
          expect(answer.relativeError).toBeNull();
          expect({ asked, measured: answer.measured.map(rounded) }).toEqual({
            asked,
            measured: measuredBy(asked, happened, boundariesUs, ranges).map(rounded),
          });
        }
      },
    ),
    { numRuns: isFullRun ? 1_000 : 30 },
  );
});

const asItIs = (source: Partial<EventSource>) => source;
const READERS = [asItIs, byDuck];
type Sent = { person?: string; props: Record<string, unknown> };
const DAY = 86_400_000_000;

function asked(of: Measure): MeasuresQuestion {
  const window = { boundariesUs: [0, DAY], ranges: [[0, 1]] satisfies [number, number][] };
  return { orgId: ORG, appId: APP, names: null, filters: {}, measure: of, ...window };
}
const rowsOf = (sent: readonly Sent[]) =>
  sent.map(({ person = 'user-1', props }, n) =>
    eventRow({ name: 'a', personId: person, occurredAtUs: n, props: JSON.stringify(props) }),
  );
const property = (
  statistic: (typeof STATISTICS)[number],
  per: 'event' | 'person' = 'event',
): Measure => ({ of: 'property', property: 'price', statistic, per });

async function measuredOf(of: Measure, sent: readonly Sent[], reader = asItIs) {
  const answer = await duck.query(reader({ hotRows: rowsOf(sent) }), (connection, whole) =>
    countOver(connection, whole, 'measures', asked(of)),
  );
  return answer.measured[0]!;
}

describe('a number property', () => {
  test('of any numbers has the sum, mean, quantiles, minimum and maximum of plain loops', async () => {
    const number = fc.oneof(
      fc.maxSafeInteger(),
      fc.integer({ min: -5, max: 5 }),
      fc.constantFrom(0.1, 0.2, 9.99, 1e-9, 1e21, -1e15),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e100, max: 1e100 }),
    );
    const value = fc.oneof(
      { weight: 6, arbitrary: number as fc.Arbitrary<unknown> },
      fc.constantFrom(null, '5', true, ''),
    );
    const sent = fc.array(
      fc.record({
        person: fc.constantFrom('user-1', 'user-2', 'user-3'),
        props: fc.oneof(
          value.map((price) => ({ other: 1, price })),
          fc.constant({ other: '"price":5' }),
        ),
      }),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(
        sent,
        fc.constantFrom(...STATISTICS),
        fc.constantFrom('event' as const, 'person' as const),
        fc.constantFrom(asItIs, byDuck),
        async (some, statistic, per, reader) => {
          const of = property(statistic, per);
          const happened = some.map(({ person, props }, at) => {
            const price = 'price' in props ? props.price : null;
            const number = typeof price === 'number' ? price : null;
            return { person, session: null, name: 'a', at, isMeant: true, number };
          });
          const [wanted] = measuredBy(of, happened, [0, DAY], [[0, 1]]);
          const found = await measuredOf(of, some, reader);
          const { value: near, ...counts } = found;
          expect(counts).toEqual({ people: wanted!.people, count: wanted!.count });
          if (wanted!.value === null) expect(near).toBeNull();
          else {
            // Decimals are added in no certain order.
            const size = Math.max(1e-300, ...happened.map(({ number: n }) => Math.abs(n ?? 0)));
            expect(Math.abs(near! - wanted!.value)).toBeLessThanOrEqual(size * 1e-12);
          }
        },
      ),
      { numRuns: isFullRun ? 1_000 : 30 },
    );
  });

  test.each(READERS)(
    'adds integers exactly where floating point would not (%p)',
    async (reader) => {
      const large = Number.MAX_SAFE_INTEGER;
      const sent = [large, 1, 1, -large, 1].map((price) => ({ props: { price } }));
      expect(await measuredOf(property('sum'), sent, reader)).toEqual({
        value: 3,
        people: 1,
        count: 5,
      });
      expect((await measuredOf(property('sum', 'person'), sent, reader)).value).toBe(3);
      expect((await measuredOf(property('mean'), sent, reader)).value).toBe(3 / 5);
      const cents = Array.from({ length: 1_000 }, () => ({ props: { price: 0.1 } }));
      expect((await measuredOf(property('sum'), cents, reader)).value).toBe(100);
    },
  );

  test.each(READERS)(
    'counts no text, no truth and nothing that is missing (%p)',
    async (reader) => {
      const props = [{ price: '5' }, { price: true }, { price: null }, {}, { price: 7 }];
      const sent = props.map((own, n) => ({ person: `user-${n}`, props: own }));
      expect(await measuredOf(property('sum'), sent, reader)).toEqual({
        value: 7,
        people: 1,
        count: 1,
      });
      expect(await measuredOf(property('sum'), sent.slice(0, 4), reader)).toEqual({
        ...{ value: null, people: 0, count: 0 },
      });
    },
  );

  test('of more values than are sorted has quantiles within the error that is said', async () => {
    const number = fc.oneof(
      fc.integer({ min: -1_000, max: 1_000 }),
      fc.double({ min: 1, max: 1e9, noNaN: true }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(number, { minLength: 11, maxLength: 200 }),
        fc.constantFrom('median' as const, 'p90' as const),
        async (numbers, statistic) => {
          const question = asked(property(statistic));
          const hotRows = rowsOf(numbers.map((price) => ({ props: { price } })));
          const answersOf = (mostExact?: number) =>
            duck.query({ hotRows }, (connection, whole) =>
              countMeasures(
                runOver(connection, whole, measures.selection(question)),
                question,
                mostExact,
              ),
            );
          const [exact, near] = [await answersOf(), await answersOf(10)];
          expect([exact.relativeError, near.relativeError]).toEqual([null, RELATIVE_ERROR]);
          const sorted = numbers.toSorted((a, b) => a - b);
          const place = (statistic === 'median' ? 0.5 : 0.9) * (numbers.length - 1);
          const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
          const off = RELATIVE_ERROR * 1.000_001 * Math.max(Math.abs(low), Math.abs(high));
          expect(
            Math.abs(near.measured[0]!.value! - exact.measured[0]!.value!),
          ).toBeLessThanOrEqual(off);
        },
      ),
      { numRuns: isFullRun ? 200 : 10 },
    );
  });
});

test('a session is as long as all its events, and is counted where it begins', async () => {
  const at = (minute: number, more: object = {}) =>
    eventRow({ name: 'a', personId: 'user-1', occurredAtUs: minute * MINUTE, ...more });
  // Begins before midnight, its purchase comes after.
  const rows = [at(1_430), at(1_450, { name: 'bought' }), at(1_475), at(1_600)];
  const day = DAY;
  const of = async (measureOf: 'sessions' | 'sessionLength', names: string[] | null) => {
    const question: MeasuresQuestion = {
      ...asked({ of: measureOf }),
      ...{ names, boundariesUs: [0, day, 2 * day] },
      ranges: [
        [0, 1],
        [1, 2],
      ],
    };
    const answer = await duck.query({ hotRows: rows }, (connection, whole) =>
      countOver(connection, whole, 'measures', question),
    );
    return answer.measured.map(({ value }) => value);
  };
  expect(await of('sessions', null)).toEqual([1, 1]);
  expect(await of('sessions', ['bought'])).toEqual([1, 0]);
  expect(await of('sessionLength', null)).toEqual([45 * 60, 0]);
  expect(await of('sessionLength', ['bought'])).toEqual([45 * 60, null]);
});
