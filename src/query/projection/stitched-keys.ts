import { type AppAlias, keyWords, orderByFirstWord } from '../../event-store/read.ts';
import { outside } from '../../shared/assert.ts';

const KEY_WORDS = 4;

/** The keys of late aliases' devices and users, in ascending order; each is a person's number. */
export class StitchedKeys {
  readonly count: number;
  /** Four words each. */
  readonly keys: Uint32Array;
  /** By device the number of its user; -1 for a key that is no device. */
  readonly #userOf: Int32Array;
  #next = 0;

  constructor(aliases: readonly AppAlias[]) {
    const ids = new Set<string>();
    for (const { anonymousId, userId } of aliases) ids.add(anonymousId).add(userId);
    const unordered = [...ids];
    this.count = unordered.length;
    const keys = new Uint32Array(this.count * KEY_WORDS);
    for (const [place, id] of unordered.entries()) keys.set(keyWords(id), place * KEY_WORDS);
    this.keys = new Uint32Array(keys.length);
    this.#userOf = new Int32Array(this.count).fill(-1);
    const numbers = new Map<string, number>();
    for (const [number, place] of orderByFirstWord(keys).entries()) {
      const offset = place * KEY_WORDS;
      this.keys.set(keys.subarray(offset, offset + KEY_WORDS), number * KEY_WORDS);
      numbers.set(unordered[place] ?? outside(), number);
    }
    for (const { anonymousId, userId } of aliases) {
      this.#userOf[numbers.get(anonymousId) ?? outside()] = numbers.get(userId) ?? outside();
    }
  }

  /** Goes on to the keys before `limit`: the numbers from the first up to, not including, the second. */
  advance(limit: number): [number, number] {
    const from = this.#next;
    while (this.#next < this.count && (this.keys[this.#next * KEY_WORDS] ?? outside()) < limit) {
      this.#next += 1;
    }
    return [from, this.#next];
  }

  /** Whose the events with a key are: without a user named, those of a device are its user's. */
  personOf(number: number, isAnonymous: boolean): number {
    const user = isAnonymous ? (this.#userOf[number] ?? outside()) : -1;
    return user === -1 ? number : user;
  }
}
