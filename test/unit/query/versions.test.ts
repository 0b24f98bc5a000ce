import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { VersionsQuestion } from '../../../src/query/inventory/model.ts';
import { bucketOf } from '../../support/asked-reference.ts';
import { APP, countOver, eventRow, ORG, TestDuck } from '../../support/event-source.ts';
import { isFullRun } from '../../support/random.ts';
import { randomFacts } from '../../support/random-conditions.ts';
import { byDuck, nobody, withoutProjections } from '../../support/readers.ts';
import {
  asLarge,
  type PlainEvent,
  stitched,
  stitchedCases,
} from '../../support/stitched-events.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

/** Hundredths. */
type Asked = Pick<VersionsQuestion, 'boundariesUs' | 'minimumPeople'> & { percent: number };

/** By plain loops. */
function plainVersions(
  { boundariesUs, minimumPeople, percent }: Asked,
  plain: readonly PlainEvent[],
): Map<string, number> {
  const found = new Map<string, number>();
  for (let day = boundariesUs.length - 2; day >= 0; day -= 1) {
    const here = plain.filter(
      ({ row }) => !row.name.startsWith('$') && bucketOf(boundariesUs, row.occurredAtUs) === day,
    );
    const everybody = new Set(here.map(({ person }) => person)).size;
    for (const version of new Set(here.map(({ row }) => row.appVersion))) {
      const those = here.filter(({ row }) => row.appVersion === version);
      const people = new Set(those.map(({ person }) => person)).size;
      const isInUse = people >= minimumPeople && people * 100 >= percent * everybody;
      if (version !== null && isInUse) found.set(version, day);
    }
  }
  return found;
}

const asked = fc.record({
  boundariesUs: fc.constantFrom<number[]>([100, 400, 600, 601, 1_200], [0, 1_300], [0, 650, 1_300]),
  minimumPeople: fc.integer({ min: 1, max: 4 }),
  percent: fc.integer({ min: 0, max: 100 }),
});

const questionOf = ({ percent, ...ask }: Asked): VersionsQuestion => ({
  ...{ orgId: ORG, appId: APP, ...ask },
  minimumShare: percent / 100,
});

test('versions are first seen on the days that plain loops find, by every reader', async () => {
  await fc.assert(
    fc.asyncProperty(
      stitchedCases(fc.integer({ min: 0, max: 1_300 }), 120, randomFacts),
      asked,
      async (made, ask) => {
        const { source, plain } = await stitched(duck, { ...made, erased: [] }, { splitAt: 650 });
        const wanted = plainVersions(ask, plain);
        for (const of of [source, withoutProjections(source), byDuck(source)]) {
          const { versions } = await duck.query(of, (connection, whole) =>
            countOver(connection, whole, 'versions', questionOf(ask)),
          );
          expect(new Map(versions.map(({ appVersion, day }) => [appVersion, day]))).toEqual(wanted);
          const days = versions.map(({ day }) => day);
          expect(days).toEqual(days.toSorted((a, b) => a - b));
        }
      },
    ),
    { numRuns: isFullRun ? 1_000 : 25 },
  );
});

test('versions of files with projections are found without reading them', async () => {
  const rows = ['1.0', '1.1'].flatMap((appVersion, day) =>
    [0, 1, 2].map((n) =>
      eventRow({
        ...{ name: 'opened', appVersion, anonymousId: `device-${n}` },
        occurredAtUs: day * 100 + n,
      }),
    ),
  );
  const file = asLarge(await duck.writeFile(rows, { level: 1 }));
  const ask = { boundariesUs: [0, 100, 200], minimumPeople: 3, percent: 5 };
  await duck.query({ files: [file] }, async (_, source) => {
    expect((await countOver(nobody, source, 'versions', questionOf(ask))).versions).toEqual([
      { appVersion: '1.0', day: 0 },
      { appVersion: '1.1', day: 1 },
    ]);
  });
});
