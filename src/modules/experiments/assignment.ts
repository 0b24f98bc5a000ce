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

const whole = (quotient: number): number => quotient | 0;

/** `fnv32a` of a 32 bit number in decimal, without writing it: a rule hashes once for each person. */
function fnv32aOfNumber(value: number): number {
  if (value < FIVE_DIGITS) return fnv32a(FNV_OFFSET, String(value));
  const before = Math.floor(value / FIVE_DIGITS);
  const ones = whole(value - before * FIVE_DIGITS);
  const tens = whole(ones / 10);
  const hundreds = whole(ones / 100);
  const thousands = whole(ones / 1_000);
  const first = whole(ones / 10_000);
  let hash = addDigit(at(STATES, before), first);
  hash = addDigit(hash, thousands - first * 10);
  hash = addDigit(hash, hundreds - thousands * 10);
  hash = addDigit(hash, tens - hundreds * 10);
  return addDigit(hash, ones - tens * 10) >>> 0;
}

/**
 * GrowthBook's hash version 2: the same on any server. What the seed adds to the hash is computed
 * once.
 */
export function bucketBy(seed: string): (person: string) => number {
  const state = fnv32a(FNV_OFFSET, seed);
  return (person) => fnv32aOfNumber(fnv32a(state, person)) % BUCKETS;
}

export const toBucket = (seed: string, person: string): number => bucketBy(seed)(person);

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
  const bucket = toBucket(experimentId, anonymousId);
  return armEnds(weights).findIndex((end) => bucket < end);
}
