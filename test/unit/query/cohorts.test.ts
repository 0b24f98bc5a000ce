import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { BEFORE_ALL, NOT_SEEN } from '../../../src/query/cohorts/model.ts';
import { APP, countOver, eventRow, ORG, TestDuck } from '../../support/event-source.ts';
import { isFullRun } from '../../support/random.ts';
import { stitched, stitchedCases } from '../../support/stitched-events.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

const people = [...Array.from({ length: 13 }, (_, n) => `device-${n}`), 'user-0', 'user-1'];
const boundaries = fc
  .uniqueArray(fc.integer({ min: 0, max: 1_600 }), { minLength: 2, maxLength: 9 })
  .map((found) => found.toSorted((a, b) => a - b));
/** Apart, so that no instant is shared. */
const times = fc.integer({ min: 0, max: 1_600 });

test('when people were first seen, and by what, equals plain loops', async () => {
  await fc.assert(
    fc.asyncProperty(stitchedCases(times), boundaries, fc.boolean(), async (given, bounds, by) => {
      const { source, plain } = await stitched(duck, given, { splitAt: 800 });
      const first = new Map<string, { at: number; platforms: Set<string> }>();
      for (const { person, row } of plain) {
        if (row.occurredAtUs >= bounds.at(-1)!) continue;
        const known = first.get(person);
        if (known && known.at < row.occurredAtUs) continue;
        const platforms = known?.at === row.occurredAtUs ? known.platforms : new Set<string>();
        platforms.add(row.platform ?? 'other');
        first.set(person, { at: row.occurredAtUs, platforms });
      }
      const bucketOf = (at: number): number => {
        let bucket = BEFORE_ALL;
        for (const bound of bounds) if (at >= bound) bucket += 1;
        return bucket;
      };
      const question = {
        ...{ orgId: ORG, appId: APP, boundariesUs: bounds, cohorts: bounds.length - 1, people },
        by: by ? { kind: 'first' as const, of: { kind: 'platform' as const } } : null,
      };
      await duck.query(source, async (connection, whole) => {
        const answer = await countOver(connection, whole, 'cohorts', question);
        const sizes = bounds.slice(1).map((_, bucket) => {
          let size = 0;
          for (const { at } of first.values()) if (bucketOf(at) === bucket) size += 1;
          return size;
        });
        expect(sizes.map((_, bucket) => sum(answer.sizes.map((row) => row[bucket]!)))).toEqual(
          sizes,
        );
        for (const [place, person] of people.entries()) {
          const seen = first.get(person);
          expect(answer.intervals[place]).toBe(seen ? bucketOf(seen.at) : NOT_SEEN);
          const value = answer.values[answer.places[place]!];
          const wanted = by ? [...(seen?.platforms ?? [])] : [''];
          // Whom no interval holds has no value that is shown.
          if (seen && value !== null && value !== undefined) expect(wanted).toContain(value);
        }
      });
    }),
    { numRuns: isFullRun ? 300 : 25 },
  );
});

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);

test('an arm is what somebody was exposed to alone and not by hand; six values are shown', async () => {
  const exposed = (person: string, arm: string, more = {}) =>
    eventRow({
      ...{ name: '$exposure', anonymousId: person, personId: person, occurredAtUs: 20 },
      props: JSON.stringify({ experiment: 'exp_1', arm, ...more }),
    });
  const seen = (person: string, country = 'DE') =>
    eventRow({ name: 'a', anonymousId: person, personId: person, occurredAtUs: 10, country });
  const hotRows = [
    ...['p1', 'p2', 'p3', 'p4'].map((person) => seen(person)),
    ...[exposed('p1', 'x'), exposed('p2', 'y'), exposed('p3', 'x'), exposed('p3', 'y')],
    exposed('p4', 'x', { overridden: 'true' }),
  ];
  const asked = {
    ...{ orgId: ORG, appId: APP, boundariesUs: [0, 100], cohorts: 1 },
    people: ['p1', 'p2', 'p3', 'p4', 'p5'],
  };
  const by = {
    ...{ kind: 'inArm' as const, experimentId: 'exp_1' },
    ...{ exposedFromUs: 0, exposedBeforeUs: Number.MAX_SAFE_INTEGER },
  };
  await duck.query({ hotRows }, async (connection, whole) => {
    const answer = await countOver(connection, whole, 'cohorts', { ...asked, by });
    expect(answer.values).toEqual(['none', 'x', 'y', null]);
    expect(answer.sizes).toEqual([[2], [1], [1], [0]]);
    expect(answer.places).toEqual([1, 2, 0, 0, NOT_SEEN]);
  });
  const countries = ['DE', 'FR', 'ES', 'IT', 'PT', 'NL', 'BE', 'AT'];
  const many = countries.map((country, n) => seen(`q${n}`, country));
  await duck.query({ hotRows: many }, async (connection, whole) => {
    const answer = await countOver(connection, whole, 'cohorts', {
      ...asked,
      by: { kind: 'first', of: { kind: 'country' } },
    });
    expect(answer.values).toEqual(['AT', 'BE', 'DE', 'ES', 'FR', 'IT', null]);
    expect(answer.sizes.at(-1)).toEqual([2]);
  });
});
