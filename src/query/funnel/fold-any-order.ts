import { outside } from '../../shared/assert.ts';
import { type FoldRules, type PersonEvents, PersonFold } from './fold.ts';

/** Steps that events serve, each another one; what is served stays served. */
class Served {
  readonly #byStep: Int32Array;
  #tried = 0;

  constructor(steps: number) {
    this.#byStep = new Int32Array(steps);
  }

  clear(): void {
    this.#byStep.fill(0);
  }

  add(mask: number): boolean {
    this.#tried = 0;
    return this.#place(mask);
  }

  #place(mask: number): boolean {
    for (;;) {
      const left = mask & ~this.#tried;
      if (left === 0) return false;
      const step = 31 - Math.clz32(left & -left);
      this.#tried |= 1 << step;
      const holder = this.#byStep[step] ?? outside();
      if (holder === 0 || this.#place(holder)) {
        this.#byStep[step] = mask;
        return true;
      }
    }
  }
}

/**
 * A path begins with an event of any step and has another one of each further step. Else by the
 * rules of `FunnelFold`. Events that serve nothing further for a start serve no earlier one.
 */
export class AnyOrderFold extends PersonFold {
  readonly reachedUs: Float64Array;
  readonly #rules: FoldRules;
  readonly #served: Served;
  #later: number[] = [];
  #depth = 0;

  constructor(rules: FoldRules) {
    super();
    this.#rules = rules;
    this.reachedUs = new Float64Array(rules.stepCount);
    this.#served = new Served(rules.stepCount);
  }

  begin(): void {
    this.#later = [];
    this.#depth = 0;
  }

  take(events: PersonEvents, done: number): number {
    const { times, count } = events;
    const last = count - done - 1;
    const atUs = times[last] ?? outside();
    let first = last;
    while (first > 0 && times[first - 1] === atUs) first -= 1;
    const group = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const own = this.#serving([...group, ...this.#later], events);
    if (this.#mayStart(events, atUs)) {
      for (const start of group.reverse()) this.#tryStart(start, own, events);
    }
    this.#later = own;
    return this.#depth === this.#rules.stepCount ? count : count - first;
  }

  end({ times }: PersonEvents): number {
    if (this.#depth !== 1) return this.#depth;
    this.startIndex = 0;
    this.reachedUs[0] = times[0] ?? outside();
    return this.#depth;
  }

  #mayStart({ times }: PersonEvents, atUs: number): boolean {
    const { startBeforeUs, firstStartOnly } = this.#rules;
    return atUs < startBeforeUs && (!firstStartOnly || atUs === times[0]);
  }

  #serving(places: readonly number[], { masks }: PersonEvents): number[] {
    this.#served.clear();
    return places.filter((place) => this.#served.add(masks[place] ?? outside()));
  }

  /** The latest start first: of paths as long the most recent one counts. */
  #tryStart(start: number, own: readonly number[], events: PersonEvents): void {
    const { times } = events;
    const startUs = times[start] ?? outside();
    const path = [start, ...own.filter((place) => place !== start)].filter(
      (place) => (times[place] ?? outside()) - startUs <= this.#rules.windowUs,
    );
    if (path.length <= this.#depth) return;
    const reached = this.#serving(path, events);
    if (reached.length <= this.#depth) return;
    this.#depth = reached.length;
    this.reachedUs.set(reached.map((place) => times[place] ?? outside()));
    this.startIndex = start;
    this.latestStartUs = startUs;
  }
}
