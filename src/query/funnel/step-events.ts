import type { PersonEvents } from './fold.ts';
import { MAX_FUNNEL_STEPS } from './model.ts';

const INSERTION_MAX = 64;
const STEPS = (1 << MAX_FUNNEL_STEPS) - 1;

export const withCode = (mask: number, code: number): number => mask | (code << MAX_FUNNEL_STEPS);

export type CodedEvents = PersonEvents & { codes: Int32Array };

export const isKeptStart = (mask: number, hasCodes: boolean): boolean =>
  (mask & 1) !== 0 && (!hasCodes || mask >>> MAX_FUNNEL_STEPS !== 0);

/** A mask may carry a code. */
export class StepEvents {
  #people = new Int32Array(1_024);
  #times = new Float64Array(1_024);
  #masks = new Int32Array(1_024);
  #count = 0;
  #starts = new Int32Array(0);
  #groupedTimes = new Float64Array(0);
  #groupedMasks = new Int32Array(0);
  readonly #isCoded: boolean;
  readonly #one: CodedEvents = {
    times: new Float64Array(INSERTION_MAX),
    masks: new Int32Array(INSERTION_MAX),
    codes: new Int32Array(INSERTION_MAX),
    count: 0,
  };

  constructor(isCoded = false) {
    this.#isCoded = isCoded;
  }

  clear(): void {
    this.#count = 0;
  }

  add(person: number, time: number, mask: number): void {
    if (this.#count === this.#people.length) this.#grow();
    this.#people[this.#count] = person;
    this.#times[this.#count] = time;
    this.#masks[this.#count] = mask;
    this.#count += 1;
  }

  #grow(): void {
    const length = 2 * this.#people.length;
    const [people, times, masks] = [this.#people, this.#times, this.#masks];
    this.#people = new Int32Array(length);
    this.#people.set(people);
    this.#times = new Float64Array(length);
    this.#times.set(times);
    this.#masks = new Int32Array(length);
    this.#masks.set(masks);
  }

  group(people: number): void {
    const count = this.#count;
    if (people + 2 > this.#starts.length) this.#starts = new Int32Array(2 * (people + 2));
    const starts = this.#starts.fill(0, 0, people + 2);
    if (count > this.#groupedTimes.length) {
      this.#groupedTimes = new Float64Array(this.#people.length);
      this.#groupedMasks = new Int32Array(this.#people.length);
    }
    for (let index = 0; index < count; index += 1) {
      const place = this.#people[index] + 2;
      starts[place] += 1;
    }
    for (let place = 2; place < people + 2; place += 1) {
      starts[place] += starts[place - 1];
    }
    for (let index = 0; index < count; index += 1) {
      const place = this.#people[index] + 1;
      const target = starts[place];
      this.#groupedTimes[target] = this.#times[index];
      this.#groupedMasks[target] = this.#masks[index];
      starts[place] = target + 1;
    }
  }

  of(person: number): CodedEvents {
    const start = this.#starts[person];
    const count = this.#starts[person + 1] - start;
    if (count > INSERTION_MAX) return this.#sorted(start, count);
    const { times, masks } = this.#one;
    for (let index = 0; index < count; index += 1) {
      const time = this.#groupedTimes[start + index];
      let target = index;
      while (target > 0) {
        const before = times[target - 1];
        if (before <= time) break;
        times[target] = before;
        masks[target] = masks[target - 1];
        target -= 1;
      }
      times[target] = time;
      masks[target] = this.#groupedMasks[start + index];
    }
    this.#one.count = count;
    if (this.#isCoded) unpack(this.#one);
    return this.#one;
  }

  #sorted(start: number, count: number): CodedEvents {
    const times = this.#groupedTimes.subarray(start, start + count);
    const masks = this.#groupedMasks.subarray(start, start + count);
    const order = Array.from({ length: count }, (_, index) => index).sort(
      (a, b) => times[a] - times[b],
    );
    const sorted = {
      times: Float64Array.from(order, (index) => times[index]),
      masks: Int32Array.from(order, (index) => masks[index]),
      codes: new Int32Array(count),
      count,
    };
    if (this.#isCoded) unpack(sorted);
    return sorted;
  }
}

function unpack({ masks, codes, count }: CodedEvents): void {
  for (let index = 0; index < count; index += 1) {
    codes[index] = masks[index] >>> MAX_FUNNEL_STEPS;
    masks[index] &= STEPS;
  }
}
