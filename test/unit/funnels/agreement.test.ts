import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { EventRow } from '../../../src/event-store/event/columns.ts';
import type { FunnelQuestion } from '../../../src/query/funnel/model.ts';
import type { EventFile } from '../../../src/query/reading/source/events.ts';
import { APP, countOver, eventRow, ORG, TestDuck } from '../../support/event-source.ts';
import {
  countedPath,
  type ReferenceEvent,
  type ReferencePath,
  type ReferenceRules,
} from '../../support/funnel-reference.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

const NAMES = ['a', 'b', 'c', 'd'] as const;
const PROPS = ['p', 'x"y', ',p', ':p', '}', '{"p', 'é\\', ''] as const;
const VALUES = ['1', 1, 1.5, -1e21, true, false, null, 'true', '"', '","p":"1', '\\', 'ü', ''];
const EQUALS = [
  '1',
  '1.5',
  '-1e+21',
  'true',
  'false',
  'null',
  '"',
  '","p":"1',
  '\\',
  'ü',
  '',
  '01',
];
const PLATFORMS = ['ios', 'android', 'other', null] as const;
const DAY_0_US = Date.UTC(2026, 0, 1) * 1_000;

const eventShape = fc.record({
  who: fc.integer({ min: 0, max: 24 }),
  signedIn: fc.boolean(),
  at: fc.integer({ min: 0, max: 14 }),
  index: fc.integer({ min: 0, max: 2 }),
  name: fc.constantFrom(...NAMES),
  props: fc.dictionary(fc.constantFrom(...PROPS), fc.constantFrom(...VALUES), { maxKeys: 3 }),
  platform: fc.constantFrom(...PLATFORMS),
  where: fc.constantFrom('file 1', 'file 2', 'hot'),
});

const stepShape = fc.record({
  event: fc.constantFrom(...NAMES.slice(0, 3)),
  where: fc.option(
    fc.record({ prop: fc.constantFrom(...PROPS), equals: fc.constantFrom(...EQUALS) }),
    { nil: undefined },
  ),
});

const cases = fc.record({
  events: fc.array(eventShape, { minLength: 40, maxLength: 180 }),
  steps: fc.array(stepShape, { minLength: 2, maxLength: 5 }),
  windowUs: fc.integer({ min: 0, max: 8 }),
  fromUs: fc.integer({ min: 0, max: 3 }),
  lengthUs: fc.integer({ min: 1, max: 14 }),
});

type EventShape = typeof eventShape extends fc.Arbitrary<infer Shape> ? Shape : never;

/** Some people sign up: their id is known from the event on, from the map, or mapped late. */
function toEvents(shapes: readonly EventShape[]) {
  return shapes.map((shape, arrival) => {
    const anonymousId = `anonymous-${shape.who}`;
    // Two devices of one user share a person; every fifth never signs up.
    const user = shape.who % 5 === 0 ? null : `user-${Math.floor(shape.who / 2)}`;
    const signedIn = user !== null && shape.signedIn;
    const isLate = shape.who % 2 === 1;
    const personId = signedIn ? user : isLate || user === null ? anonymousId : user;
    const row = eventRow({
      name: shape.name,
      anonymousId,
      userId: signedIn ? user : null,
      personId,
      occurredAtUs: DAY_0_US + shape.at,
      arrival,
      batchIndex: shape.index,
      platform: shape.platform,
      props: JSON.stringify(shape.props),
    });
    const reference: ReferenceEvent = {
      person: user ?? anonymousId,
      name: shape.name,
      at: DAY_0_US + shape.at,
      batchIndex: shape.index,
      arrival,
      props: shape.props,
    };
    return {
      row,
      reference,
      where: shape.where,
      platform: shape.platform ?? 'other',
      user,
      isLate,
    };
  });
}

function median(values: number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length === 0) return null;
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? 0;
  const high = sorted[Math.floor(middle)] ?? 0;
  return (low + high) / 2 / 1_000_000;
}

function expectedTally(paths: ReferencePath[], stepCount: number) {
  const reached = (step: number) => paths.filter((path) => path.times.length >= step);
  const steps = Array.from({ length: stepCount }, (_, index) => index + 1);
  const since = (step: number, from: number) =>
    reached(step).map((path) => (path.times[step - 1] ?? 0) - (path.times[from] ?? 0));
  return {
    people: steps.map((step) => reached(step).length),
    medianSecondsFromPrevious: steps.map((step) =>
      step === 1 ? null : median(since(step, step - 2)),
    ),
    medianSecondsFromStart: steps.map((step) => (step === 1 ? null : median(since(step, 0)))),
  };
}

describe('the query over files and log', () => {
  test('agrees with the rules tried path by path, for hundreds of people', async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.boolean(), async (made, inFiles) => {
        const events = toEvents(made.events);
        const rules: ReferenceRules = {
          steps: made.steps as ReferenceRules['steps'],
          fromUs: DAY_0_US + made.fromUs,
          untilUs: DAY_0_US + made.fromUs + made.lengthUs,
          windowUs: made.windowUs,
        };
        const platformOf = new Map(events.map((one) => [one.reference, one.platform]));
        const byPerson = Map.groupBy(events, (one) => one.reference.person);
        const paths = [...byPerson].flatMap(([person, list]) => {
          const path = countedPath(
            list.map((one) => one.reference),
            rules,
          );
          return path ? [{ person, ...path }] : [];
        });
        const startPlatform = (path: ReferencePath): string =>
          platformOf.get(path.events[0]!) ?? '';

        const rowsIn = (where: string): EventRow[] =>
          events.filter((one) => one.where === where).map((one) => one.row);
        const files: EventFile[] = [];
        for (const where of ['file 1', 'file 2']) {
          const rows = rowsIn(where);
          if (inFiles && rows.length > 0)
            files.push(await duck.writeFile(rows, { level: files.length % 2 }));
        }
        const late = new Map(
          events
            .filter((one) => one.isLate && one.user !== null)
            .map((one) => [one.row.anonymousId, one.user ?? '']),
        );
        const source = {
          files,
          hotRows: inFiles ? rowsIn('hot') : events.map((one) => one.row),
          lateAliases: [...late].map(([anonymousId, userId]) => ({ anonymousId, userId })),
          dataThroughMs: DAY_0_US / 1_000 + 1,
        };
        const question: FunnelQuestion = {
          orgId: ORG,
          appId: APP,
          steps: made.steps as FunnelQuestion['steps'],
          fromUs: rules.fromUs,
          startBeforeUs: rules.untilUs,
          windowUs: rules.windowUs,
          filters: {},
          breakdown: null,
          trendFromUs: [rules.fromUs, rules.fromUs + 4],
        };
        await duck.query(source, async (connection, whole) => {
          const ask = (changes: Partial<FunnelQuestion>) =>
            countOver(connection, whole, 'funnel', { ...question, ...changes });

          const plain = await ask({});
          expect(plain.total).toEqual(expectedTally(paths, made.steps.length));
          const late4 = paths.filter((path) => (path.times[0] ?? 0) >= rules.fromUs + 4);
          const finished = (list: ReferencePath[]) =>
            list.filter((path) => path.times.length === made.steps.length).length;
          expect(plain.trend).toEqual([
            {
              fromUs: rules.fromUs,
              people: paths.length - late4.length,
              finished: finished(paths) - finished(late4),
            },
            { fromUs: rules.fromUs + 4, people: late4.length, finished: finished(late4) },
          ]);

          const broken = await ask({ breakdown: { kind: 'platform' } });
          expect(broken.total).toEqual(plain.total);
          const groups = Map.groupBy(paths, startPlatform);
          expect(broken.breakdown?.length).toBe(groups.size);
          for (const group of broken.breakdown ?? []) {
            const members = groups.get(group.value ?? '') ?? [];
            expect(group.tally).toEqual(expectedTally(members, made.steps.length));
          }
          const filtered = await ask({ filters: { platform: 'ios' } });
          expect(filtered.total).toEqual(expectedTally(groups.get('ios') ?? [], made.steps.length));

          const isOld = (person: string) =>
            byPerson.get(person)?.some(({ reference }) => reference.at < rules.fromUs);
          const newPaths = paths.filter(({ person }) => !isOld(person));
          const newTally = expectedTally(newPaths, made.steps.length);
          const newOnly = await ask({ newPeopleOnly: true });
          expect(newOnly.total).toEqual(newTally);
          const newBroken = await ask({ newPeopleOnly: true, breakdown: { kind: 'platform' } });
          expect(newBroken.total).toEqual(newTally);
          expect(newBroken.breakdown?.length).toBe(new Set(newPaths.map(startPlatform)).size);

          const firstPaths = [...byPerson.values()].flatMap((list) => {
            const known = list.map((one) => one.reference);
            return countedPath(known, { ...rules, firstStartOnly: true }) ?? [];
          });
          const first = await ask({ firstStartOnly: true });
          expect(first.total).toEqual(expectedTally(firstPaths, made.steps.length));
          const firstBroken = await ask({
            firstStartOnly: true,
            breakdown: { kind: 'platform' },
          });
          const firstGroups = Map.groupBy(firstPaths, startPlatform);
          expect(firstBroken.breakdown?.length).toBe(firstGroups.size);
          for (const group of firstBroken.breakdown ?? []) {
            const members = firstGroups.get(group.value ?? '') ?? [];
            expect(group.tally).toEqual(expectedTally(members, made.steps.length));
          }

          for (const [step, dropped] of [
            [1, false],
            [2, false],
            [2, true],
          ] as const) {
            const answer = await countOver(connection, whole, 'funnel-people', {
              ...question,
              step,
              dropped,
              after: null,
              limit: 100,
            });
            const wanted = dropped
              ? paths.filter((path) => path.times.length === step - 1)
              : paths.filter((path) => path.times.length >= step);
            const shown = dropped ? step - 2 : step - 1;
            expect(answer.people).toEqual(
              wanted
                .map(({ person, times }) => ({ personId: person, reachedAtUs: times[shown] ?? 0 }))
                .toSorted((a, b) => (a.personId < b.personId ? -1 : 1)),
            );
          }
        });
      }),
      { numRuns: Number(process.env.TEST_FULL ? 1_000 : 30) },
    );
  });
});
