/** Seeded mulberry32: reproducible. */
export type Random = {
  /** In [0, 1). */
  next: () => number;
  chance: (probability: number) => boolean;
  /** Integer, inclusive. */
  between: (low: number, high: number) => number;
  longTailed: (typical: number) => number;
  pick: <T>(weighted: readonly (readonly [T, number])[]) => T;
};

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    longTailed: (typical) => typical * 2 ** (3 * (next() + next() - 1)),
    pick: (weighted) => {
      const total = weighted.reduce((sum, [, weight]) => sum + weight, 0);
      let left = next() * total;
      for (const [value, weight] of weighted) {
        left -= weight;
        if (left < 0) return value;
      }
      const last = weighted.at(-1);
      if (!last) throw new Error('Nothing to pick from.');
      return last[0];
    },
  };
}
