import { Numbers } from '../reading/projection/numbers.ts';
import { PeopleByRange } from '../reading/projection/people.ts';
import type { CounterOf, CountState, RangeCounter, Share } from '../reading/projection/share.ts';
import type { CountedOfPeople } from './counted.ts';
import { pushKey } from './key-records.ts';
import { PeopleCounts } from './people-counts.ts';
import { PeopleReader } from './people-reader.ts';

const MAX_PEOPLE = 6_000_000;

export class TallyCounter implements RangeCounter {
  readonly people: PeopleByRange;
  readonly #counted: CountedOfPeople;
  readonly #counts: PeopleCounts;
  readonly #reader: PeopleReader;
  readonly #records = new Numbers(4_096);
  readonly #size = new Float64Array(1);

  constructor({ parts, environment, ranges }: Share, counted: CountedOfPeople) {
    this.people = new PeopleByRange(
      parts.map(({ projection }) => projection),
      ranges,
    );
    this.#counted = counted;
    this.#counts = new PeopleCounts(counted.did.length);
    const { people } = this;
    this.#reader = new PeopleReader(
      { parts, environment, slices: people.slices },
      counted,
      this.#counts,
      (slice, entry, isAnonymous) =>
        2 * people.personOf(slice, entry) + isAnonymous[slice.projection.profileOf[entry]],
    );
  }

  countRange(): void {
    this.#counts.clear(2 * this.people.capacity);
    this.#reader.readRange();
    if (this.#size[0] < MAX_PEOPLE) this.#keepRange();
  }

  #keepRange(): void {
    const { keys } = this.people;
    const { isKnown, firstUs, counts } = this.#counts;
    const hasFirst = this.#counted.events === 'first';
    const records = this.#records;
    for (let place = 0; place < 2 * this.people.people; place += 1) {
      if (isKnown[place] === 0) continue;
      this.#size[0] += 1;
      pushKey(records, keys, place >>> 1, place & 1);
      if (hasFirst) records.push(firstUs[place]);
      for (const ofClause of counts) records.push(ofClause[place]);
    }
  }

  countStitched(): void {}

  state(): CountState {
    return { sums: [this.#size], lists: [this.#records], bits: [] };
  }

  /** Null of too many people. */
  records(): Float64Array | null {
    return this.#size[0] < MAX_PEOPLE ? this.#records.values() : null;
  }
}

export const tallyCounter: CounterOf<CountedOfPeople> = (share, counted) =>
  new TallyCounter(share, counted);

declare module '../reading/threads/messages.ts' {
  interface CountingTasks {
    segment: CountedOfPeople;
  }
}
