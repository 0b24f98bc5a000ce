import { at } from '../../shared/assert.ts';
import { PeopleBits } from '../reading/projection/activity.ts';
import { ABSENT, PeopleByRange, type Slice } from '../reading/projection/people.ts';
import { RowBuffer, SectionReader } from '../reading/projection/rows.ts';
import type {
  CountedPart,
  CounterOf,
  CountState,
  RangeCounter,
  Share,
} from '../reading/projection/share.ts';

export type SummaryValues = {
  names: readonly string[];
  platforms: readonly string[];
  versions: readonly string[];
  noPlatform: string;
  noVersion: string;
};

class ProfileBits {
  readonly count: number;
  readonly #places: Map<string, number>;
  readonly #values: SummaryValues;

  constructor(values: SummaryValues) {
    this.#values = values;
    const { platforms, versions } = values;
    this.count = 1 + platforms.length + versions.length;
    const all = [
      ...platforms.map((platform) => `platform ${platform}`),
      ...versions.map((version) => `version ${version}`),
    ];
    this.#places = new Map(all.map((name, place) => [name, place + 1]));
  }

  /** None for people without client events. */
  of({ projection }: CountedPart): number[][] {
    const { noPlatform, noVersion } = this.#values;
    return projection.profiles.map(({ platforms, versions }) => {
      if (platforms.length === 0) return [];
      const names = [
        ...platforms.map((platform) => `platform ${platform ?? noPlatform}`),
        ...versions.map((version) => `version ${version ?? noVersion}`),
      ];
      return [0, ...names.flatMap((name) => this.#places.get(name) ?? [])];
    });
  }
}

type Track = {
  slice: Slice;
  bitsOf: number[][];
  readers: (SectionReader | null)[];
};

function createTrack(
  { projection }: CountedPart,
  slice: Slice,
  names: readonly string[],
  bitsOf: number[][],
): Track {
  const readers = names.map((name) => {
    const section = projection.sections.find((one) => one.name === name && !one.isDevelopment);
    return section && section.rows > 0 ? new SectionReader(section, projection.baseUs) : null;
  });
  return { slice, bitsOf, readers };
}

export class SummaryCounter implements RangeCounter {
  readonly #counts: Float64Array;
  readonly people: PeopleByRange;
  readonly #names: number;
  readonly #profiles: PeopleBits;
  readonly #stitched: PeopleBits;
  readonly #tracks: Track[];
  readonly #buffer = new RowBuffer();
  #seen = new Int32Array(0);

  constructor({ parts, ranges }: Share, values: SummaryValues) {
    this.people = new PeopleByRange(
      parts.map(({ projection }) => projection),
      ranges,
    );
    const bits = new ProfileBits(values);
    this.#names = values.names.length;
    this.#counts = new Float64Array(this.#names + bits.count);
    this.#profiles = new PeopleBits(bits.count);
    this.#stitched = new PeopleBits(this.#counts.length);
    this.#stitched.clear(this.people.stitched);
    this.#tracks = parts.map((part, index) =>
      createTrack(part, at(this.people.slices, index), values.names, bits.of(part)),
    );
  }

  countRange(): void {
    const { capacity } = this.people;
    this.#profiles.clear(capacity);
    for (const track of this.#tracks) this.#mark(track);
    this.#add(this.#profiles, this.people.people, this.#names);
    if (this.#seen.length < capacity) this.#seen = new Int32Array(2 * capacity);
    this.#seen.fill(-1, 0, capacity);
    for (let name = 0; name < this.#names; name += 1) {
      for (const track of this.#tracks) this.#countName(track, name);
    }
  }

  countStitched(): void {
    this.#add(this.#stitched, this.people.stitched, 0);
  }

  state(): CountState {
    const { stitched } = this.people;
    return { sums: [this.#counts], lists: [], bits: [this.#stitched.of(stitched)] };
  }

  counts(): number[] {
    const names = [...this.#counts.subarray(0, this.#names)];
    const [everybody = 0, ...others] = this.#counts.subarray(this.#names);
    return [everybody, ...names, ...others];
  }

  #mark({ slice, bitsOf }: Track): void {
    const { profileOf } = slice.projection;
    for (let entry = slice.from; entry < slice.before; entry += 1) {
      const bits = bitsOf[profileOf[entry]];
      if (bits.length === 0) continue;
      const person = this.people.personOf(slice, entry);
      for (const bit of bits) {
        if (person >= 0) this.#profiles.set(person, bit);
        else this.#stitched.set(-1 - person, this.#names + bit);
      }
    }
  }

  #countName({ slice, readers }: Track, name: number): void {
    const reader = readers[name];
    if (!reader) return;
    const { entries } = this.#buffer;
    const seen = this.#seen;
    let people = 0;
    for (;;) {
      const count = reader.readEntries(slice, this.#buffer);
      if (count === 0) break;
      for (let row = 0; row < count; row += 1) {
        const person = this.people.personOf(slice, entries[row]);
        if (person < 0) this.#stitched.set(-1 - person, name);
        else if (person !== ABSENT && seen[person] !== name) {
          seen[person] = name;
          people += 1;
        }
      }
    }
    this.#counts[name] += people;
  }

  #add(bits: PeopleBits, people: number, first: number): void {
    for (let person = 0; person < people; person += 1) {
      for (let word = 0; word < bits.words; word += 1) {
        let left = bits.word(person, word);
        while (left !== 0) {
          const bit = 31 - Math.clz32(left);
          left &= ~(1 << bit);
          const place = first + word * 32 + bit;
          this.#counts[place] += 1;
        }
      }
    }
  }
}

export const summaryCounter: CounterOf<SummaryValues> = (share, task) =>
  new SummaryCounter(share, task);

declare module '../reading/threads/messages.ts' {
  interface CountingTasks {
    summary: SummaryValues;
  }
}
