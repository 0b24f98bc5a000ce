import type { Projection } from '../../../event-store/projections.ts';
import { at } from '../../../shared/assert.ts';
import type { EnvironmentScope } from '../../../shared/environment.ts';
import type { FileFacts } from '../source/files.ts';
import type { Members, PartMembers } from './members.ts';
import type { Numbers } from './numbers.ts';
import type { PeopleByRange, Ranges } from './people.ts';

export type EntryTexts = {
  codes: Uint8Array<SharedArrayBuffer> | Uint16Array<SharedArrayBuffer>;
  texts: readonly string[];
};

export type CountedPart = {
  projection: Projection;
  file: FileFacts | null;
  firsts?: ReadonlyMap<string, EntryTexts>;
  members?: PartMembers;
};

export type Share = {
  parts: readonly CountedPart[];
  members: Members;
  environment: EnvironmentScope;
  ranges: Ranges;
};

export type CountState = {
  sums: readonly Float64Array[];
  lists: readonly Numbers[];
  bits: readonly Int32Array[];
};

export type Counted = {
  sums: Float64Array<ArrayBuffer>[];
  lists: Float64Array<ArrayBuffer>[];
  bits: Int32Array<ArrayBuffer>[];
  dealt: number;
};

export type RangeCounter = {
  readonly people: PeopleByRange;
  countRange: () => void;
  /** People with late aliases, after every range of every thread. */
  countStitched: () => void;
  state: () => CountState;
};

export type CounterOf<Task> = (share: Share, task: Task) => RangeCounter;

export function copyCounts(counter: RangeCounter): Counted {
  const { sums, lists, bits } = counter.state();
  return {
    sums: sums.map((one) => one.slice()),
    lists: lists.map((one) => one.copy()),
    bits: bits.map((one) => one.slice()),
    dealt: counter.people.dealt,
  };
}

/** Handed over to another thread rather than copied once more. */
export const buffersOf = ({ sums, lists, bits }: Counted): ArrayBuffer[] =>
  [...sums, ...lists, ...bits].map(({ buffer }) => buffer);

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
