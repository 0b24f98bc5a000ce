import type { Projection, Section } from '../../../event-store/projections.ts';
import { at } from '../../../shared/assert.ts';
import type { EnvironmentScope } from '../../../shared/environment.ts';
import type { RowTest } from '../../selection/row-test.ts';
import { isCounted } from '../source/files.ts';
import { BucketedRows } from './bucketed-rows.ts';
import { type Buckets, OUTSIDE } from './buckets.ts';
import { ABSENT, type PeopleByRange, type Slice } from './people.ts';
import { profilesThatHold } from './row-matcher.ts';
import { type SectionRows, wantedSections } from './sections.ts';
import type { CountedPart } from './share.ts';

const WORD_BITS = 32;

export class PeopleBits {
  readonly words: number;
  #bits = new Int32Array(0);

  constructor(bits: number) {
    this.words = Math.ceil(bits / WORD_BITS);
  }

  clear(people: number, marked = people): void {
    const length = people * this.words;
    if (length > this.#bits.length) this.#bits = new Int32Array(2 * length);
    else this.#bits.fill(0, 0, marked * this.words);
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

  add(other: PeopleBits, people: number, places: number): void {
    const words = this.words;
    for (let person = 0; person < people; person += 1) {
      for (let word = 0; word < words; word += 1) {
        let united = this.#bits[person * words + word];
        for (let place = 0; place < places; place += 1) {
          united |= other.#bits[(person * places + place) * words + word];
        }
        this.#bits[person * words + word] = united;
      }
    }
  }
}

export class Activity {
  readonly ofRange: PeopleBits;
  readonly ofStitched: PeopleBits;
  readonly places: number;
  readonly #stitched: number;

  constructor(bits: number, stitched: number, places = 1) {
    this.ofRange = new PeopleBits(bits);
    this.ofStitched = new PeopleBits(bits);
    this.ofStitched.clear(stitched * places);
    this.places = places;
    this.#stitched = stitched;
  }

  clearRange({ capacity, peopleBefore }: PeopleByRange): void {
    this.ofRange.clear(capacity * this.places, peopleBefore * this.places);
  }

  mark(person: number, bit: number): void {
    if (person >= 0) this.ofRange.set(person, bit);
    else this.ofStitched.set(-1 - person, bit);
  }

  markAt(person: number, place: number, bit: number): void {
    if (person >= 0) this.ofRange.set(person * this.places + place, bit);
    else this.ofStitched.set((-1 - person) * this.places + place, bit);
  }

  get stitchedBits(): Int32Array {
    return this.ofStitched.of(this.#stitched * this.places);
  }
}

/** Of people and events, by place and bucket. */
export type PlacedReader = {
  readRange: () => void;
  activity: Activity;
  events: readonly Float64Array[];
};

type Track = {
  slice: Slice;
  sections: readonly SectionRows[];
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
  countsNobody?: boolean;
};

export class ActivityReader {
  readonly activity: Activity;
  readonly events: readonly [Float64Array];
  readonly #people: PeopleByRange;
  readonly #tracks: Track[];
  readonly #rows: BucketedRows;
  readonly #countsNobody: boolean;

  constructor(parts: readonly CountedPart[], people: PeopleByRange, bits: number, wanted: Wanted) {
    this.#people = people;
    this.#countsNobody = wanted.countsNobody ?? true;
    this.#rows = new BucketedRows(wanted.buckets);
    this.activity = new Activity(bits, people.stitched);
    this.events = [new Float64Array(wanted.buckets.count)];
    this.#tracks = parts.map((part, index) =>
      openTrack(part, index, at(people.slices, index), wanted),
    );
  }

  readRange(): void {
    this.activity.clearRange(this.#people);
    for (const track of this.#tracks) {
      const { slice, sections, bucket, hasSent } = track;
      if (bucket === OUTSIDE) continue;
      if (bucket !== null && hasSent !== null) this.#readEntries(slice, hasSent, bucket);
      else for (const section of sections) this.#readRows(track, section);
    }
  }

  #readEntries(slice: Slice, hasSent: Uint8Array, bucket: number): void {
    const { profileOf } = slice.projection;
    for (let entry = slice.from; entry < slice.before; entry += 1) {
      if (hasSent[profileOf[entry]] === 0) continue;
      this.activity.mark(this.#people.personOf(slice, entry), bucket);
    }
  }

  #readRows({ slice, bucket, isCounted }: Track, { reader, matcher }: SectionRows): void {
    const { rows, buckets } = this.#rows;
    const { entries } = rows;
    const [events] = this.events;
    for (;;) {
      const count = this.#rows.read(reader, slice, bucket);
      if (count === 0) return;
      const passes = matcher?.match(rows, count) ?? null;
      this.#people.fetch(slice, entries, count);
      for (let row = 0; row < count; row += 1) {
        const bucket = buckets[row];
        if (bucket === OUTSIDE || (passes !== null && passes[row] === 0)) continue;
        const person = this.#people.personOf(slice, entries[row]);
        this.activity.mark(person, bucket);
        if (isCounted && (person !== ABSENT || this.#countsNobody)) events[bucket] += 1;
      }
    }
  }
}

function findSenders({ profiles }: Projection, wanted: Uint8Array | null): Uint8Array {
  return Uint8Array.from(profiles, ({ platforms }, profile) =>
    platforms.length > 0 && (wanted === null || wanted[profile] === 1) ? 1 : 0,
  );
}

/** Of a file within one bucket, whoever sent anything; null where rows say more. */
export function sendersOf(
  { projection, file }: CountedPart,
  { environment, test, isAnything }: Pick<Wanted, 'environment' | 'isAnything' | 'test'>,
): Uint8Array | null {
  if (!isAnything || file === null || !isCounted({ environment }, file)) return null;
  const profiles = test && profilesThatHold(test, projection);
  return test === null || profiles !== null ? findSenders(projection, profiles) : null;
}

function openTrack(part: CountedPart, index: number, slice: Slice, wanted: Wanted): Track {
  const { buckets, counts } = wanted;
  const isToCount = counts?.(index) ?? false;
  return {
    slice,
    sections: wantedSections(part, wanted),
    bucket: part.file && buckets.ofFile(part.file),
    hasSent: isToCount ? null : sendersOf(part, wanted),
    isCounted: isToCount,
  };
}
