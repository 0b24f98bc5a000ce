import { isReserved } from '../../event-store/read.ts';
import { at, outside } from '../../shared/assert.ts';
import { ActivityReader, PeopleBits } from '../projection/activity.ts';
import { Buckets } from '../projection/buckets.ts';
import { Pace } from '../projection/pace.ts';
import type { Part } from '../projection/parts.ts';
import { PeopleByRange } from '../projection/people.ts';
import type { EventSource } from '../source.ts';
import type { SeriesCounts, SeriesQuestion } from './model.ts';

/** Counts the people of each range of buckets. */
class RangeCounter {
  readonly people: Float64Array;
  /** Of each range the first of its masks below. */
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
      const end = this.#starts[range + 1] ?? outside();
      for (let mask = this.#starts[range] ?? outside(); mask < end; mask += 1) {
        const active = bits.word(person, this.#words[mask] ?? outside());
        if ((active & (this.#masks[mask] ?? outside())) === 0) continue;
        this.people[range] = (this.people[range] ?? outside()) + 1;
        break;
      }
    }
  }
}

type Split = {
  /** A series each; one of all that clients sent when null. */
  names: readonly string[] | null;
  /** The parts whose events the catalogue does not count. */
  counts: (part: Part) => boolean;
};

/**
 * People and events of series by name from projections: one of each name, or one of everything, and
 * of all together.
 */
export async function countProjected(
  parts: readonly Part[],
  source: EventSource,
  { boundariesUs, ranges }: Pick<SeriesQuestion, 'boundariesUs' | 'ranges'>,
  { names, counts }: Split,
  checkTime: () => void,
): Promise<{ total: SeriesCounts; series: SeriesCounts[] }> {
  const buckets = new Buckets(boundariesUs);
  const people = new PeopleByRange(
    parts.map(({ projection }) => projection),
    source.lateAliases,
  );
  const readers = (names ?? [null]).map(
    (name) =>
      new ActivityReader(parts, people, buckets.count, {
        source,
        buckets,
        has: (section) => (name === null ? !isReserved(section.name) : section.name === name),
        isAnything: name === null,
        counts,
      }),
  );
  const counters = readers.map(() => new RangeCounter(ranges));
  const ofAll = new RangeCounter(ranges);
  const all = new PeopleBits(buckets.count);
  const pace = new Pace(checkTime);
  while (people.next()) {
    all.clear(people.capacity);
    for (const [index, reader] of readers.entries()) {
      reader.readRange();
      at(counters, index).add(reader.activity.ofRange, people.people);
      if (readers.length > 1) all.add(reader.activity.ofRange, people.people);
      await pace.turn();
    }
    if (readers.length > 1) ofAll.add(all, people.people);
  }
  all.clear(people.stitched);
  for (const [index, { activity }] of readers.entries()) {
    at(counters, index).add(activity.ofStitched, people.stitched);
    all.add(activity.ofStitched, people.stitched);
  }
  if (readers.length > 1) ofAll.add(all, people.stitched);
  const series = readers.map(({ events }, index) => ({
    events: [...events],
    people: [...at(counters, index).people],
  }));
  if (readers.length === 1) return { total: at(series, 0), series };
  const events = boundariesUs
    .slice(1)
    .map((_, bucket) => series.reduce((sum, one) => sum + at(one.events, bucket), 0));
  return { total: { events, people: [...ofAll.people] }, series };
}
