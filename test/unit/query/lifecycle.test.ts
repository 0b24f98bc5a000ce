import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { LIFECYCLE_STATES } from '../../../src/query/lifecycle/model.ts';
import { APP, countOver, ORG, TestDuck } from '../../support/event-source.ts';
import { lifecycleOf } from '../../support/lifecycle-reference.ts';
import { isFullRun } from '../../support/random.ts';
import { isSelected, selections } from '../../support/selected-events.ts';
import { stitched, stitchedCases } from '../../support/stitched-events.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

/** From a few intervals of any length to more of them than one number has bits. */
const boundaries = fc
  .record({
    start: fc.integer({ min: 0, max: 700 }),
    steps: fc.oneof(
      fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 2, maxLength: 12 }),
      fc.integer({ min: 2, max: 140 }).map((n) => Array.from({ length: n }, () => 7)),
    ),
  })
  .map(({ start, steps }) => {
    const found = [start];
    for (const step of steps) found.push((found.at(-1) ?? 0) + step);
    return found;
  });
test('who is new, returning, resurrected and dormant equals plain loops, and so do their lists', async () => {
  await fc.assert(
    fc.asyncProperty(
      stitchedCases(fc.integer({ min: 0, max: 1_600 })),
      boundaries,
      selections,
      fc.nat(),
      async (events, boundariesUs, ask, place) => {
        const { source, plain } = await stitched(duck, events, { splitAt: 800 });
        const question = { orgId: ORG, appId: APP, boundariesUs, ...ask };
        const visits = plain
          .filter((one) => isSelected(one, ask))
          .map(({ person, row }) => ({ person, at: row.occurredAtUs }));
        const wanted = lifecycleOf(visits, boundariesUs);
        const interval = 1 + (place % wanted.length);
        await duck.query(source, async (connection, whole) => {
          const answer = await countOver(connection, whole, 'lifecycle', question);
          expect(answer.intervals).toEqual(
            wanted.map((people) => ({
              new: people.new.length,
              returning: people.returning.length,
              resurrected: people.resurrected.length,
              dormant: people.dormant.length,
            })),
          );
          const inWindow = visits.filter(
            ({ at }) => at >= boundariesUs[0]! && at < boundariesUs.at(-1)!,
          );
          const people = new Set(inWindow.map(({ person }) => person)).size;
          expect(answer.people).toBe(people);
          for (const state of LIFECYCLE_STATES) {
            const page = { interval, state, after: null, limit: 1_000 };
            const listed = await countOver(connection, whole, 'lifecycle-people', {
              ...question,
              ...page,
            });
            expect({ state, total: listed.total, people: listed.people }).toEqual({
              ...{ state, total: people },
              people: wanted[interval - 1]![state].toSorted(),
            });
          }
        });
      },
    ),
    { numRuns: isFullRun ? 400 : 15 },
  );
});

test('active people are the new, the returning and the resurrected, and nobody is lost between two intervals', async () => {
  const times = stitchedCases(fc.integer({ min: 0, max: 300 }), 60);
  await fc.assert(
    fc.asyncProperty(times, fc.integer({ min: 5, max: 60 }), async (events, step) => {
      const { source } = await stitched(duck, events);
      const boundariesUs = Array.from({ length: 8 }, (_, index) => index * step);
      const asked = { orgId: ORG, appId: APP, boundariesUs, names: null, filters: {} };
      await duck.query(source, async (connection, whole) => {
        const { intervals } = await countOver(connection, whole, 'lifecycle', asked);
        const series = await countOver(connection, whole, 'series', {
          ...asked,
          ...{ breakdown: null, valuesFrom: 0 },
          ranges: boundariesUs.slice(1).map((_, index): [number, number] => [index, index + 1]),
        });
        const active = series.total.people;
        expect(intervals.map((one) => one.new + one.returning + one.resurrected)).toEqual(
          active.slice(1),
        );
        expect(intervals.map((one) => one.returning + one.dormant)).toEqual(active.slice(0, -1));
      });
    }),
    { numRuns: isFullRun ? 200 : 10 },
  );
});
