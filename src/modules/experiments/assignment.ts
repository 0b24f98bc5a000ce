import { at } from '../../shared/assert.ts';

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const ZERO = 48;

/** Equal parts of all people. */
export const BUCKETS = 10_000;

/** FNV-1a, 32 bit, over UTF-16 code units, from a state on: GrowthBook's `hashFnv32a`. */
function fnv32a(state: number, text: string): number {
  let hash = state;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  }
  return hash >>> 0;
}

const FIVE_DIGITS = 100_000;
/** States after the digits of a number before its last five. */
const STATES = Int32Array.from({ length: Math.floor(2 ** 32 / FIVE_DIGITS) + 1 }, (_, number) =>
  fnv32a(FNV_OFFSET, String(number)),
);

const addDigit = (hash: number, digit: number): number =>
  Math.imul(hash ^ (ZERO + digit), FNV_PRIME);

/** `fnv32a` of a 32 bit number in decimal, without writing it: a rule hashes once for each person. */
function fnv32aOfNumber(value: number): number {
  if (value < FIVE_DIGITS) return fnv32a(FNV_OFFSET, String(value));
  const before = Math.floor(value / FIVE_DIGITS);
  let rest = value - before * FIVE_DIGITS;
  let hash = at(STATES, before);
  for (let unit = FIVE_DIGITS / 10; unit >= 1; unit /= 10) {
    const digit = Math.floor(rest / unit);
    hash = addDigit(hash, digit);
    rest -= digit * unit;
  }
  return hash >>> 0;
}

/**
 * GrowthBook's hash version 2: the same on any server. What the seed adds to the hash is computed
 * once.
 */
export function bucketBy(seed: string): (person: string) => number {
  const state = fnv32a(FNV_OFFSET, seed);
  return (person) => fnv32aOfNumber(fnv32a(state, person)) % BUCKETS;
}

export const bucketOf = (seed: string, person: string): number => bucketBy(seed)(person);

/** Exclusive end of each arm's buckets, by weight. The last is 10,000 whatever the rounding. */
export function armEnds(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let reached = 0;
  return weights.map((weight) => {
    reached += weight;
    return Math.round((reached / total) * BUCKETS);
  });
}

/** Independent of names: renaming moves nobody. */
export function assignArm(
  experimentId: string,
  weights: readonly number[],
  anonymousId: string,
): number {
  const bucket = bucketOf(experimentId, anonymousId);
  return armEnds(weights).findIndex((end) => bucket < end);
}
