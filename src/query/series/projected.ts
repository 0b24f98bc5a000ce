import { isReserved } from '../../event-store/projections.ts';
import { at } from '../../shared/assert.ts';
import { ActivityReader, PeopleBits } from '../reading/projection/activity.ts';
import { Buckets } from '../reading/projection/buckets.ts';
import { PeopleByRange } from '../reading/projection/people.ts';
import type { CounterOf, CountState, RangeCounter, Share } from '../reading/projection/share.ts';
import type { SeriesCounts, SeriesQuestion } from './model.ts';

class RangePeople {
  readonly people: Float64Array;
  readonly #starts: Int32Array;
  readonly #words: Int32Array;
  readonly #masks: Int32Array;

  constructor(ranges: SeriesQuestion['ranges']) {
    this.people = new Float64Array(ranges.length);
    const starts = [0];
    const words: number[] = [];
    const masks: number[] = [];
    for (const [from, before] of ranges) {
      for (let word = from >>> 5; word * 32 < before; word += 1) {
        const low = Math.max(0, from - word * 32);
        const high = Math.min(32, before - word * 32);
        if (high <= low) continue;
        words.push(word);
        masks.push(Number(BigInt.asIntN(32, (1n << BigInt(high)) - (1n << BigInt(low)))));
      }
      starts.push(words.length);
    }
    this.#starts = Int32Array.from(starts);
    this.#words = Int32Array.from(words);
    this.#masks = Int32Array.from(masks);
  }

  add(bits: PeopleBits, people: number): void {
    for (let person = 0; person < people; person += 1) this.#addPerson(bits, person);
  }

  #addPerson(bits: PeopleBits, person: number): void {
    for (let range = 0; range < this.people.length; range += 1) {
      const end = this.#starts[range + 1];
      for (let mask = this.#starts[range]; mask < end; mask += 1) {
        const active = bits.word(person, this.#words[mask]);
        if ((active & this.#masks[mask]) === 0) continue;
        this.people[range] += 1;
        break;
      }
    }
  }
}

export type ProjectedSeries = Pick<SeriesQuestion, 'boundariesUs' | 'ranges'> & {
  names: readonly string[] | null;
  /** Parts whose events the catalogue does not count. */
  counted: readonly boolean[];
};

export class SeriesCounter implements RangeCounter {
  readonly people: PeopleByRange;
  readonly #readers: ActivityReader[];
  readonly #counters: RangePeople[];
  readonly #ofAll: RangePeople;
  readonly #all: PeopleBits;
  readonly #hasSeveral: boolean;

  constructor({ parts, environment, ranges }: Share, question: ProjectedSeries) {
    const { names, counted, boundariesUs } = question;
    const buckets = new Buckets(boundariesUs);
    this.people = new PeopleByRange(
      parts.map(({ projection }) => projection),
      ranges,
    );
    this.#readers = (names ?? [null]).map(
      (name) =>
        new ActivityReader(parts, this.people, buckets.count, {
          environment,
          buckets,
          has: (section) => (name === null ? !isReserved(section.name) : section.name === name),
          isAnything: name === null,
          counts: (part) => at(counted, part),
        }),
    );
    this.#hasSeveral = this.#readers.length > 1;
    this.#counters = this.#readers.map(() => new RangePeople(question.ranges));
    this.#ofAll = new RangePeople(question.ranges);
    this.#all = new PeopleBits(buckets.count);
  }

  countRange(): void {
    const { capacity } = this.people;
    this.#all.clear(capacity);
    for (const [index, reader] of this.#readers.entries()) {
      reader.readRange();
      at(this.#counters, index).add(reader.activity.ofRange, this.people.people);
      if (this.#hasSeveral) this.#all.add(reader.activity.ofRange, this.people.people);
    }
    if (this.#hasSeveral) this.#ofAll.add(this.#all, this.people.people);
  }

  countStitched(): void {
    const { stitched } = this.people;
    this.#all.clear(stitched);
    for (const [index, { activity }] of this.#readers.entries()) {
      at(this.#counters, index).add(activity.ofStitched, stitched);
      this.#all.add(activity.ofStitched, stitched);
    }
    if (this.#hasSeveral) this.#ofAll.add(this.#all, stitched);
  }

  state(): CountState {
    const { stitched } = this.people;
    return {
      sums: [
        this.#ofAll.people,
        ...this.#counters.map(({ people }) => people),
        ...this.#readers.map(({ events }) => events),
      ],
      lists: [],
      bits: this.#readers.map(({ activity }) => activity.ofStitched.of(stitched)),
    };
  }

  counts(): { total: SeriesCounts; series: SeriesCounts[] } {
    const series = this.#readers.map(({ events }, index) => ({
      events: [...events],
      people: [...at(this.#counters, index).people],
    }));
    if (!this.#hasSeveral) return { total: at(series, 0), series };
    const events = Array.from(at(series, 0).events, (_, bucket) =>
      series.reduce((sum, one) => sum + at(one.events, bucket), 0),
    );
    return { total: { events, people: [...this.#ofAll.people] }, series };
  }
}

export const seriesCounter: CounterOf<ProjectedSeries> = (share, task) =>
  new SeriesCounter(share, task);

declare module '../reading/threads/messages.ts' {
  interface CountingTasks {
    series: ProjectedSeries;
  }
}
