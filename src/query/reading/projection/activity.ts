import type { Section } from '../../../event-store/projections.ts';
import { at } from '../../../shared/assert.ts';
import type { EnvironmentScope } from '../../../shared/environment.ts';
import { inScope, isCounted } from '../files.ts';
import { type Buckets, OUTSIDE } from './buckets.ts';
import type { PeopleByRange, Slice } from './people.ts';
import { RowBuffer, SectionReader } from './rows.ts';
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
  readers: SectionReader[];
  /** Bucket of all senders; null where rows have to be read. */
  bucket: number | null;
  isCounted: boolean;
};

export type Wanted = {
  environment: EnvironmentScope;
  buckets: Buckets;
  has: (section: Section) => boolean;
  /** All client events count, so that being among a file's people may suffice. */
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
    for (const track of this.#tracks) {
      if (track.bucket === null) this.#readRows(track);
      else if (track.bucket !== OUTSIDE) this.#readEntries(track, track.bucket);
    }
  }

  #readEntries({ slice }: Track, bucket: number): void {
    const { profileOf, profiles } = slice.projection;
    const isSender = profiles.map(({ platforms }) => platforms.length > 0);
    for (let entry = slice.from; entry < slice.before; entry += 1) {
      if (!isSender[profileOf[entry]]) continue;
      this.activity.mark(this.#people.personOf(slice, entry), bucket);
    }
  }

  #readRows({ slice, readers, isCounted }: Track): void {
    const { entries, times } = this.#buffer;
    for (const reader of readers) {
      for (;;) {
        const count = reader.read(slice, this.#buffer);
        if (count === 0) break;
        for (let row = 0; row < count; row += 1) {
          const bucket = this.#buckets.of(times[row]);
          if (bucket === OUTSIDE) continue;
          const entry = entries[row];
          this.activity.mark(this.#people.personOf(slice, entry), bucket);
          if (isCounted) this.events[bucket] += 1;
        }
      }
    }
  }
}

function trackOf(part: CountedPart, index: number, slice: Slice, wanted: Wanted): Track {
  const { environment, buckets, has, isAnything, counts } = wanted;
  const { projection, file } = part;
  const isOfCatalogue = file !== null && isCounted({ environment }, file);
  const isToCount = counts?.(index) ?? false;
  const bucket = file && isAnything && isOfCatalogue && !isToCount ? buckets.ofFile(file) : null;
  const sections = projection.sections.filter(
    (section) => section.rows > 0 && inScope(environment, section) && has(section),
  );
  return {
    slice,
    readers: sections.map((section) => new SectionReader(section, projection.baseUs)),
    bucket,
    isCounted: isToCount,
  };
}
