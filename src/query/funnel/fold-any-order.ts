import { at, outside } from '../../shared/assert.ts';
import type { FoldRules, PersonEvents, PersonFold } from './fold.ts';

const FREE = -1;

/** Steps that events serve, each another one; what is served stays served. */
class Served {
  readonly #masks: number[] = [];
  readonly #byStep: Int32Array;

  constructor(steps: number) {
    this.#byStep = new Int32Array(steps).fill(FREE);
  }

  add(mask: number): boolean {
    return this.#place(this.#masks.push(mask) - 1, new Set());
  }

  #place(event: number, tried: Set<number>): boolean {
    for (const [step, holder] of this.#byStep.entries()) {
      if ((at(this.#masks, event) & (1 << step)) === 0 || tried.has(step)) continue;
      tried.add(step);
      if (holder === FREE || this.#place(holder, tried)) {
        this.#byStep[step] = event;
        return true;
      }
    }
    return false;
  }
}

function countBits(mask: number): number {
  let bits = 0;
  for (let left = mask; left !== 0; left &= left - 1) bits += 1;
  return bits;
}

/**
 * A path begins with an event of any step and has another one of each further step. Else by the
 * rules of `FunnelFold`.
 */
export class AnyOrderFold implements PersonFold {
  readonly reachedUs: Float64Array;
  startIndex = FREE;
  latestStartUs = FREE;
  readonly #rules: FoldRules;
  readonly #places = new Map<number, number[]>();

  constructor(rules: FoldRules) {
    this.#rules = rules;
    this.reachedUs = new Float64Array(rules.stepCount);
  }

  fold(events: PersonEvents): number {
    const { stepCount, startBeforeUs, firstStartOnly } = this.#rules;
    const { times, count } = events;
    this.#index(events);
    const first = times[0];
    if (count === 0 || first === undefined || first >= startBeforeUs) return 0;
    let depth = 0;
    // The latest start first: of paths as long the most recent one counts.
    for (let start = count - 1; start >= 0 && depth < stepCount; start -= 1) {
      const startUs = times[start] ?? outside();
      if (startUs >= startBeforeUs || (firstStartOnly && startUs !== first)) continue;
      const reached = this.#pathFrom(events, start);
      if (reached.length <= depth) continue;
      depth = reached.length;
      this.reachedUs.set(reached);
      this.startIndex = start;
      this.latestStartUs = startUs;
    }
    if (depth === 1) {
      this.startIndex = 0;
      this.reachedUs[0] = first;
    }
    return depth;
  }

  #index({ masks, count }: PersonEvents): void {
    this.#places.clear();
    for (let place = 0; place < count; place += 1) {
      const mask = masks[place] ?? outside();
      const known = this.#places.get(mask);
      if (known) known.push(place);
      else this.#places.set(mask, [place]);
    }
  }

  /** When one more step than before was served. */
  #pathFrom({ times, masks }: PersonEvents, start: number): number[] {
    const startUs = times[start] ?? outside();
    let from = start;
    while (from > 0 && times[from - 1] === startUs) from -= 1;
    const served = new Served(this.#rules.stepCount);
    served.add(masks[start] ?? outside());
    const reached = [startUs];
    for (const place of this.#next(from, start)) {
      const timeUs = times[place] ?? outside();
      if (timeUs - startUs > this.#rules.windowUs || reached.length === this.#rules.stepCount)
        break;
      if (served.add(masks[place] ?? outside())) reached.push(timeUs);
    }
    return reached;
  }

  /** Of each mask no more events than it has steps: others serve nothing further. */
  #next(from: number, start: number): number[] {
    const next: number[] = [];
    for (const [mask, places] of this.#places) {
      let low = 0;
      let high = places.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (at(places, middle) < from) low = middle + 1;
        else high = middle;
      }
      next.push(...places.slice(low, low + countBits(mask) + 1).filter((place) => place !== start));
    }
    return next.sort((a, b) => a - b);
  }
}
