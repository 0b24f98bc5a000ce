import { outside } from '../../shared/assert.ts';
import type { Turning } from '../../shared/pace.ts';
import { extendAtInstant } from './instant.ts';

export type FoldRules = {
  stepCount: number;
  windowUs: number;
  startBeforeUs: number;
  firstStartOnly?: boolean;
  /** Counted by `ExcludingFold`. */
  exclusions?: readonly ExclusionRule[];
  /** Counted by `AnyOrderFold`. */
  isAnyOrder?: boolean;
};

/**
 * Events of this bit end paths that have the step of index `from` and not yet that of `to`; not at
 * the instant of one of their steps.
 */
export type ExclusionRule = { bit: number; from: number; to: number };

export type PersonEvents = {
  /** Microseconds from the start of the report's window. */
  times: Float64Array;
  /** Bit i: the event matches step i + 1. */
  masks: Int32Array;
  count: number;
};

const NONE = -1;
export const EVENTS_PER_TURN = 4_096;

export abstract class PersonFold {
  /** Valid up to the depth last returned. */
  abstract readonly reachedUs: Float64Array;
  startIndex = NONE;
  /** Start of the last path that reaches as far. */
  latestStartUs = NONE;

  /** The furthest step, 0 without an entry. */
  fold(events: PersonEvents): number {
    this.begin();
    for (let done = 0; done < events.count; ) done = this.take(events, done);
    return this.end(events);
  }

  async foldInTurns(events: PersonEvents, pace: Turning): Promise<number> {
    this.begin();
    for (let done = 0, next = 0; done < events.count; ) {
      done = this.take(events, done);
      if (done < next) continue;
      next = done + EVENTS_PER_TURN;
      await pace.turn();
    }
    return this.end(events);
  }

  protected abstract begin(): void;
  /** By one instant: how many are done. */
  protected abstract take(events: PersonEvents, done: number): number;
  protected abstract end(events: PersonEvents): number;
}

export class FunnelFold extends PersonFold {
  readonly reachedUs: Float64Array;
  #firstIndex = NONE;
  #firstUs = NONE;

  readonly #rules: FoldRules;
  readonly #starts: Int32Array;
  readonly #paths: Float64Array;

  constructor(rules: FoldRules) {
    super();
    this.#rules = rules;
    this.reachedUs = new Float64Array(rules.stepCount);
    this.#starts = new Int32Array(rules.stepCount);
    this.#paths = new Float64Array(rules.stepCount * rules.stepCount);
  }

  begin(): void {
    this.#starts.fill(NONE);
    this.#firstIndex = NONE;
  }

  /**
   * Of equal masks at one instant the later place is the more recent; unequal ones need their true
   * order to tell starts apart.
   */
  take({ times, masks, count }: PersonEvents, index: number): number {
    const at = times[index] ?? outside();
    let next = index + 1;
    while (next < count && times[next] === at) next += 1;
    if (next === index + 1) this.#take(at, masks[index] ?? outside(), index);
    else this.#takeInstant(at, masks, index, next);
    return next;
  }

  end(): number {
    const { stepCount } = this.#rules;
    const starts = this.#starts;
    let depth = stepCount;
    while (depth > 0 && starts[depth - 1] === NONE) depth -= 1;
    if (depth === 0) return 0;
    this.startIndex = starts[depth - 1] ?? outside();
    const offset = (depth - 1) * stepCount;
    for (let step = 0; step < depth; step += 1) {
      this.reachedUs[step] = this.#paths[offset + step] ?? outside();
    }
    this.latestStartUs = this.reachedUs[0] ?? outside();
    if (depth === 1) {
      this.startIndex = this.#firstIndex;
      this.reachedUs[0] = this.#firstUs;
    }
    return depth;
  }

  #take(at: number, mask: number, index: number): void {
    let left = mask;
    while (left !== 0) {
      const step = 31 - Math.clz32(left);
      left &= ~(1 << step);
      if (step === 0) this.#start(at, index);
      else this.#advance(step - 1, step, at);
    }
  }

  #start(at: number, index: number): void {
    if (at >= this.#rules.startBeforeUs) return;
    this.#noteFirst(at, index);
    if (!this.#mayStart(at)) return;
    this.#starts[0] = index;
    this.#paths[0] = at;
  }

  #noteFirst(at: number, index: number): void {
    if (this.#firstIndex !== NONE) return;
    this.#firstIndex = index;
    this.#firstUs = at;
  }

  #mayStart(at: number): boolean {
    const { startBeforeUs, firstStartOnly } = this.#rules;
    return at < startBeforeUs && (!firstStartOnly || at === this.#firstUs);
  }

  #advance(from: number, to: number, at: number): void {
    const { stepCount, windowUs } = this.#rules;
    const start = this.#starts[from] ?? outside();
    if (start === NONE || start <= (this.#starts[to] ?? outside())) return;
    const source = from * stepCount;
    if (at - (this.#paths[source] ?? outside()) > windowUs) return;
    const target = to * stepCount;
    for (let step = 0; step <= from; step += 1) {
      this.#paths[target + step] = this.#paths[source + step] ?? outside();
    }
    for (let step = from + 1; step <= to; step += 1) this.#paths[target + step] = at;
    this.#starts[to] = start;
  }

  /** Several events at one instant: which steps they can serve together is a small matching. */
  #takeInstant(at: number, masks: Int32Array, first: number, end: number): void {
    const group = masks.subarray(first, end);
    const starter = group.findIndex((mask) => (mask & 1) !== 0);
    if (starter !== NONE && at < this.#rules.startBeforeUs) this.#noteFirst(at, first + starter);
    const moves = extendAtInstant(group, this.#rules.stepCount);
    for (let to = this.#rules.stepCount - 1; to >= 0; to -= 1) {
      // The further of two paths with the same start is earlier.
      for (let from = to - 1; from >= 0; from -= 1) {
        if ((moves.reach[from + 1] ?? outside()) > to) this.#advance(from, to, at);
      }
      const starter = moves.starters[to] ?? outside();
      if (starter !== NONE && this.#mayStart(at)) {
        this.#starts[to] = first + starter;
        this.#paths.fill(at, to * this.#rules.stepCount, to * this.#rules.stepCount + to + 1);
      }
    }
  }
}
