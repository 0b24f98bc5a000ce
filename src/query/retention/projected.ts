import { isReserved } from '../../event-store/projections.ts';
import { at } from '../../shared/assert.ts';
import { ActivityReader, type PeopleBits } from '../reading/projection/activity.ts';
import { Buckets } from '../reading/projection/buckets.ts';
import { PeopleByRange } from '../reading/projection/people.ts';
import type { CounterOf, CountState, RangeCounter, Share } from '../reading/projection/share.ts';
import { compileConditions } from '../selection/row-test.ts';
import { isOfEvents, selectedNames, type Selected } from '../selection/selected.ts';
import { MAX_RETENTION_BUCKETS, type RetentionAnswer, type RetentionQuestion } from './model.ts';
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

  add(starts: PeopleBits, returns: PeopleBits, people: number): void {
    const { cohort } = this.#question;
    let counted = 0;
    for (let person = 0; person < people; person += 1) {
      const [low, high] = [starts.word(person, 0), starts.word(person, 1)];
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

  counts(): Omit<RetentionAnswer, 'dataThroughMs'> {
    const { periods } = this.#question;
    const cohorts = Array.from(this.#sizes, (size, cohort) => ({
      size,
      returned: [...this.#returned.subarray(cohort * periods, (cohort + 1) * periods)],
    }));
    return { people: at(this.#people, 0), cohorts };
  }
}

export class RetentionCounter implements RangeCounter {
  readonly people: PeopleByRange;
  readonly #starts: ActivityReader;
  readonly #returns: ActivityReader;
  readonly #counter: CohortCounter;

  constructor({ parts, environment, ranges }: Share, question: RetentionQuestion) {
    const { boundariesUs, cohort } = question;
    const [start, comingBack] = [startSelection(question), returnSelection(question)];
    const isOfClients = selectedNames([start, comingBack]) === null;
    const buckets = new Buckets(boundariesUs, cohort === 'first' ? BEFORE_BIT : undefined);
    this.people = new PeopleByRange(
      parts.map(({ projection }) => projection),
      ranges,
    );
    const readerOf = (selected: Selected) =>
      new ActivityReader(parts, this.people, BITS, {
        environment,
        buckets,
        has: ({ name }) => isOfEvents(selected, name) && !(isOfClients && isReserved(name)),
        test: selected.where ? compileConditions(selected.where) : null,
        isAnything: selected.events === undefined,
      });
    this.#starts = readerOf(start);
    this.#returns = isSame(start, comingBack) ? this.#starts : readerOf(comingBack);
    this.#counter = new CohortCounter(question);
  }

  countRange(): void {
    this.#starts.readRange();
    if (this.#returns !== this.#starts) this.#returns.readRange();
    const [starts, returns] = [this.#starts.activity, this.#returns.activity];
    this.#counter.add(starts.ofRange, returns.ofRange, this.people.people);
  }

  countStitched(): void {
    const [starts, returns] = [this.#starts.activity, this.#returns.activity];
    this.#counter.add(starts.ofStitched, returns.ofStitched, this.people.stitched);
  }

  state(): CountState {
    const readers = [...new Set([this.#starts, this.#returns])];
    return {
      sums: this.#counter.sums,
      lists: [],
      bits: readers.map(({ activity }) => activity.ofStitched.of(this.people.stitched)),
    };
  }

  counts(): Omit<RetentionAnswer, 'dataThroughMs'> {
    return this.#counter.counts();
  }
}

export const retentionCounter: CounterOf<RetentionQuestion> = (share, task) =>
  new RetentionCounter(share, task);

declare module '../reading/threads/messages.ts' {
  interface CountingTasks {
    retention: RetentionQuestion;
  }
}
