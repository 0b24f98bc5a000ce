import type { Section } from '../../event-store/projections.ts';
import { at } from '../../shared/assert.ts';
import { PeopleBits } from '../reading/projection/activity.ts';
import { ActivityReader, type ShownValues } from '../reading/projection/activity-reader.ts';
import { Buckets } from '../reading/projection/buckets.ts';
import { PeopleByRange } from '../reading/projection/people.ts';
import { isNamed } from '../reading/projection/sections.ts';
import type { CounterOf, CountState, RangeCounter, Share } from '../reading/projection/share.ts';
import { compileRowTest } from '../selection/row-test.ts';
import { LIFECYCLE_STATES, type Lifecycle, type LifecycleQuestion } from './model.ts';

const WORD_BITS = 32;
const NEVER = -2;
const [NEW, RETURNING, RESURRECTED, DORMANT] = [0, 1, 2, 3];
const STATES = LIFECYCLE_STATES.length;

class StateCounter {
  readonly #intervals: number;
  readonly #people = new Float64Array(1);
  readonly #counts: Float64Array;

  constructor(intervals: number) {
    this.#intervals = intervals;
    this.#counts = new Float64Array(intervals * STATES);
  }

  get sums(): Float64Array[] {
    return [this.#people, this.#counts];
  }

  add(bits: PeopleBits, people: number, { first = 0, step = 1 } = {}): void {
    for (let place = first; place < people * step; place += step) this.#addPerson(bits, place);
  }

  #addPerson(bits: PeopleBits, place: number): void {
    const { words } = bits;
    const before = 1 << (this.#intervals & 31);
    const wasBefore = (bits.word(place, words - 1) & before) !== 0;
    let last = NEVER;
    for (let word = 0; word < words; word += 1) {
      let left = bits.word(place, word);
      if (word === words - 1) left &= ~before;
      for (; left !== 0; left &= left - 1) {
        const interval = word * WORD_BITS + 31 - Math.clz32(left & -left);
        this.#addActive(interval, last, wasBefore);
        last = interval;
      }
    }
    if (last === NEVER) return;
    this.#people[0] += 1;
    this.#add(last + 1, DORMANT);
  }

  #addActive(interval: number, last: number, wasBefore: boolean): void {
    if (last === interval - 1) {
      this.#add(interval, RETURNING);
      return;
    }
    this.#add(interval, last === NEVER && !wasBefore ? NEW : RESURRECTED);
    if (last !== NEVER) this.#add(last + 1, DORMANT);
  }

  #add(interval: number, state: number): void {
    const place = interval * STATES + state;
    if (interval < this.#intervals) this.#counts[place] += 1;
  }

  counts(): Lifecycle {
    const countAt = (interval: number, state: number) =>
      at(this.#counts, (interval + 1) * STATES + state);
    return {
      people: at(this.#people, 0),
      intervals: Array.from({ length: this.#intervals - 1 }, (_, interval) => ({
        new: countAt(interval, NEW),
        returning: countAt(interval, RETURNING),
        resurrected: countAt(interval, RESURRECTED),
        dormant: countAt(interval, DORMANT),
      })),
    };
  }
}

type ProjectedLifecycle = { question: LifecycleQuestion; values: ShownValues | null };

export class LifecycleCounter implements RangeCounter {
  readonly people: PeopleByRange;
  readonly #reader: ActivityReader;
  readonly #total: StateCounter;
  readonly #ofValues: readonly StateCounter[];
  readonly #all: PeopleBits;

  constructor({ parts, environment, ranges }: Share, { question, values }: ProjectedLifecycle) {
    const { boundariesUs, names } = question;
    const intervals = boundariesUs.length - 1;
    const bits = intervals + 1;
    this.people = new PeopleByRange(
      parts.map(({ projection }) => projection),
      ranges,
    );
    const wanted = {
      ...{ environment, bits },
      buckets: new Buckets(boundariesUs, intervals),
      has: (section: Section) => isNamed(names, section),
      test: compileRowTest(question),
      isAnything: names === null,
    };
    this.#reader = new ActivityReader(parts, this.people, wanted, values ? [values] : []);
    this.#total = new StateCounter(intervals);
    const places = values ? values.shown.length + 1 : 0;
    this.#ofValues = Array.from({ length: places }, () => new StateCounter(intervals));
    this.#all = new PeopleBits(bits);
  }

  countRange(): void {
    this.#reader.readRange();
    this.#count(this.#reader.activity.ofRange, this.people.people);
  }

  countStitched(): void {
    this.#count(this.#reader.activity.ofStitched, this.people.stitched);
  }

  #count(bits: PeopleBits, people: number): void {
    const step = this.#ofValues.length;
    if (step === 0) {
      this.#total.add(bits, people);
      return;
    }
    for (const [first, counter] of this.#ofValues.entries()) {
      counter.add(bits, people, { first, step });
    }
    this.#all.clear(people);
    this.#all.add(bits, people, step);
    this.#total.add(this.#all, people);
  }

  state(): CountState {
    return {
      sums: [this.#total, ...this.#ofValues].flatMap(({ sums }) => sums),
      lists: [],
      bits: [this.#reader.activity.stitchedBits],
    };
  }

  counts(): Lifecycle[] {
    return [this.#total, ...this.#ofValues].map((counter) => counter.counts());
  }
}

export const lifecycleCounter: CounterOf<ProjectedLifecycle> = (share, task) =>
  new LifecycleCounter(share, task);

declare module '../reading/threads/messages.ts' {
  interface CountingTasks {
    lifecycle: ProjectedLifecycle;
  }
}
