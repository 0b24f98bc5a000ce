import { expect, test } from 'bun:test';
import type { DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import type { SegmentRule } from '../../../src/modules/segments/model.ts';
import { resolveRule } from '../../../src/modules/segments/rules/resolve-rule.ts';
import type { CountingThreads } from '../../../src/query/reading/threads/threads.ts';
import type { EventSource } from '../../../src/query/reading/source/events.ts';
import type { Conditions } from '../../../src/query/selection/conditions.ts';
import type { Membership } from '../../../src/query/selection/segment-rules.ts';
import type { Selected } from '../../../src/query/selection/selected.ts';
import {
  isSelected,
  plainFunnel,
  plainRetention,
  plainSeries,
} from '../../support/asked-reference.ts';
import { openDuckAndThreads } from '../../support/duck-and-threads.ts';
import { APP, countOver, eventRow, ORG } from '../../support/event-source.ts';
import { lifecycleOf } from '../../support/lifecycle-reference.ts';
import { randomCondition, randomFacts } from '../../support/random-conditions.ts';
import {
  clause,
  entitledMap,
  HOUR_US,
  HOURS,
  holders as drawnHolders,
  named,
  ruleOf,
} from '../../support/random-segments.ts';
import { byDuck, withoutProjections } from '../../support/readers.ts';
import { isInSegment, peopleOfSegment } from '../../support/segment-reference.ts';
import { type PlainEvent, stitched, stitchedCases } from '../../support/stitched-events.ts';

const { duck, together } = await openDuckAndThreads(3);

const OF_APP = { orgId: ORG, appId: APP };
const member = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ segment: fc.constantFrom('seg_a', 'seg_b'), is: fc.boolean() }),
  },
  fc.record({
    segment: fc.constant('seg_c'),
    is: fc.boolean(),
    asOf: fc.constant('event' as const),
  }),
);
const group = <T>(item: fc.Arbitrary<T>, maxLength: number) =>
  fc
    .tuple(fc.boolean(), fc.array(item, { minLength: 1, maxLength }))
    .map(([isAll, items]) => (isAll ? { all: items } : { any: items }));
const some = fc.oneof({ weight: 2, arbitrary: member }, randomCondition);
const where: fc.Arbitrary<Conditions> = group(
  fc.oneof({ weight: 3, arbitrary: some }, group(some, 3)),
  3,
);
const selection: fc.Arbitrary<Selected> = fc.record(
  { events: fc.subarray(['opened', 'bought', 'closed'], { minLength: 1 }), where },
  { requiredKeys: ['where'] },
);
const boundaries = fc
  .tuple(fc.nat(300), fc.array(fc.constantFrom(60, 45, 200), { minLength: 3, maxLength: 12 }))
  .map(([start, steps]) => {
    const found = [start * HOUR_US];
    for (const step of steps) found.push((found.at(-1) ?? 0) + step * HOUR_US);
    return found;
  });
const asked = fc.record({
  boundariesUs: boundaries,
  selections: fc.array(selection, { minLength: 1, maxLength: 3 }),
  entry: where,
  windowUs: fc.nat(300).map((hours) => hours * HOUR_US),
  start: selection,
  return: selection,
  cohort: fc.constantFrom('first' as const, 'recurring' as const),
  criterion: fc.constantFrom('on' as const, 'on_or_after' as const),
});
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

const ofSeries = ({ boundariesUs }: Asked) => {
  const buckets = boundariesUs.length - 1;
  const ranges: [number, number][] = [
    [0, buckets],
    [1, 2],
    [buckets >> 1, buckets],
  ];
  return { ...OF_APP, boundariesUs, ranges, names: null, breakdown: null, valuesFrom: 0 };
};

const ofFunnel = ({ boundariesUs, selections, entry, windowUs }: Asked) => ({
  ...OF_APP,
  ...{ steps: selections, where: entry, windowUs, breakdown: null, trendFromUs: null },
  ...{ fromUs: boundariesUs[0]!, startBeforeUs: boundariesUs.at(-1)! },
});

const ofRetention = ({ boundariesUs, start, cohort, criterion, ...ask }: Asked) => ({
  ...OF_APP,
  ...{ boundariesUs, start, return: ask.return, cohort, criterion, cohorts: 2 },
  ...{ periodUs: null, periods: 3 },
});

async function answers(
  [connection, source]: [DuckDBConnection, EventSource],
  ask: Asked,
  memberships: Membership[],
  threads: CountingThreads | null = null,
) {
  const count = { memberships, filters: {} };
  const { boundariesUs, selections, entry } = ask;
  const series = await countOver(
    connection,
    source,
    'series',
    { ...ofSeries(ask), ...count, selections },
    threads,
  );
  const funnel = await countOver(
    connection,
    source,
    'funnel',
    { ...ofFunnel(ask), ...count },
    threads,
  );
  const retention = await countOver(
    connection,
    source,
    'retention',
    { ...ofRetention(ask), memberships },
    threads,
  );
  const plain = { ...OF_APP, boundariesUs, names: null, where: entry, ...count };
  const lifecycle = await countOver(connection, source, 'lifecycle', plain);
  const page = { after: null, limit: 1_000 };
  const listed = await countOver(connection, source, 'series-people', {
    ...{ ...plain, ...page, bucket: 1 },
  });
  const { people, cohorts } = retention;
  return {
    series: { total: series.total, series: series.series.map(({ value: _, ...one }) => one) },
    funnel: funnel.total.people,
    retention: { people, cohorts },
    lifecycle: lifecycle.intervals,
    listed: listed.people,
  };
}

function plainAnswers(plain: readonly PlainEvent[], ask: Asked) {
  const { boundariesUs, selections, entry, start } = ask;
  const chosen = plain.filter(({ row }) => isSelected(row, { where: entry }));
  const visits = chosen.map(({ person, row }) => ({ person, at: row.occurredAtUs }));
  const [from, before] = [boundariesUs[1]!, boundariesUs[2]!];
  const inSecond = visits.filter(({ at }) => at >= from && at < before);
  return {
    series: plainSeries(ofSeries(ask), selections, plain),
    funnel: plainFunnel(ofFunnel(ask), plain),
    retention: plainRetention(ofRetention(ask), { start, comingBack: ask.return }, plain),
    lifecycle: lifecycleOf(visits, boundariesUs).map((states) => ({
      ...{ new: states.new.length, returning: states.returning.length },
      ...{ resurrected: states.resurrected.length, dormant: states.dormant.length },
    })),
    listed: [...new Set(inSecond.map(({ person }) => person))].toSorted(),
  };
}

/** Those that can be told of each moment. */
const ofEvents = clause.filter((one) => !('entitled' in one));
const rules = {
  c: ruleOf(fc.oneof({ weight: 3, arbitrary: ofEvents }, named('seg_d'))),
  d: ruleOf(ofEvents),
  a: ruleOf(fc.oneof({ weight: 3, arbitrary: clause }, named('seg_b'))),
  b: ruleOf(clause),
};
const numRuns = Number(process.env.TEST_FULL ? (process.env.TEST_RUNS ?? 1_000) : 3);

test('questions about members of segments count what plain loops count, from every reader', async () => {
  await fc.assert(
    fc.asyncProperty(
      stitchedCases(fc.integer({ min: 0, max: HOURS }), 80, randomFacts),
      fc.record(rules),
      drawnHolders,
      fc.integer({ min: 0, max: HOURS + 48 }),
      asked,
      async (events, { a, b, c, d }, holders, nowHours, ask) => {
        const nowUs = nowHours * HOUR_US;
        const beforeUs = nowUs + 600_000_000;
        const stored = new Map<string, SegmentRule>([
          ['seg_a', a],
          ['seg_b', b],
        ]);
        const then = new Map<string, SegmentRule>([['seg_d', d]]);
        const resolving = {
          ...{ nowUs, timezone: 'UTC', rules: stored, startsUs: new Map() },
          entitled: entitledMap(holders),
        };
        const memberships: Membership[] = [...stored].map(([id, rule]) => ({
          ...{ id, beforeUs, asOf: 'now', rules: resolveRule(rule, resolving) },
        }));
        memberships.push({
          ...{ id: 'seg_c@event', asOf: 'event', beforeUs: 2 * HOURS * HOUR_US },
          rules: resolveRule(c, { ...resolving, rules: then }),
        });
        const options = { unitUs: HOUR_US, splitAt: HOURS / 2 };
        for (const erased of [events.erased, []]) {
          const { source, plain } = await stitched(duck, { ...events, erased }, options);
          const world = {
            plain,
            segments: { seg_a: a, seg_b: b },
            entitled: holders,
            nowUs,
            beforeUs,
          };
          const members = [...stored].map(
            ([id, rule]) => [id, new Set(peopleOfSegment(rule, world))] as const,
          );
          const known = plain.map(({ person, row }) => {
            const own = members.flatMap(([id, people]) => (people.has(person) ? [id] : []));
            const at = row.occurredAtUs;
            const moment = { ...{ plain, entitled: {}, nowUs: at, beforeUs: at }, isAtEvent: true };
            const was = isInSegment(c, person, { ...moment, segments: { seg_d: d } });
            return {
              person,
              row: { ...row, memberOf: new Set([...own, ...(was ? ['seg_c then'] : [])]) },
            };
          });
          const wanted = plainAnswers(known, ask);
          const sources = [source, withoutProjections(source), { ...source, sharesIds: true }];
          for (const read of erased.length > 0 ? [source] : [...sources, byDuck(source)]) {
            const found = await duck.query(read, (connection, whole) =>
              answers([connection, whole], ask, memberships),
            );
            expect(found).toEqual(wanted);
          }
          const shared = await duck.query(source, (connection, whole) =>
            answers([connection, whole], ask, memberships, together),
          );
          expect(shared).toEqual(wanted);
        }
      },
    ),
    { numRuns },
  );
});

test('a funnel is broken down where its steps are of members, by DuckDB too', async () => {
  const rows = ['one', 'two', 'two'].map((device, at) =>
    eventRow({ name: 'opened', anonymousId: device, occurredAtUs: at, platform: 'ios' }),
  );
  const isMember = { where: { all: [{ segment: 'seg_a', is: true }] } };
  const clauses = [{ kind: 'did' as const, names: null, least: 2, most: null, fromUs: null }];
  const question = {
    ...{ ...OF_APP, fromUs: 0, startBeforeUs: 9, windowUs: 9, filters: {}, trendFromUs: null },
    ...{ steps: [isMember], breakdown: { kind: 'platform' as const } },
    memberships: [
      {
        id: 'seg_a',
        asOf: 'now' as const,
        beforeUs: 9,
        rules: [{ match: 'all' as const, clauses }],
      },
    ],
  };
  for (const read of [{ hotRows: rows }, byDuck({ hotRows: rows })]) {
    const { breakdown } = await duck.query(read, (connection, source) =>
      countOver(connection, source, 'funnel', question),
    );
    expect(breakdown?.map(({ value, tally }) => [value, tally.people])).toEqual([['ios', [1]]]);
  }
});
