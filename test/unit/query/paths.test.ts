import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { PathsAnswer } from '../../../src/query/paths/model.ts';
import { APP, countOver, eventRow, ORG, TestDuck } from '../../support/event-source.ts';
import { isFullRun } from '../../support/random.ts';
import { isSelected, selections } from '../../support/selected-events.ts';
import { pathStepsOf, shownSteps } from '../../support/path-steps.ts';
import { pathsOf } from '../../support/session-reference.ts';
import { stitched, stitchedCases } from '../../support/stitched-events.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

const MINUTE = 60_000_000;
/** Ten minutes; each event has an instant of its own in them. */
const UNIT = 10 * MINUTE;
const MAX_EVENTS = 120;

const asked = fc.record({
  direction: fc.constantFrom('after' as const, 'before' as const),
  shown: fc.integer({ min: 1, max: 3 }),
  from: fc.oneof(fc.nat(20), fc.nat(600)),
  days: fc.integer({ min: 1, max: 600 }),
});

test('what comes before and after an event equals plain loops', async () => {
  await fc.assert(
    fc.asyncProperty(
      stitchedCases(fc.oneof(fc.nat(40), fc.nat(1_600)), MAX_EVENTS),
      asked,
      selections,
      async (events, { from, days, ...ask }, selected) => {
        const apart = events.shapes.map((shape, n) => ({ ...shape, at: shape.at * 1_000 + n }));
        const { source, plain } = await stitched(
          duck,
          { ...events, shapes: apart },
          { unitUs: UNIT / 1_000, splitAt: 800_000 },
        );
        const [fromUs, beforeUs] = [from * UNIT, (from + days) * UNIT];
        const paths = pathsOf(
          plain.map((one) => ({
            ...{ person: one.person, session: one.row.sessionId, name: one.row.name },
            ...{ at: one.row.occurredAtUs, isMeant: isSelected(one, selected) },
          })),
          [fromUs, beforeUs],
          ask.direction,
        );
        const question = { orgId: ORG, appId: APP, fromUs, beforeUs, ...ask, ...selected };
        const answer = await duck.query(source, (connection, whole) =>
          countOver(connection, whole, 'paths', question),
        );
        expect({ sessions: answer.sessions, people: answer.people }).toEqual({
          sessions: paths.length,
          people: new Set(paths.map(({ person }) => person)).size,
        });
        expect(shownSteps(answer)).toEqual(pathStepsOf(paths, ask.shown));
      },
    ),
    { numRuns: isFullRun ? 400 : 20 },
  );
});

/** Events of one person, minutes after the first. */
const rowsAt = (...rows: [name: string, minute: number, more?: object][]) =>
  rows.map(([name, minute, more], arrival) =>
    eventRow({ name, personId: 'user-1', occurredAtUs: minute * MINUTE, arrival, ...more }),
  );

async function after(rows: ReturnType<typeof rowsAt>) {
  const question = { orgId: ORG, appId: APP, names: ['a'], filters: {}, shown: 5 };
  const window = { fromUs: 0, beforeUs: 10_000 * MINUTE, direction: 'after' as const };
  return duck.query({ hotRows: rows }, (connection, whole) =>
    countOver(connection, whole, 'paths', { ...question, ...window }),
  );
}
const firsts = ({ steps }: PathsAnswer) =>
  steps[0]!.nodes.map(({ kind, name, sessions }) => [name ?? kind, sessions]);

test('a session without an id ends after half an hour, one with an id does not', async () => {
  expect(firsts(await after(rowsAt(['a', 0], ['b', 30])))).toEqual([['b', 1]]);
  expect(firsts(await after(rowsAt(['a', 0], ['b', 31])))).toEqual([['end', 1]]);
  const own = { sessionId: 'session-1' };
  expect(firsts(await after(rowsAt(['a', 0, own], ['b', 300, own])))).toEqual([['b', 1]]);
  expect(firsts(await after(rowsAt(['a', 0, own], ['b', 1])))).toEqual([['end', 1]]);
});

test('a session counts once, at its first such event, and events of one instant are in their order', async () => {
  const twice = await after(rowsAt(['a', 0], ['b', 1], ['a', 2], ['c', 3]));
  expect(firsts(twice)).toEqual([['b', 1]]);
  expect(firsts(await after(rowsAt(['c', 5], ['a', 5], ['b', 5])))).toEqual([['b', 1]]);
  const inBatch = rowsAt(['b', 5, { batchIndex: 1 }], ['a', 5, { batchIndex: 0 }]);
  expect(firsts(await after(inBatch))).toEqual([['b', 1]]);
});
