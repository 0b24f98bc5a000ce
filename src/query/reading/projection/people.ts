import { KEY_WORDS, type Projection } from '../../../event-store/projections.ts';
import { at } from '../../../shared/assert.ts';
import { type StitchedIndex, StitchedKeys } from './stitched-keys.ts';
import type { Turns } from './turns.ts';

const KEYS = 2 ** 32;
const UNKNOWN = -0x80000000;
const FREE = -1;
export const ABSENT = 0x7fffffff;

/** MD5 of an empty text. */
const NOBODY_KEY = [0xd41d8cd9, 0x8f00b204, 0xe9800998, 0xecf8427e] as const;

const isOfNobody = (keys: Uint32Array, entry: number): boolean =>
  keys[entry * KEY_WORDS] === NOBODY_KEY[0] &&
  NOBODY_KEY.every((word, index) => keys[entry * KEY_WORDS + index] === word);

export type Ranges = {
  stitched: StitchedIndex;
  count: number;
  turns: Turns;
};

export class Slice {
  readonly projection: Projection;
  from = 0;
  before = 0;
  #people = new Int32Array(0);

  constructor(projection: Projection) {
    this.projection = projection;
  }

  advance(first: number, limit: number): void {
    this.from = this.#find(this.before, first);
    this.before = this.#find(this.from, limit);
    const count = this.before - this.from;
    if (count > this.#people.length) this.#people = new Int32Array(2 * count);
    this.#people.fill(UNKNOWN, 0, count);
  }

  #find(start: number, limit: number): number {
    const { keys, entries } = this.projection;
    let low = start;
    let high = entries;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (keys[middle * KEY_WORDS] < limit) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  get(entry: number): number {
    return this.#people[entry - this.from];
  }

  set(entry: number, person: number): void {
    this.#people[entry - this.from] = person;
  }
}

/** A range fits into the caches. With late aliases: -1 - number, complete at the end. */
export class PeopleByRange {
  readonly slices: readonly Slice[];
  readonly #ranges: Ranges;
  readonly #stitched: StitchedKeys;
  /** Open addressing by the second word: the place of a key in `#keys`. */
  #table = new Int32Array(0);
  #mask = 0;
  #keys = new Uint32Array(0);
  #count = 0;
  #before = 0;
  #stitchedHere = 0;
  #stitchedFrom = 0;
  #dealt = 0;
  /** Keeps the engine from leaving out the reads. */
  #fetched = 0;

  constructor(projections: readonly Projection[], ranges: Ranges) {
    this.slices = projections.map((projection) => new Slice(projection));
    this.#stitched = new StitchedKeys(ranges.stitched);
    this.#ranges = ranges;
  }

  get stitched(): number {
    return this.#stitched.count;
  }

  get people(): number {
    return this.#count - this.#stitchedHere;
  }

  /** Entries of all ranges so far. */
  get dealt(): number {
    return this.#dealt;
  }

  /** Valid until the next range. */
  get keys(): Uint32Array {
    return this.#keys.subarray(this.#stitchedHere * KEY_WORDS, this.#count * KEY_WORDS);
  }

  get peopleBefore(): number {
    return this.#before;
  }

  get capacity(): number {
    return this.slices.reduce((sum, { from, before }) => sum + before - from, 0);
  }

  /** False after the last. */
  next(): boolean {
    const { count, turns } = this.#ranges;
    const range = turns.take();
    if (range >= count) return false;
    this.#before = this.people;
    const first = Math.floor((KEYS / count) * range);
    const limit = range === count - 1 ? KEYS : Math.floor((KEYS / count) * (range + 1));
    for (const slice of this.slices) slice.advance(first, limit);
    const [from, before] = this.#stitched.advance(first, limit);
    this.#dealt += this.capacity;
    this.#clear(this.capacity + before - from);
    const { keys } = this.#stitched;
    for (let stitched = from; stitched < before; stitched += 1) this.#place(keys, stitched, true);
    this.#stitchedFrom = from;
    this.#stitchedHere = before - from;
    return true;
  }

  #clear(keys: number): void {
    let size = 16;
    while (size < 2 * keys) size *= 2;
    if (size > this.#table.length) {
      this.#table = new Int32Array(size);
      this.#keys = new Uint32Array(size * (KEY_WORDS / 2));
    }
    this.#mask = size - 1;
    this.#table.fill(FREE, 0, size);
    this.#count = 0;
  }

  /** `FREE` of a new one that is not added. */
  #place(keys: Uint32Array, entry: number, isAdded: boolean): number {
    const a = keys[entry * KEY_WORDS];
    const b = keys[entry * KEY_WORDS + 1];
    const c = keys[entry * KEY_WORDS + 2];
    const d = keys[entry * KEY_WORDS + 3];
    const known = this.#keys;
    let slot = b & this.#mask;
    for (;;) {
      const place = this.#table[slot];
      if (place === FREE) break;
      const offset = place * KEY_WORDS;
      if (
        known[offset + 1] === b &&
        known[offset] === a &&
        known[offset + 2] === c &&
        known[offset + 3] === d
      ) {
        return place;
      }
      slot = (slot + 1) & this.#mask;
    }
    if (!isAdded) return FREE;
    const place = this.#count;
    this.#table[slot] = place;
    known[place * KEY_WORDS] = a;
    known[place * KEY_WORDS + 1] = b;
    known[place * KEY_WORDS + 2] = c;
    known[place * KEY_WORDS + 3] = d;
    this.#count = place + 1;
    return place;
  }

  /** Brings many keys into the caches at once: one by one, rows of rare events mostly wait. */
  fetch(slice: Slice, entries: Int32Array, count: number): void {
    const { keys } = slice.projection;
    let fetched = 0;
    for (let row = 0; row < count; row += 1) fetched ^= keys[entries[row] * KEY_WORDS];
    this.#fetched ^= fetched;
  }

  personOf(slice: Slice, entry: number): number {
    const known = slice.get(entry);
    if (known !== UNKNOWN) return known;
    return this.#look(slice, entry, true);
  }

  knownPersonOf(slice: Slice, entry: number): number {
    const known = slice.get(entry);
    if (known !== UNKNOWN) return known;
    return this.#look(slice, entry, false);
  }

  #look(slice: Slice, entry: number, isAdded: boolean): number {
    const { keys, profileOf, profiles } = slice.projection;
    if (isOfNobody(keys, entry)) return ABSENT;
    const place = this.#place(keys, entry, isAdded);
    if (place === FREE) return ABSENT;
    let person = place - this.#stitchedHere;
    if (person < 0) {
      const { isAnonymous } = at(profiles, profileOf[entry]);
      person = -1 - this.#stitched.personOf(this.#stitchedFrom + place, isAnonymous);
    }
    slice.set(entry, person);
    return person;
  }
}
