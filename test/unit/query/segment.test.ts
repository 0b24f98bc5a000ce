import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { SegmentRule } from '../../../src/modules/segments/model.ts';
import { resolveRule } from '../../../src/modules/segments/rules/resolve-rule.ts';
import { APP, countOver, ORG, TestDuck } from '../../support/event-source.ts';
import { isFullRun } from '../../support/random.ts';
import { peopleOfSegment } from '../../support/segment-reference.ts';
import { stitched, stitchedCases } from '../../support/stitched-events.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

const HOUR_US = 3_600_000_000;
/** Events are of the first 40 days of 1970. */
const HOURS = 40 * 24;
const day = fc
  .integer({ min: 0, max: 41 })
  .map((n) => new Date(n * 86_400_000).toISOString().slice(0, 10));
const days = fc.integer({ min: 1, max: 45 });

const conditions = fc.constantFrom(
  { all: [{ field: 'platform', op: 'isNot', value: 'web' }] },
  { any: [{ field: 'prop:plan', op: 'gte', value: 4 }] },
  {
    any: [
      { field: 'prop:plan', op: 'isNotSet' },
      {
        all: [
          { field: 'platform', op: 'isSet' },
          { field: 'prop:plan', op: 'isOneOf', values: [1, 2, 'other'] },
        ],
      },
    ],
  },
);
const selected = fc.record(
  {
    events: fc.subarray(['opened', 'bought', 'closed', 'never_seen'], { minLength: 1 }),
    where: conditions,
  },
  { requiredKeys: [] },
);
const period = fc.oneof(
  fc.constant({}),
  days.map((withinDays) => ({ withinDays })),
  day.map((since) => ({ since })),
);
const count = fc.integer({ min: 0, max: 4 });
const times = fc.oneof(
  fc.constant({}),
  count.map((atLeast) => ({ atLeast })),
  count.map((atMost) => ({ atMost })),
  count.map((exactly) => ({ exactly })),
);
const clause = fc.oneof(
  fc.tuple(selected, times, period).map(([did, some, when]) => ({ did, ...some, ...when })),
  fc.tuple(selected, period).map(([didNot, when]) => ({ didNot, ...when })),
  fc.oneof(
    day.map((before) => ({ firstSeen: { before } })),
    day.map((after) => ({ firstSeen: { after } })),
    days.map((withinDays) => ({ firstSeen: { withinDays } })),
    fc.tuple(days, day).map(([withinDays, before]) => ({ firstSeen: { withinDays, before } })),
  ),
  fc.record({ entitled: fc.boolean() }),
  fc.record({ entitled: fc.boolean(), productId: fc.constant('pro') }),
);
const named = (...ids: string[]) =>
  fc.record({ segment: fc.constantFrom(...ids), is: fc.boolean() }, { requiredKeys: ['segment'] });
const ruleOf = (one: fc.Arbitrary<object>): fc.Arbitrary<any> =>
  fc.oneof(
    fc.array(one, { minLength: 1, maxLength: 4 }).map((all) => ({ all })),
    fc.array(one, { minLength: 1, maxLength: 4 }).map((any) => ({ any })),
  );
const entitled = fc.subarray(['device-0', 'device-1', 'device-7', 'user-0', 'user-2', 'nobody']);

test('a segment has the people that plain loops find, page by page', async () => {
  await fc.assert(
    fc.asyncProperty(
      stitchedCases(fc.integer({ min: 0, max: HOURS })),
      ruleOf(fc.oneof({ weight: 3, arbitrary: clause }, named('seg_a', 'seg_b'))),
      ruleOf(fc.oneof({ weight: 3, arbitrary: clause }, named('seg_b'))),
      ruleOf(clause),
      fc.record({ '': entitled, pro: entitled }),
      fc.integer({ min: 0, max: HOURS + 48 }),
      fc.integer({ min: 1, max: 4 }),
      async (events, rule, a, b, holders, nowHours, limit) => {
        const { source, plain } = await stitched(duck, events, { unitUs: HOUR_US });
        const nowUs = nowHours * HOUR_US;
        const beforeUs = nowUs + 600_000_000;
        const rules = resolveRule(rule, {
          nowUs,
          timezone: 'UTC',
          rules: new Map<string, SegmentRule>([
            ['seg_a', a],
            ['seg_b', b],
          ]),
          startsUs: new Map(),
          entitled: new Map([
            [null, holders['']],
            ['pro', holders.pro],
          ]),
        });
        const ask = (after: string | null, some: number) =>
          duck.query(source, (connection, whole) =>
            countOver(connection, whole, 'segment', {
              ...{ orgId: ORG, appId: APP, beforeUs, rules, after, limit: some },
            }),
          );
        const world = {
          plain,
          segments: { seg_a: a, seg_b: b },
          entitled: holders,
          nowUs,
          beforeUs,
        };
        const people = peopleOfSegment(rule, world);
        const first = await ask(null, limit);
        expect({ total: first.total, people: first.people, hasMore: first.hasMore }).toEqual({
          total: people.length,
          people: people.slice(0, limit),
          hasMore: people.length > limit,
        });
        if (!first.hasMore) return;
        const rest = await ask(first.people.at(-1)!, 100);
        expect(rest.people).toEqual(people.slice(limit));
      },
    ),
    { numRuns: isFullRun ? 500 : 20 },
  );
});
