import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { knownEvents } from '../../../src/query/series/events.ts';
import type { SeriesQuestion } from '../../../src/query/series/model.ts';
import { isMeant } from '../../support/conditions-reference.ts';
import { APP, countOver, eventRow, ORG, TestDuck } from '../../support/event-source.ts';
import { type PlainEvent, stitched, stitchedCases } from '../../support/stitched-events.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

/** Where the app's own files begin and end, so that buckets hold whole ones. */
const FILE_SPAN = 800;
/** From buckets of one length and of many, to more of them than one number has bits. */
const boundaries = fc
  .record({
    start: fc.integer({ min: 0, max: 500 }),
    steps: fc.oneof(
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 140 }).map((n) => Array.from({ length: n }, () => 7)),
    ),
  })
  .map(({ start, steps }) => {
    const found = [start];
    for (const step of steps) found.push((found.at(-1) ?? 0) + step);
    return found;
  });
const wholeFiles = fc
  .array(fc.constantFrom(FILE_SPAN / 2, FILE_SPAN, 2 * FILE_SPAN), { minLength: 2, maxLength: 4 })
  .map((steps) => {
    const found = [0];
    for (const step of steps) found.push((found.at(-1) ?? 0) + step);
    return found;
  });
const splits = fc.constantFrom<Pick<SeriesQuestion, 'names' | 'breakdown'>>(
  { names: null, breakdown: null },
  { names: ['opened'], breakdown: null },
  { names: ['bought', 'opened', 'never_seen'], breakdown: null },
  { names: null, breakdown: { kind: 'platform' } },
  { names: ['opened'], breakdown: { kind: 'prop', prop: 'plan' } },
  { names: null, breakdown: { kind: 'prop', prop: 'plan' } },
);
const filters = fc.constantFrom<SeriesQuestion['filters']>(
  {},
  { platform: 'other' },
  { property: { prop: 'plan', equals: '3' } },
);

const conditions = fc.constantFrom<SeriesQuestion['where']>(
  undefined,
  { all: [{ field: 'platform', op: 'isNot', value: 'web' }] },
  {
    any: [
      { field: 'prop:plan', op: 'gte', value: 4 },
      {
        all: [
          { field: 'platform', op: 'isSet' },
          { field: 'name', op: 'is', value: 'bought' },
        ],
      },
    ],
  },
);

const planOf = ({ row }: PlainEvent): string =>
  row.props === null ? 'unknown' : String(JSON.parse(row.props).plan);

test('a series counts what plain loops over the events count', async () => {
  await fc.assert(
    fc.asyncProperty(
      stitchedCases(fc.integer({ min: 0, max: 1_600 })),
      fc.oneof(boundaries, wholeFiles),
      fc.constantFrom(1, 1_000),
      splits,
      filters,
      conditions,
      fc.array(fc.tuple(fc.nat(140), fc.nat(140)), { maxLength: 6 }),
      async (events, boundaries, unitUs, split, chosen, where, spans) => {
        const boundariesUs = boundaries.map((boundary) => boundary * unitUs);
        const { source, plain } = await stitched(duck, events, { unitUs, splitAt: FILE_SPAN });
        const buckets = boundariesUs.length - 1;
        const inAxis = (n: number) => Math.min(n, buckets);
        const ranges = spans
          .map(([a, b]): [number, number] => [inAxis(Math.min(a, b)), inAxis(Math.max(a, b))])
          .concat([[0, buckets]]);
        const question: SeriesQuestion = {
          orgId: ORG,
          appId: APP,
          boundariesUs,
          ...split,
          valuesFrom: 0,
          filters: chosen,
          ...(where && { where }),
          ranges,
        };
        const answer = await duck.query(source, (connection, whole) =>
          countOver(connection, whole, 'series', question),
        );

        const bucketOf = ({ row }: PlainEvent) => {
          for (let i = 0; i < buckets; i += 1) {
            const [from = 0, before = 0] = boundariesUs.slice(i, i + 2);
            if (row.occurredAtUs >= from && row.occurredAtUs < before) return i;
          }
          return -1;
        };
        const counted = plain.filter((one) => {
          if (bucketOf(one) === -1 || !isMeant(one.row, where)) return false;
          if (chosen.platform && (one.row.platform ?? 'other') !== chosen.platform) return false;
          if (chosen.property && planOf(one) !== chosen.property.equals) return false;
          return split.names === null || split.names.includes(one.row.name);
        });
        const countsOf = (list: PlainEvent[]) => ({
          events: Array.from(
            { length: buckets },
            (_, i) => list.filter((one) => bucketOf(one) === i).length,
          ),
          people: ranges.map(([from, before]) => {
            const inside = list.filter((one) => bucketOf(one) >= from && bucketOf(one) < before);
            return new Set(inside.map(({ person }) => person)).size;
          }),
        });
        expect({ events: answer.total.events, people: answer.total.people }).toEqual(
          countsOf(counted),
        );
        const by = split.breakdown;
        if (by === null) {
          expect(answer.series).toEqual(
            (split.names ?? []).map((value) => ({
              value,
              ...countsOf(counted.filter(({ row }) => row.name === value)),
            })),
          );
          return;
        }
        const valueIn = (one: PlainEvent) =>
          by.kind === 'platform' ? (one.row.platform ?? 'other') : planOf(one);
        const groups = [...Map.groupBy(counted, valueIn)].toSorted(
          ([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1),
        );
        const shown =
          groups.length <= 6 ? groups : groups.filter(([value]) => value !== 'other').slice(0, 6);
        const names = shown.map(([value]) => value);
        const rest = counted.filter((one) => !names.includes(valueIn(one)));
        expect(answer.series).toEqual([
          ...shown.map(([value, list]) => ({ value, ...countsOf(list) })),
          ...(rest.length > 0 ? [{ value: null, ...countsOf(rest) }] : []),
        ]);
      },
    ),
    { numRuns: Number(process.env.TEST_FULL ? 400 : 15) },
  );
});

test('files that lie in one bucket are counted by the catalogue, unless it cannot know', async () => {
  const ms = 1_000;
  const rowsAt = (...times: number[]) =>
    times.map((at, i) =>
      eventRow({ name: i % 2 === 0 ? 'opened' : 'bought', occurredAtUs: at * ms }),
    );
  const inside = await duck.writeFile(rowsAt(0, 40, 99), { level: 1 });
  const across = await duck.writeFile(rowsAt(40, 140), { level: 1 });
  const shared = await duck.writeFile(rowsAt(10));
  const files = [inside, across, shared];
  const split = { boundariesUs: [0, 100 * ms, 200 * ms], names: ['bought', 'opened'] };
  await duck.query({ files }, async (_, source) => {
    expect(knownEvents(source, split)).toEqual({
      known: [
        { bucket: 0, series: 1, events: 1 },
        { bucket: 0, series: 2, events: 2 },
      ],
      unknown: [across, shared],
    });
    const { known } = knownEvents(source, { ...split, names: null });
    expect(known).toEqual([{ bucket: 0, series: 0, events: 3 }]);
    const mustRead = [
      { ...source, erased: ['somebody'] },
      { ...source, environment: 'development' as const },
    ];
    for (const one of mustRead) expect(knownEvents(one, split).unknown).toEqual(files);
  });
});
