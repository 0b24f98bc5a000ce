import { FNV_PRIME, fnv32a, hashSeed, hashToBucket, LOW } from './assignment.ts';

export type Person = {
  id: string;
  bucket: (state: number) => number;
};

export const createPerson = (id: string): Person => ({
  id,
  bucket: (state) => hashToBucket(fnv32a(state, id)),
});

export function bucketBy(seed: string): (person: Person) => number {
  const state = hashSeed(seed);
  return ({ bucket }) => bucket(state);
}

const STARTS = Int32Array.from({ length: LOW }, (_, low) => low);
const NO_ASCII = /[^\0-\x7f]/;
/** From so many, work ahead pays. */
const MANY_SEEDS = 50;

/**
 * Two states whose lowest seven bits are the same stay as far apart, times the prime for each
 * character: the hashes from 128 states tell those from all others.
 */
export function createPersonForSeeds(id: string, seeds: number): Person {
  if (seeds < MANY_SEEDS || NO_ASCII.test(id)) return createPerson(id);
  const hashes = STARTS.slice();
  let factor = 1;
  for (let index = 0; index < id.length; index += 1) {
    const code = id.charCodeAt(index);
    factor = Math.imul(factor, FNV_PRIME);
    for (let low = 0; low < LOW; low += 1) {
      hashes[low] = Math.imul(hashes[low] ^ code, FNV_PRIME);
    }
  }
  const bucket = (state: number) => {
    const low = state & (LOW - 1);
    return hashToBucket((hashes[low] + Math.imul(state - low, factor)) | 0);
  };
  return { id, bucket };
}
