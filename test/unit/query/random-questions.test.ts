import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { EventSource } from '../../../src/query/reading/source/events.ts';
import { CountingThreads } from '../../../src/query/reading/threads/threads.ts';
import { TestDuck } from '../../support/event-source.ts';
import { answered, sizeOf, wanted } from '../../support/question-answers.ts';
import { isFullRun } from '../../support/random.ts';
import { askedCases, type Drawn } from '../../support/random-questions.ts';
import { withoutProjections } from '../../support/readers.ts';
import { membershipsOf, withSegments } from '../../support/segments-asked.ts';
import { stitched } from '../../support/stitched-events.ts';

/*
 * Random questions of every kind about random events in a zone whose clocks change: late events,
 * devices of two persons, sign-ins that become known after files were written; by conditions on
 * events and on people of segments, as of now and of each event. Every reader says what plain loops
 * say.
 */
const QUESTIONS_A_CASE = 10;
const CASES = isFullRun ? 100 : 6;
/** Each by itself is done well within the time that a test has. */
const PARTS = Array.from({ length: isFullRun ? 20 : 1 }, (_, part) => part + 1);

let duck: TestDuck;
/** Ranges of a few people, so that every thread has several of them. */
const together = new CountingThreads({ threads: 2, entriesAtOnce: 3, minRanges: 1 });
beforeAll(async () => {
  duck = await TestDuck.open();
  await together.ready();
});
afterAll(async () => {
  await together.stop();
  duck.close();
});

/** So many rows without a projection by the catalogue that DuckDB counts. */
const asHuge = (source: Partial<EventSource>): Partial<EventSource> => ({
  ...source,
  files: (source.files ?? []).map((file) => ({ ...file, projection: null, rows: 2_000_001 })),
});

const READERS = {
  projections: (source: Partial<EventSource>) => source,
  threads: (source: Partial<EventSource>) => source,
  memory: withoutProjections,
  duckdb: asHuge,
  erasing: (source: Partial<EventSource>) => ({
    ...source,
    erased: [...(source.erased ?? []), 'nobody'],
  }),
} as const;

test.each(PARTS)(
  'every reader answers random questions as plain loops do: part %p',
  async (part) => {
    const counts: Partial<Record<Drawn['kind'], number>> = {};
    await fc.assert(
      fc.asyncProperty(
        askedCases(QUESTIONS_A_CASE),
        async ({ axis, made, segments, questions }) => {
          const { seconds } = axis;
          const splitAt = seconds[seconds.length >> 1] ?? 0;
          const { source, plain: events } = await stitched(duck, made, {
            unitUs: 1_000_000,
            splitAt,
          });
          const plain = withSegments(events, segments, axis);
          const memberships = membershipsOf(segments, axis);
          const dataThroughMs = splitAt * 1_000;
          const all = questions.map((drawn) => wanted(drawn, axis, plain, dataThroughMs));
          for (const [reader, of] of Object.entries(READERS)) {
            await duck.query(of({ ...source, dataThroughMs }), async (connection, whole) => {
              for (const [index, drawn] of questions.entries()) {
                const found = await answered(drawn, axis, {
                  connection,
                  source: whole,
                  memberships,
                  size: sizeOf(drawn, plain),
                  threads: reader === 'threads' ? together : null,
                });
                expect({ reader, drawn, found }).toEqual({ reader, drawn, found: all[index] });
              }
            });
          }
          for (const { kind } of questions) counts[kind] = (counts[kind] ?? 0) + 1;
        },
      ),
      { numRuns: CASES, endOnFailure: true },
    );
    const asked = Object.values(counts).reduce((sum, count) => sum + count, 0);
    expect(asked).toBeGreaterThanOrEqual(CASES * QUESTIONS_A_CASE);
    if (isFullRun) console.log(`part ${part}: ${asked} questions`, counts);
  },
);
