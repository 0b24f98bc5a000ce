import type { Projection } from '../../../event-store/projections.ts';
import { at } from '../../../shared/assert.ts';
import type { EnvironmentScope } from '../../../shared/environment.ts';
import type { FileFacts } from '../files.ts';
import type { Numbers } from './numbers.ts';
import type { PeopleByRange, Ranges } from './people.ts';

/** A projection, and what the catalogue says of its file; null of rows without one. */
export type CountedPart = { projection: Projection; file: FileFacts | null };

/** What every thread that counts a question is given. */
export type Share = {
  parts: readonly CountedPart[];
  environment: EnvironmentScope;
  ranges: Ranges;
};

/** What a thread has counted so far, of whatever question, so that several make one. */
export type CountState = {
  /** Are added up. */
  sums: readonly Float64Array[];
  /** Are appended, in any order. */
  lists: readonly Numbers[];
  /** Are united. */
  bits: readonly Int32Array[];
};

/** The same, on its way from one thread to another. */
export type Counted = { sums: Float64Array[]; lists: Float64Array[]; bits: Int32Array[] };

/** Counts one question, a range of people after the other. */
export type RangeCounter = {
  readonly people: PeopleByRange;
  countRange: () => void;
  /** Whom late aliases touch, once every range of every thread is counted. */
  countStitched: () => void;
  state: () => CountState;
};

/** A counter of a question, by what threads are told of it. */
export type CounterOf<Task> = (share: Share, task: Task) => RangeCounter;

/** A copy. */
export function countedOf({ sums, lists, bits }: CountState): Counted {
  return {
    sums: sums.map((one) => one.slice()),
    lists: lists.map((one) => one.values().slice()),
    bits: bits.map((one) => one.slice()),
  };
}

/** Adds what another thread has counted. */
export function addCounted(state: CountState, counted: Counted): void {
  for (const [index, mine] of state.sums.entries()) {
    const theirs = at(counted.sums, index);
    for (let place = 0; place < mine.length; place += 1) {
      mine[place] += theirs[place];
    }
  }
  for (const [index, mine] of state.lists.entries()) mine.append(at(counted.lists, index));
  for (const [index, mine] of state.bits.entries()) {
    const theirs = at(counted.bits, index);
    for (let place = 0; place < mine.length; place += 1) {
      mine[place] |= theirs[place];
    }
  }
}
