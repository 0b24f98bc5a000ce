import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { SegmentRule } from '../../../src/modules/segments/model.ts';
import { resolveRule } from '../../../src/modules/segments/rules/resolve-rule.ts';
import { APP, countOver, ORG, TestDuck } from '../../support/event-source.ts';
import { isFullRun } from '../../support/random.ts';
import {
  clause,
  entitledMap,
  HOUR_US,
  HOURS,
  holders as drawnHolders,
  named,
  ruleOf,
} from '../../support/random-segments.ts';
import { peopleOfSegment } from '../../support/segment-reference.ts';
import { stitched, stitchedCases } from '../../support/stitched-events.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

test('a segment has the people that plain loops find, page by page', async () => {
  await fc.assert(
    fc.asyncProperty(
      stitchedCases(fc.integer({ min: 0, max: HOURS })),
      ruleOf(fc.oneof({ weight: 3, arbitrary: clause }, named('seg_a', 'seg_b'))),
      ruleOf(fc.oneof({ weight: 3, arbitrary: clause }, named('seg_b'))),
      ruleOf(clause),
      drawnHolders,
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
          entitled: entitledMap(holders),
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
