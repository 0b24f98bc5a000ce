const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

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

/** GrowthBook's hash version 2: the same on any server. */
export function bucketBy(seed: string): (person: string) => number {
  const state = fnv32a(FNV_OFFSET, seed);
  return (person) => fnv32a(FNV_OFFSET, String(fnv32a(state, person))) % BUCKETS;
}

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
  const bucket = bucketBy(experimentId)(anonymousId);
  return armEnds(weights).findIndex((end) => bucket < end);
}
