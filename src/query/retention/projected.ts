import { isReserved } from '../../event-store/projections.ts';
import { at } from '../../shared/assert.ts';
import { Buckets } from '../reading/projection/buckets.ts';
import { PeopleByRange } from '../reading/projection/people.ts';
import type { CounterOf, CountState, RangeCounter, Share } from '../reading/projection/share.ts';
import { PeopleBits } from '../reading/projection/activity.ts';
import { ActivityReader, type ShownValues } from '../reading/projection/activity-reader.ts';
import { compileConditions } from '../selection/row-test.ts';
import { isOfEvents, selectedNames, type Selected } from '../selection/selected.ts';
import { type Cohorts, MAX_RETENTION_BUCKETS, type RetentionQuestion } from './model.ts';
import { isSame, returnSelection, startSelection } from './selections.ts';

const BEFORE_BIT = MAX_RETENTION_BUCKETS;
const BITS = MAX_RETENTION_BUCKETS + 1;
const NONE = -1;

/** The lowest of 64 bits, in two halves. */
function lowest(low: number, high: number): number {
  if (low !== 0) return 31 - Math.clz32(low & -low);
  return high === 0 ? NONE : 63 - Math.clz32(high & -high);
}

function highest(low: number, high: number): number {
  return high !== 0 ? 63 - Math.clz32(high) : 31 - Math.clz32(low);
}

const has = (low: number, high: number, bit: number): boolean =>
  ((bit < 32 ? low >>> bit : high >>> (bit - 32)) & 1) === 1;

class CohortCounter {
  readonly #question: RetentionQuestion;
  readonly #people = new Float64Array(1);
  readonly #sizes: Float64Array;
  readonly #returned: Float64Array;

  constructor(question: RetentionQuestion) {
    const { cohorts, periods } = question;
    this.#question = question;
    this.#sizes = new Float64Array(cohorts);
    this.#returned = new Float64Array(cohorts * periods);
  }

  get sums(): Float64Array[] {
    return [this.#people, this.#sizes, this.#returned];
  }

  add(
    starts: PeopleBits,
    returns: PeopleBits,
    people: number,
    { place = 0, places = 1 } = {},
  ): void {
    const { cohort } = this.#question;
    let counted = 0;
    for (let person = 0; person < people; person += 1) {
      const started = person * places + place;
      const [low, high] = [starts.word(started, 0), starts.word(started, 1)];
      if ((low | high) === 0) continue;
      const [back, backHigh] = [returns.word(person, 0), returns.word(person, 1)];
      const isIn =
        cohort === 'first'
          ? this.#addFirst(low, high, back, backHigh)
          : this.#addEach(low, high, back, backHigh);
      if (isIn) counted += 1;
    }
    this.#people[0] += counted;
  }

  #addFirst(low: number, high: number, back: number, backHigh: number): boolean {
    if (has(low, high, BEFORE_BIT)) return false;
    const cohort = lowest(low, high);
    if (cohort >= this.#question.cohorts) return false;
    this.#addTo(cohort, back, backHigh);
    return true;
  }

  #addEach(low: number, high: number, back: number, backHigh: number): boolean {
    let isIn = false;
    for (let cohort = 0; cohort < this.#question.cohorts; cohort += 1) {
      if (!has(low, high, cohort)) continue;
      this.#addTo(cohort, back, backHigh);
      isIn = true;
    }
    return isIn;
  }

  #addTo(cohort: number, low: number, high: number): void {
    const { criterion, periods } = this.#question;
    this.#sizes[cohort] += 1;
    // Earlier than all intervals is no return.
    const returned = high & ~(1 << (BEFORE_BIT - 32));
    const last = highest(low, returned);
    for (let period = 1; period <= periods; period += 1) {
      const bucket = cohort + period;
      if (bucket > last) return;
      if (criterion === 'on' && !has(low, returned, bucket)) continue;
      const place = cohort * periods + period - 1;
      this.#returned[place] += 1;
    }
  }

  counts(): Cohorts {
    const { periods } = this.#question;
    const cohorts = Array.from(this.#sizes, (size, cohort) => ({
      size,
      returned: [...this.#returned.subarray(cohort * periods, (cohort + 1) * periods)],
    }));
    return { people: at(this.#people, 0), cohorts };
  }
}

type ProjectedRetention = {
  question: RetentionQuestion;
  values: ShownValues | null;
};

export class RetentionCounter implements RangeCounter {
  readonly people: PeopleByRange;
  readonly #starts: ActivityReader;
  readonly #returns: ActivityReader | null;
  readonly #total: CohortCounter;
  readonly #ofValues: readonly CohortCounter[];
  readonly #all = new PeopleBits(BITS);

  constructor({ parts, environment, ranges }: Share, { question, values }: ProjectedRetention) {
    const { boundariesUs, cohort } = question;
    const [start, comingBack] = [startSelection(question), returnSelection(question)];
    const isOfClients = selectedNames([start, comingBack]) === null;
    const buckets = new Buckets(boundariesUs, cohort === 'first' ? BEFORE_BIT : undefined);
    this.people = new PeopleByRange(
      parts.map(({ projection }) => projection),
      ranges,
    );
    const readerOf = (selected: Selected, shown: readonly ShownValues[] = []) =>
      new ActivityReader(
        parts,
        this.people,
        {
          ...{ environment, buckets, bits: BITS, isAnything: selected.events === undefined },
          has: ({ name }) => isOfEvents(selected, name) && !(isOfClients && isReserved(name)),
          test: selected.where ? compileConditions(selected.where) : null,
        },
        shown,
      );
    this.#starts = readerOf(start, values ? [values] : []);
    this.#returns = isSame(start, comingBack) ? null : readerOf(comingBack);
    this.#total = new CohortCounter(question);
    this.#ofValues = values ? this.#starts.events.map(() => new CohortCounter(question)) : [];
  }

  get #isOne(): boolean {
    return this.#ofValues.length === 0;
  }

  countRange(): void {
    this.#starts.readRange();
    this.#returns?.readRange();
    if (!this.#isOne) this.#all.clear(this.people.capacity, this.people.peopleBefore);
    this.#count('ofRange', this.people.people);
  }

  countStitched(): void {
    this.#all.clear(this.people.stitched);
    this.#count('ofStitched', this.people.stitched);
  }

  #count(whose: 'ofRange' | 'ofStitched', people: number): void {
    const starts = this.#starts.activity[whose];
    const places = this.#ofValues.length;
    if (!this.#isOne) this.#all.add(starts, people, places);
    const all = this.#isOne ? starts : this.#all;
    const returns = this.#returns?.activity[whose] ?? all;
    this.#total.add(all, returns, people);
    for (const [place, counter] of this.#ofValues.entries()) {
      counter.add(starts, returns, people, { place, places });
    }
  }

  state(): CountState {
    return {
      sums: [this.#total, ...this.#ofValues].flatMap(({ sums }) => sums),
      lists: [],
      bits: [this.#starts, ...(this.#returns ? [this.#returns] : [])].map(
        ({ activity }) => activity.stitchedBits,
      ),
    };
  }

  counts(): Cohorts[] {
    return [this.#total, ...this.#ofValues].map((counter) => counter.counts());
  }
}

export const retentionCounter: CounterOf<ProjectedRetention> = (share, task) =>
  new RetentionCounter(share, task);

declare module '../reading/threads/messages.ts' {
  interface CountingTasks {
    retention: ProjectedRetention;
  }
}
