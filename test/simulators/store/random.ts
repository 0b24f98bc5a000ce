/** A generator of numbers in [0, 1) that is the same for the same words, on every machine. */
export function seeded(...words: (string | number)[]): () => number {
  let state = Number(BigInt.asUintN(32, Bun.hash.wyhash(words.join('|')))) || 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const pick = <T>(random: () => number, from: readonly T[]): T =>
  from[Math.floor(random() * from.length)] as T;

export const between = (random: () => number, low: number, high: number): number =>
  low + Math.floor(random() * (high - low + 1));
