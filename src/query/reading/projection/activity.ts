import type { Projection, Section } from '../../../event-store/projections.ts';
import { at } from '../../../shared/assert.ts';
import type { EnvironmentScope } from '../../../shared/environment.ts';
import type { RowTest } from '../../selection/row-test.ts';
import { isCounted } from '../source/files.ts';
import { type Buckets, OUTSIDE } from './buckets.ts';
import type { PeopleByRange, Slice } from './people.ts';
import { profilesThatHold } from './row-matcher.ts';
import { RowBuffer } from './rows.ts';
import { type SectionRows, wantedSections } from './sections.ts';
import type { CountedPart } from './share.ts';

const WORD_BITS = 32;

export class PeopleBits {
  readonly words: number;
  #bits = new Int32Array(0);

  constructor(bits: number) {
    this.words = Math.ceil(bits / WORD_BITS);
  }

  clear(people: number): void {
    const length = people * this.words;
    if (length > this.#bits.length) this.#bits = new Int32Array(2 * length);
    else this.#bits.fill(0, 0, length);
  }

  set(person: number, bit: number): void {
    const word = person * this.words + (bit >>> 5);
    this.#bits[word] |= 1 << (bit & 31);
  }

  word(person: number, word: number): number {
    return this.#bits[person * this.words + word];
  }

  of(people: number): Int32Array {
    return this.#bits.subarray(0, people * this.words);
  }

  add(other: PeopleBits, people: number): void {
    for (let word = 0; word < people * this.words; word += 1) {
      this.#bits[word] |= other.#bits[word];
    }
  }
}

/** Active buckets of a range's people and of people with late aliases. */
export class Activity {
  readonly ofRange: PeopleBits;
  readonly ofStitched: PeopleBits;

  constructor(bits: number, stitched: number) {
    this.ofRange = new PeopleBits(bits);
    this.ofStitched = new PeopleBits(bits);
    this.ofStitched.clear(stitched);
  }

  mark(person: number, bit: number): void {
    if (person >= 0) this.ofRange.set(person, bit);
    else this.ofStitched.set(-1 - person, bit);
  }
}

type Track = {
  slice: Slice;
  sections: readonly SectionRows[];
  /** Bucket of all that is wanted; null where rows have to be read. */
  bucket: number | null;
  hasSent: Uint8Array | null;
  isCounted: boolean;
};

export type Wanted = {
  environment: EnvironmentScope;
  buckets: Buckets;
  has: (section: Section) => boolean;
  test: RowTest | null;
  isAnything: boolean;
  counts?: (part: number) => boolean;
};

export class ActivityReader {
  readonly activity: Activity;
  readonly events: Float64Array;
  readonly #people: PeopleByRange;
  readonly #buckets: Buckets;
  readonly #tracks: Track[];
  readonly #buffer = new RowBuffer();

  constructor(parts: readonly CountedPart[], people: PeopleByRange, bits: number, wanted: Wanted) {
    this.#people = people;
    this.#buckets = wanted.buckets;
    this.activity = new Activity(bits, people.stitched);
    this.events = new Float64Array(wanted.buckets.count);
    this.#tracks = parts.map((part, index) =>
      trackOf(part, index, at(people.slices, index), wanted),
    );
  }

  readRange(): void {
    this.activity.ofRange.clear(this.#people.capacity);
    for (const { slice, sections, bucket, hasSent, isCounted } of this.#tracks) {
      if (bucket === null || hasSent === null) {
        for (const section of sections) this.#readRows(slice, section, isCounted);
      } else if (bucket !== OUTSIDE) this.#readEntries(slice, hasSent, bucket);
    }
  }

  #readEntries(slice: Slice, hasSent: Uint8Array, bucket: number): void {
    const { profileOf } = slice.projection;
    for (let entry = slice.from; entry < slice.before; entry += 1) {
      if (hasSent[profileOf[entry]] === 0) continue;
      this.activity.mark(this.#people.personOf(slice, entry), bucket);
    }
  }

  #readRows(slice: Slice, { reader, matcher }: SectionRows, isCounted: boolean): void {
    const { entries, times } = this.#buffer;
    for (;;) {
      const count = reader.read(slice, this.#buffer);
      if (count === 0) return;
      const passes = matcher?.match(this.#buffer, count);
      for (let row = 0; row < count; row += 1) {
        if (passes?.[row] === 0) continue;
        const bucket = this.#buckets.of(times[row]);
        if (bucket === OUTSIDE) continue;
        const entry = entries[row];
        this.activity.mark(this.#people.personOf(slice, entry), bucket);
        if (isCounted) this.events[bucket] += 1;
      }
    }
  }
}

function hasSentOf({ profiles }: Projection, wanted: Uint8Array | null): Uint8Array {
  return Uint8Array.from(profiles, ({ platforms }, profile) =>
    platforms.length > 0 && (wanted === null || wanted[profile] === 1) ? 1 : 0,
  );
}

function trackOf(part: CountedPart, index: number, slice: Slice, wanted: Wanted): Track {
  const { environment, buckets, isAnything, counts, test } = wanted;
  const { projection, file } = part;
  const isOfCatalogue = file !== null && isCounted({ environment }, file);
  const isToCount = counts?.(index) ?? false;
  const bucket = file && isAnything && isOfCatalogue && !isToCount ? buckets.ofFile(file) : null;
  const profiles = test && profilesThatHold(test, projection);
  const isByProfile = test === null || profiles !== null;
  return {
    slice,
    sections: wantedSections(part, wanted),
    bucket,
    hasSent: isByProfile ? hasSentOf(projection, profiles) : null,
    isCounted: isToCount,
  };
}
