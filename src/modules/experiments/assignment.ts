const FNV_OFFSET = 0x811c9dc5;
export const FNV_PRIME = 0x01000193;
const ZERO = 48;

/** Equal parts of all people. */
export const BUCKETS = 10_000;

/** FNV-1a, 32 bit, over UTF-16 code units, from a state on: GrowthBook's `hashFnv32a`. */
export function fnv32a(state: number, text: string): number {
  let hash = state;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  }
  return hash | 0;
}

const FIVE_DIGITS = 100_000;
/** States after the digits of a number before its last five. */
const STATES = Int32Array.from({ length: Math.floor(2 ** 32 / FIVE_DIGITS) + 1 }, (_, number) =>
  fnv32a(FNV_OFFSET, String(number)),
);

const whole = (quotient: number): number => quotient | 0;

/** ASCII changes the lowest seven bits of a state before it is multiplied. */
export const LOW = 128;
const PRIME_TWICE = Math.imul(FNV_PRIME, FNV_PRIME);
/** After two digits, from the states below `LOW`: others stay as far apart, times the primes. */
const TWO_DIGITS = Int32Array.from({ length: LOW * 100 }, (_, index) =>
  fnv32a(Math.floor(index / 100), String(index % 100).padStart(2, '0')),
);

function addTwoDigits(hash: number, digits: number): number {
  const low = hash & (LOW - 1);
  return (TWO_DIGITS[low * 100 + digits] + Math.imul(hash - low, PRIME_TWICE)) | 0;
}

/** Without writing it in decimal: a rule hashes once for each person. */
function fnv32aOfNumber(value: number): number {
  // By 32, then by 3,125: whole numbers of 32 bits throughout are twice as fast.
  const before = whole((value >>> 5) / (FIVE_DIGITS / 32));
  if (before === 0) return fnv32a(FNV_OFFSET, String(value >>> 0));
  const ones = (value - Math.imul(before, FIVE_DIGITS)) | 0;
  const tens = whole(ones / 10);
  const thousands = whole(ones / 1_000);
  const hash = addTwoDigits(STATES[before], thousands);
  const last = ZERO + ones - tens * 10;
  return Math.imul(addTwoDigits(hash, tens - thousands * 100) ^ last, FNV_PRIME);
}

/** Of the hash of a person behind a seed. */
export function hashToBucket(value: number): number {
  const hash = fnv32aOfNumber(value);
  return (whole((hash >>> 4) % (BUCKETS / 16)) << 4) | (hash & 15);
}

export const hashSeed = (seed: string): number => fnv32a(FNV_OFFSET, seed);

/** GrowthBook's hash version 2: the same on any server. */
export const toBucket = (seed: string, person: string): number =>
  hashToBucket(fnv32a(hashSeed(seed), person));

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
