import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Projection } from '../../../src/event-store/projections.ts';
import { PeopleByRange } from '../../../src/query/reading/projection/people.ts';
import { Turns } from '../../../src/query/reading/projection/turns.ts';

/** First and second word; the others are one of two values. */
type Key = readonly [number, number, number];

const word = fc.oneof(fc.noBias(fc.nat(2 ** 32 - 1)), fc.nat(2_000), fc.constant(2 ** 32 - 1));
const keys = (maxLength: number) =>
  fc.array(fc.tuple(word, fc.nat(50), fc.nat(1)), { maxLength, size: 'max' });

/** As a projection has them: each once, ascending by the first word. */
function projectionOf(sent: readonly Key[]): Projection {
  const once = [...new Map(sent.map((key) => [key.join(), key])).values()];
  const sorted = once.toSorted(([a], [b]) => a - b);
  const words = sorted.flatMap(([first, second, last]) => [first, second, last, 7]);
  return {
    entries: sorted.length,
    keys: Uint32Array.from(words),
    profileOf: new Uint8Array(sorted.length),
    profiles: [{ isAnonymous: true, platforms: [], versions: [] }],
  } as unknown as Projection;
}

const keyAt = ({ keys: words }: Projection, entry: number) =>
  words.slice(4 * entry, 4 * entry + 3).join();

const stitched = { count: 0, keys: new Uint32Array(), userOf: new Int32Array() };

test('each key is read in one range, and is one person in all files', () => {
  fc.assert(
    fc.property(
      ...[keys(3_000), keys(60), fc.integer({ min: 1, max: 90 }), fc.infiniteStream(fc.boolean())],
      (many, few, count, isMine) => {
        const projections = [projectionOf([...many, ...few]), projectionOf(few)];
        const turns = new Turns();
        // Another thread has some of the ranges between.
        const [mine, others] = [0, 1].map(
          () => new PeopleByRange(projections, { stitched, count, turns }),
        );
        const seen: string[][] = projections.map(() => []);
        let total = 0;
        for (;;) {
          const people = isMine.next().value ? mine! : others!;
          if (!people.next()) break;
          const known = new Map<string, number>();
          for (const [index, slice] of people.slices.entries()) {
            for (let entry = slice.from; entry < slice.before; entry += 1) {
              const key = keyAt(projections[index]!, entry);
              const person = people.personOf(slice, entry);
              seen[index]!.push(key);
              expect(known.get(key) ?? person).toBe(person);
              known.set(key, person);
            }
          }
          expect([...known.values()].toSorted((a, b) => a - b)).toEqual(
            Array.from({ length: people.people }, (_, number) => number),
          );
          total += people.people;
        }
        for (const [index, projection] of projections.entries()) {
          const all = Array.from({ length: projection.entries }, (_, entry) =>
            keyAt(projection, entry),
          );
          expect(seen[index]).toEqual(all);
        }
        expect(total).toBe(new Set(seen.flat()).size);
      },
    ),
    { numRuns: 60 },
  );
});
