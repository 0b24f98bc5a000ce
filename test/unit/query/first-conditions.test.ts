import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { plainSeries } from '../../support/asked-reference.ts';
import { firstOf, rememberFirsts } from '../../support/breakdown-reference.ts';
import { isMeant } from '../../support/conditions-reference.ts';
import { openDuckAndThreads } from '../../support/duck-and-threads.ts';
import { APP, countOver, ORG } from '../../support/event-source.ts';
import { randomConditions, randomFacts } from '../../support/random-conditions.ts';
import { HOUR_US, HOURS } from '../../support/random-segments.ts';
import { byDuck, withoutProjections } from '../../support/readers.ts';
import { stitched, stitchedCases } from '../../support/stitched-events.ts';

const { duck, together } = await openDuckAndThreads(3);

const numRuns = Number(process.env.TEST_FULL ? (process.env.TEST_RUNS ?? 500) : 6);

test('conditions on the first event of a person hold as they do in a plain loop', async () => {
  await fc.assert(
    fc.asyncProperty(
      stitchedCases(fc.integer({ min: 0, max: HOURS }), 60, randomFacts),
      randomConditions,
      async (events, where) => {
        const selections = [true, false].map((is) => ({
          where: { all: [{ segment: 'seg_first', is }] },
        }));
        const memberships = [
          {
            ...{ id: 'seg_first', asOf: 'now' as const, beforeUs: 2 * HOURS * HOUR_US },
            rules: [{ match: 'all' as const, clauses: [{ kind: 'first' as const, where }] }],
          },
        ];
        const boundariesUs = [0, 1, 2].map((third) => third * (HOURS / 2) * HOUR_US);
        const series = {
          ...{ orgId: ORG, appId: APP, boundariesUs, names: null, breakdown: null, valuesFrom: 0 },
          ranges: [[0, 2] as [number, number], [1, 2] as [number, number]],
        };
        for (const erased of [events.erased, []]) {
          const options = { unitUs: HOUR_US, splitAt: HOURS / 2 };
          const { source, plain } = await stitched(duck, { ...events, erased }, options);
          rememberFirsts(plain);
          const known = plain.map(({ person, row }) => {
            const memberOf = new Set(isMeant(firstOf(row), where) ? ['seg_first'] : []);
            return { person, row: { ...row, memberOf } };
          });
          const wanted = plainSeries(series, selections, known);
          const question = { ...series, filters: {}, selections, memberships };
          const sources = [source, withoutProjections(source), { ...source, sharesIds: true }];
          for (const read of erased.length > 0 ? [source] : [...sources, byDuck(source)]) {
            for (const threads of [null, together]) {
              const { total, series } = await duck.query(read, (connection, whole) =>
                countOver(connection, whole, 'series', question, threads),
              );
              const found = { total, series: series.map(({ value: _, ...one }) => one) };
              expect(found).toEqual(wanted);
            }
          }
        }
      },
    ),
    { numRuns },
  );
});
