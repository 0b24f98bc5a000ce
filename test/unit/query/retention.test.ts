import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { RetentionQuestion } from '../../../src/query/retention/model.ts';
import type { Selected } from '../../../src/query/selection/selected.ts';
import { APP, countOver, ORG, TestDuck } from '../../support/event-source.ts';
import { type PlainEvent, stitched, stitchedCases } from '../../support/stitched-events.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

const END = 1_300;
const questions = fc.record({
  steps: fc.array(fc.constantFrom(60, 60, 60, 45, 80), { minLength: 2, maxLength: 20 }),
  cohortShare: fc.double({ min: 0.1, max: 1, noNaN: true }),
  cohort: fc.constantFrom('first' as const, 'recurring' as const),
  criterion: fc.constantFrom('on' as const, 'on_or_after' as const),
  periodUs: fc.constantFrom(null, 60, 7),
  periods: fc.integer({ min: 1, max: 12 }),
  start: fc.constantFrom<Selected>({}, { events: ['opened'] }, { events: ['bought'] }),
  return: fc.constantFrom<Selected>(
    ...[{}, { events: ['opened'] }, { events: ['bought'] }, { events: ['never_seen'] }],
  ),
});

type Drawn = typeof questions extends fc.Arbitrary<infer T> ? T : never;

function questionOf({ steps, cohortShare, ...rest }: Drawn): RetentionQuestion {
  const boundariesUs = [100];
  for (const step of steps) boundariesUs.push((boundariesUs.at(-1) ?? 0) + step);
  const cohorts = Math.max(1, Math.floor(steps.length * cohortShare));
  return { orgId: ORG, appId: APP, boundariesUs, cohorts, ...rest };
}

/** Person by person and event by event, in the words of the definition. */
function plainly(question: RetentionQuestion, events: readonly PlainEvent[]) {
  const { boundariesUs, cohorts, cohort, criterion, periodUs, periods } = question;
  const axisEnd = boundariesUs.at(-1) ?? 0;
  const bucketOf = (time: number) => {
    for (let i = 0; i + 1 < boundariesUs.length; i += 1) {
      const [from = 0, before = 0] = boundariesUs.slice(i, i + 2);
      if (time >= from && time < before) return i;
    }
    return -1;
  };
  const counted = Array.from({ length: cohorts }, () => ({
    size: 0,
    returned: Array.from({ length: periods }, () => 0),
  }));
  let people = 0;
  const known = events.filter(({ row }) => row.occurredAtUs < axisEnd);
  for (const own of Map.groupBy(known, ({ person }) => person).values()) {
    const timesOf = ({ events: names }: Selected = {}) =>
      own
        .filter(({ row }) => names === undefined || names.includes(row.name))
        .map(({ row }) => row.occurredAtUs)
        .toSorted((a, b) => a - b);
    const starts = timesOf(question.start);
    const returns = timesOf(question.return);
    let isCounted = false;
    for (const [number, figures] of counted.entries()) {
      const start = (cohort === 'first' ? starts.slice(0, 1) : starts).find(
        (time) => bucketOf(time) === number,
      );
      if (start === undefined) continue;
      isCounted = true;
      figures.size += 1;
      for (let period = 1; period <= periods; period += 1) {
        const came = returns.some((time) => {
          if (time < (boundariesUs[0] ?? 0)) return false;
          const distance =
            periodUs === null ? bucketOf(time) - number : Math.floor((time - start) / periodUs);
          return criterion === 'on' ? distance === period : distance >= period;
        });
        if (came) figures.returned[period - 1] = (figures.returned[period - 1] ?? 0) + 1;
      }
    }
    if (isCounted) people += 1;
  }
  return { people, cohorts: counted };
}

test('retention counts what plain loops over the events count', async () => {
  await fc.assert(
    fc.asyncProperty(
      stitchedCases(fc.integer({ min: 0, max: END })),
      questions,
      async (events, drawn) => {
        const { source, plain } = await stitched(duck, events);
        const question = questionOf(drawn);
        const { people, cohorts } = await duck.query(source, (connection, whole) =>
          countOver(connection, whole, 'retention', question),
        );
        expect({ people, cohorts }).toEqual(plainly(question, plain));
      },
    ),
    { numRuns: Number(process.env.TEST_FULL ? 400 : 15) },
  );
});
