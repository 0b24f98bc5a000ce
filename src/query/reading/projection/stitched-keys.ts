import { KEY_WORDS } from '../../../event-store/projections.ts';

export type StitchedIndex = {
  count: number;
  keys: Uint32Array;
  /** By device the number of its user; -1 for a key that is no device. */
  userOf: Int32Array;
};

export class StitchedKeys {
  readonly #index: StitchedIndex;
  #next = 0;

  constructor(index: StitchedIndex) {
    this.#index = index;
  }

  get count(): number {
    return this.#index.count;
  }

  get keys(): Uint32Array {
    return this.#index.keys;
  }

  advance(first: number, limit: number): [number, number] {
    const from = this.#skip(first);
    return [from, this.#skip(limit)];
  }

  #skip(limit: number): number {
    const { count, keys } = this.#index;
    while (this.#next < count && keys[this.#next * KEY_WORDS] < limit) {
      this.#next += 1;
    }
    return this.#next;
  }

  personOf(number: number, isAnonymous: boolean): number {
    const user = isAnonymous ? this.#index.userOf[number] : -1;
    return user === -1 ? number : user;
  }
}
