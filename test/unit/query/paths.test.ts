import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { PathsAnswer } from '../../../src/query/paths/model.ts';
import { APP, countOver, eventRow, ORG, TestDuck } from '../../support/event-source.ts';
import { isFullRun } from '../../support/random.ts';
import { isSelected, selections } from '../../support/selected-events.ts';
import { type Path, pathsOf } from '../../support/session-reference.ts';
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

/** A path has an end after its last name, unless three names were there. */
const withEnd = ({ names }: Path): (string | null)[] =>
  names.length < 3 ? [...names, null] : names;

function stepsOf(paths: readonly Path[], shown: number) {
  const top = [0, 1, 2].map((step) => {
    const counts = new Map<string, number>();
    for (const { names } of paths) {
      const name = names[step];
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const sorted = [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    return sorted.slice(0, shown).map(([name]) => name);
  });
  const keyOf = (path: Path, step: number): string | undefined => {
    const name = withEnd(path)[step];
    if (name === undefined) return undefined;
    return name === null ? 'end' : top[step]!.includes(name) ? `event ${name}` : 'rest';
  };
  const countsOf = (of: readonly Path[]) => ({
    sessions: of.length,
    people: new Set(of.map(({ person }) => person)).size,
  });
  return [0, 1, 2].map((step) => {
    const nodes = Map.groupBy(paths, (path) => keyOf(path, step));
    const links = Map.groupBy(paths, (path) => `${keyOf(path, step - 1)} > ${keyOf(path, step)}`);
    nodes.delete(undefined);
    return {
      order: top[step]!,
      nodes: Object.fromEntries([...nodes].map(([key, of]) => [key, countsOf(of)])),
      links: Object.fromEntries(
        [...links]
          .filter(([key]) => step > 0 && !key.includes('undefined'))
          .map(([key, of]) => [key, countsOf(of)]),
      ),
    };
  });
}

const keyIn = ({ kind, name }: PathsAnswer['steps'][number]['nodes'][number]): string =>
  kind === 'event' ? `event ${name}` : kind;

const shownOf = ({ steps }: PathsAnswer) =>
  steps.map(({ nodes, links }, index) => ({
    order: nodes.flatMap(({ name }) => name ?? []),
    nodes: Object.fromEntries(
      nodes.map((node) => [keyIn(node), { sessions: node.sessions, people: node.people }]),
    ),
    links: Object.fromEntries(
      links.map(({ from, to, sessions, people }) => [
        `${keyIn(steps[index - 1]!.nodes[from]!)} > ${keyIn(nodes[to]!)}`,
        { sessions, people },
      ]),
    ),
  }));

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
        expect(shownOf(answer)).toEqual(stepsOf(paths, ask.shown));
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
