const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Number of equal parts that people are divided into. */
export const BUCKETS = 10_000;

/** FNV-1a, 32 bit, over UTF-16 code units: GrowthBook's `hashFnv32a`. */
function fnv32a(text: string): number {
  let hash = FNV_OFFSET;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  }
  return hash >>> 0;
}

/**
 * The bucket, 0 to 9,999, of a person in an experiment: GrowthBook's hash version 2 with the
 * experiment's id as seed, so that any server and any call gives the same.
 */
export function bucketOf(seed: string, anonymousId: string): number {
  return fnv32a(String(fnv32a(seed + anonymousId))) % BUCKETS;
}

/**
 * The end (exclusive) of each arm's range of buckets: shares by weight, in order. The last one is
 * 10,000 whatever the rounding.
 */
export function armEnds(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let reached = 0;
  return weights.map((weight) => {
    reached += weight;
    return Math.round((reached / total) * BUCKETS);
  });
}

/** The index of a person's arm. Names play no part, so renaming moves nobody. */
export function assignArm(
  experimentId: string,
  weights: readonly number[],
  anonymousId: string,
): number {
  const bucket = bucketOf(experimentId, anonymousId);
  return armEnds(weights).findIndex((end) => bucket < end);
}
