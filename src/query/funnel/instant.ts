import { at, outside } from '../../shared/assert.ts';

export type InstantMoves = {
  /**
   * By steps reached before: steps reached after this instant, no event serving two. `reach[0]` is
   * from nothing.
   */
  reach: Int32Array;
  /** By step: the last event that can start a path to it within the instant, or -1. */
  starters: Int32Array;
};

/** An event that serves no step yet; an event of no group. */
const FREE = -1;

class Matching {
  readonly #group: Int32Array;
  readonly #excluded: number;
  readonly #stepOf: Int32Array;

  constructor(group: Int32Array, excluded: number) {
    this.#group = group;
    this.#excluded = excluded;
    this.#stepOf = new Int32Array(group.length).fill(FREE);
  }

  add(step: number): boolean {
    return this.#place(step, new Uint8Array(this.#group.length));
  }

  #place(step: number, seen: Uint8Array): boolean {
    for (let event = 0; event < this.#group.length; event += 1) {
      const fits = ((this.#group[event] ?? outside()) & (1 << step)) !== 0;
      if (!fits || seen[event] === 1 || event === this.#excluded) continue;
      seen[event] = 1;
      const holder = this.#stepOf[event] ?? outside();
      if (holder === FREE || this.#place(holder, seen)) {
        this.#stepOf[event] = step;
        return true;
      }
    }
    return false;
  }
}

function reachFrom(group: Int32Array, from: number, stepCount: number, excluded = FREE): number {
  const matching = new Matching(group, excluded);
  let step = from;
  while (step < stepCount && matching.add(step)) step += 1;
  return step;
}

function usefulEvents(group: Int32Array, stepCount: number): number[] {
  const seen = new Map<number, number>();
  const kept: number[] = [];
  for (let event = group.length - 1; event >= 0; event -= 1) {
    const mask = group[event] ?? outside();
    const count = seen.get(mask) ?? 0;
    if (count <= stepCount) kept.push(event);
    seen.set(mask, count + 1);
  }
  return kept.reverse();
}

/** `group`: the masks of the events at one instant, oldest first. */
export function extendAtInstant(group: Int32Array, stepCount: number): InstantMoves {
  const kept = usefulEvents(group, stepCount);
  const masks = Int32Array.from(kept, (event) => group[event] ?? outside());
  const reach = new Int32Array(stepCount + 1);
  for (let from = 0; from <= stepCount; from += 1) reach[from] = reachFrom(masks, from, stepCount);
  const starters = new Int32Array(stepCount).fill(-1);
  const furthest = (reach[1] ?? outside()) - 1;
  for (let event = masks.length - 1; event >= 0 && starters[furthest] === -1; event -= 1) {
    if (((masks[event] ?? outside()) & 1) === 0) continue;
    const reached = reachFrom(masks, 1, stepCount, event);
    for (let step = 0; step < reached; step += 1) {
      if (starters[step] === -1) starters[step] = at(kept, event);
    }
  }
  return { reach, starters };
}
