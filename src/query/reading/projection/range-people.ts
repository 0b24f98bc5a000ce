import type { PeopleBits } from './activity.ts';

/** Distinct people of each range of buckets. */
export class RangePeople {
  readonly people: Float64Array;
  readonly #starts: Int32Array;
  readonly #words: Int32Array;
  readonly #masks: Int32Array;

  constructor(ranges: readonly (readonly [number, number])[]) {
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
