import { outside } from '../../shared/assert.ts';
import { type FoldRules, type PersonEvents, PersonFold } from './fold.ts';
import { extendAtInstant } from './instant.ts';

const NONE = -1;

class Paths {
  readonly starts: Int32Array;
  readonly times: Float64Array;
  readonly #steps: number;

  constructor(steps: number) {
    this.#steps = steps;
    this.starts = new Int32Array(steps);
    this.times = new Float64Array(steps * steps);
  }

  clear(): void {
    this.starts.fill(NONE);
  }

  copyFrom(other: Paths): void {
    this.starts.set(other.starts);
    this.times.set(other.times);
  }

  start(step: number): number {
    return this.starts[step] ?? outside();
  }

  timeOf(path: number, step: number): number {
    return this.times[path * this.#steps + step] ?? outside();
  }

  /** Unless its own has a start as recent. */
  extend(to: number, others: Paths, from: number, at: number): void {
    const start = others.start(from);
    if (start <= this.start(to)) return;
    const place = to * this.#steps;
    for (let step = 0; step <= from; step += 1)
      this.times[place + step] = others.timeOf(from, step);
    this.times.fill(at, place + from + 1, place + to + 1);
    this.starts[to] = start;
  }

  begin(to: number, index: number, at: number): void {
    if (index <= this.start(to)) return;
    const place = to * this.#steps;
    this.times.fill(at, place, place + to + 1);
    this.starts[to] = index;
  }
}

/** As `FunnelFold`; an excluded event ends paths with the step before it and not the one after. */
export class ExcludingFold extends PersonFold {
  readonly reachedUs: Float64Array;
  readonly #rules: FoldRules;
  readonly #steps: number;
  /** Paths that can go on, those before the instant, and the best there ever were. */
  readonly #open: Paths;
  readonly #before: Paths;
  readonly #best: Paths;
  #firstIndex = NONE;
  #firstUs = NONE;

  constructor(rules: FoldRules) {
    super();
    this.#rules = rules;
    this.#steps = (1 << rules.stepCount) - 1;
    this.reachedUs = new Float64Array(rules.stepCount);
    this.#open = new Paths(rules.stepCount);
    this.#before = new Paths(rules.stepCount);
    this.#best = new Paths(rules.stepCount);
  }

  begin(): void {
    for (const paths of [this.#open, this.#best]) paths.clear();
    this.#firstIndex = NONE;
  }

  take({ times, masks, count }: PersonEvents, index: number): number {
    const at = times[index] ?? outside();
    let next = index + 1;
    while (next < count && times[next] === at) next += 1;
    this.#takeInstant(at, masks.subarray(index, next), index);
    return next;
  }

  end(): number {
    let depth = this.#rules.stepCount;
    while (depth > 0 && this.#best.start(depth - 1) === NONE) depth -= 1;
    if (depth === 0) return 0;
    this.startIndex = this.#best.start(depth - 1);
    for (let step = 0; step < depth; step += 1) {
      this.reachedUs[step] = this.#best.timeOf(depth - 1, step);
    }
    this.latestStartUs = this.reachedUs[0] ?? outside();
    if (depth > 1) return depth;
    this.startIndex = this.#firstIndex;
    this.reachedUs[0] = this.#firstUs;
    return depth;
  }

  #takeInstant(at: number, masks: Int32Array, first: number): void {
    const { stepCount, startBeforeUs, firstStartOnly } = this.#rules;
    const group = masks.map((mask) => mask & this.#steps);
    const starter = group.findIndex((mask) => (mask & 1) !== 0);
    const mayStart = starter !== NONE && at < startBeforeUs;
    if (mayStart && this.#firstIndex === NONE) {
      this.#firstIndex = first + starter;
      this.#firstUs = at;
    }
    this.#before.copyFrom(this.#open);
    this.#end(masks);
    const moves = extendAtInstant(group, stepCount);
    const isStart = mayStart && (!firstStartOnly || at === this.#firstUs);
    for (let to = stepCount - 1; to >= 0; to -= 1) {
      this.#advance(moves.reach, to, at);
      const own = moves.starters[to] ?? outside();
      if (own === NONE || !isStart) continue;
      for (const paths of [this.#open, this.#best]) paths.begin(to, first + own, at);
    }
  }

  /** The further of two paths with the same start is earlier. */
  #advance(reach: Int32Array, to: number, at: number): void {
    for (let from = to - 1; from >= 0; from -= 1) {
      const isReached = (reach[from + 1] ?? outside()) > to;
      if (!isReached || this.#before.start(from) === NONE) continue;
      if (at - this.#before.timeOf(from, 0) > this.#rules.windowUs) continue;
      for (const paths of [this.#open, this.#best]) paths.extend(to, this.#before, from, at);
    }
  }

  #end(masks: Int32Array): void {
    const { exclusions = [] } = this.#rules;
    const all = masks.reduce((together, mask) => together | mask, 0);
    for (const { bit, from, to } of exclusions) {
      if ((all & (1 << bit)) !== 0) this.#open.starts.fill(NONE, from, to);
    }
  }
}
