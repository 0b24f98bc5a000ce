import type { PeopleBits } from './activity.ts';

const WORD_BITS = 32;
const NONE = -1;

type Range = readonly [number, number];

class SingleBuckets {
  readonly #rangeOf: Int32Array;
  readonly #masks: Int32Array;

  constructor(ranges: ReadonlyMap<number, number>) {
    const words = Math.ceil((Math.max(-1, ...ranges.keys()) + 1) / WORD_BITS);
    this.#rangeOf = new Int32Array(words * WORD_BITS).fill(NONE);
    this.#masks = new Int32Array(words);
    for (const [bucket, range] of ranges) {
      this.#rangeOf[bucket] = range;
      this.#masks[bucket >>> 5] |= 1 << (bucket & 31);
    }
  }

  add(bits: PeopleBits, from: number, step: number, before: number, counts: Float64Array): void {
    const [rangeOf, masks] = [this.#rangeOf, this.#masks];
    const words = masks.length;
    for (let place = from; place < before; place += step) {
      for (let word = 0; word < words; word += 1) {
        let left = bits.word(place, word) & masks[word];
        while (left !== 0) {
          const range = rangeOf[word * WORD_BITS + 31 - Math.clz32(left & -left)];
          counts[range] += 1;
          left &= left - 1;
        }
      }
    }
  }
}

class WideRanges {
  readonly #ranges: Int32Array;
  readonly #starts: Int32Array;
  readonly #words: Int32Array;
  readonly #masks: Int32Array;

  constructor(ranges: ReadonlyMap<number, Range>) {
    const starts = [0];
    const words: number[] = [];
    const masks: number[] = [];
    for (const [from, before] of ranges.values()) {
      for (let word = from >>> 5; word * WORD_BITS < before; word += 1) {
        const low = Math.max(0, from - word * WORD_BITS);
        const high = Math.min(WORD_BITS, before - word * WORD_BITS);
        if (high <= low) continue;
        words.push(word);
        masks.push(Number(BigInt.asIntN(32, (1n << BigInt(high)) - (1n << BigInt(low)))));
      }
      starts.push(words.length);
    }
    this.#ranges = Int32Array.from(ranges.keys());
    this.#starts = Int32Array.from(starts);
    this.#words = Int32Array.from(words);
    this.#masks = Int32Array.from(masks);
  }

  add(bits: PeopleBits, from: number, step: number, before: number, counts: Float64Array): void {
    const [ranges, starts, words, masks] = [this.#ranges, this.#starts, this.#words, this.#masks];
    if (ranges.length === 0) return;
    for (let place = from; place < before; place += step) {
      for (let range = 0; range < ranges.length; range += 1) {
        const end = starts[range + 1];
        for (let mask = starts[range]; mask < end; mask += 1) {
          if ((bits.word(place, words[mask]) & masks[mask]) === 0) continue;
          counts[ranges[range]] += 1;
          break;
        }
      }
    }
  }
}

export class RangePeople {
  readonly people: Float64Array;
  readonly #singles: SingleBuckets;
  readonly #wide: WideRanges;

  constructor(ranges: readonly Range[]) {
    this.people = new Float64Array(ranges.length);
    const singles = new Map<number, number>();
    const wide = new Map<number, Range>();
    for (const [index, range] of ranges.entries()) {
      const [from, before] = range;
      if (before - from === 1 && !singles.has(from)) singles.set(from, index);
      else wide.set(index, range);
    }
    this.#singles = new SingleBuckets(singles);
    this.#wide = new WideRanges(wide);
  }

  add(bits: PeopleBits, people: number, { first = 0, step = 1 } = {}): void {
    const before = people * step;
    this.#singles.add(bits, first, step, before, this.people);
    this.#wide.add(bits, first, step, before, this.people);
  }
}
