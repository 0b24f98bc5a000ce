import { randomFrom } from './random.ts';

/** Draws from distributions, the same at every run. */
export type Draw = {
  /** How many of `tries` succeed. */
  successes: (tries: number, rate: number) => number;
  normal: () => number;
  uniform: () => number;
};

export function drawsFrom(seed: number): Draw {
  const uniform = randomFrom(seed);
  const successes = (tries: number, rate: number): number => {
    if (rate > 0.5) return tries - successes(tries, 1 - rate);
    if (rate <= 0) return 0;
    // From one success to the next: the gaps are geometric.
    const scale = Math.log1p(-rate);
    let found = 0;
    let at = -1;
    for (;;) {
      at += 1 + Math.floor(Math.log(1 - uniform()) / scale);
      if (at >= tries) return found;
      found += 1;
    }
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { successes, normal, uniform };
}
