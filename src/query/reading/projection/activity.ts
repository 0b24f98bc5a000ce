import type { PeopleByRange } from './people.ts';

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

  markAt(person: number, place: number, bit: number): void {
    if (person >= 0) this.ofRange.set(person * this.places + place, bit);
    else this.ofStitched.set((-1 - person) * this.places + place, bit);
  }

  get stitchedBits(): Int32Array {
    return this.ofStitched.of(this.#stitched * this.places);
  }
}
