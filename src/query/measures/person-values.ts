import { Numbers } from '../reading/projection/numbers.ts';
import type { MeasuresQuestion } from './model.ts';
import { lowerHalf, roundedAway, upperHalf, type ValueSums } from './value-sums.ts';

/** Slots in which a value of a slot of place and bucket counts: of its ranges, and of all places. */
function slotsOfValues({ boundariesUs, ranges }: MeasuresQuestion, places: number) {
  const targets: number[] = [];
  const starts = [0];
  for (let place = 0; place < places; place += 1) {
    for (let bucket = 0; bucket < boundariesUs.length - 1; bucket += 1) {
      for (const [range, [from, before]] of ranges.entries()) {
        if (bucket < from || bucket >= before) continue;
        targets.push(place * ranges.length + range);
        if (places > 1) targets.push(places * ranges.length + range);
      }
      starts.push(targets.length);
    }
  }
  return { targets: Int32Array.from(targets), starts: Int32Array.from(starts) };
}

export class PersonValues {
  readonly slots: number;
  readonly #ranges: number;
  readonly #targets: Int32Array;
  readonly #starts: Int32Array;
  /** Slots of one person. */
  readonly #touched: Int32Array;
  readonly #isTouched: Uint8Array;
  readonly #highs: Float64Array;
  readonly #lows: Float64Array;
  readonly #decimals: Float64Array;
  readonly #rests: Float64Array;
  #people = new Int32Array(1_024);
  #buckets = new Int32Array(1_024);
  #values = new Float64Array(1_024);
  #count = 0;
  readonly #stitched = [new Numbers(), new Numbers(), new Numbers()] as const;

  constructor(question: MeasuresQuestion, places: number) {
    const { targets, starts } = slotsOfValues(question, places);
    this.#ranges = question.ranges.length;
    this.#targets = targets;
    this.#starts = starts;
    this.slots = (places > 1 ? places + 1 : 1) * this.#ranges;
    this.#touched = new Int32Array(this.slots);
    this.#isTouched = new Uint8Array(this.slots);
    this.#highs = new Float64Array(this.slots);
    this.#lows = new Float64Array(this.slots);
    this.#decimals = new Float64Array(this.slots);
    this.#rests = new Float64Array(this.slots);
  }

  /** Of all places without one. */
  slotOf(range: number, place: number | null): number {
    return (place ?? this.slots / this.#ranges - 1) * this.#ranges + range;
  }

  get lists(): Numbers[] {
    return [...this.#stitched];
  }

  clear(): void {
    this.#count = 0;
  }

  add(person: number, bucket: number, value: number): void {
    if (person < 0) {
      const [people, buckets, values] = this.#stitched;
      people.push(-1 - person);
      buckets.push(bucket);
      values.push(value);
      return;
    }
    this.#append(person, bucket, value);
  }

  #append(person: number, bucket: number, value: number): void {
    const row = this.#count;
    if (row === this.#people.length) this.#grow();
    this.#people[row] = person;
    this.#buckets[row] = bucket;
    this.#values[row] = value;
    this.#count = row + 1;
  }

  #grow(): void {
    const length = 2 * this.#people.length;
    const [people, buckets, values] = [this.#people, this.#buckets, this.#values];
    this.#people = new Int32Array(length);
    this.#buckets = new Int32Array(length);
    this.#values = new Float64Array(length);
    this.#people.set(people);
    this.#buckets.set(buckets);
    this.#values.set(values);
  }

  takeStitched(): void {
    this.clear();
    const [people, buckets, values] = this.#stitched.map((list) => list.values());
    for (let row = 0; row < people.length; row += 1) {
      this.#append(people[row], buckets[row], values[row]);
    }
  }

  addTo(sums: ValueSums, people: number): void {
    const starts = new Int32Array(people + 1);
    for (let row = 0; row < this.#count; row += 1) starts[this.#people[row] + 1] += 1;
    for (let person = 0; person < people; person += 1) starts[person + 1] += starts[person];
    const rows = new Int32Array(this.#count);
    const next = starts.slice();
    for (let row = 0; row < this.#count; row += 1) {
      const person = this.#people[row];
      rows[next[person]] = row;
      next[person] += 1;
    }
    for (let person = 0; person < people; person += 1) {
      if (starts[person] < starts[person + 1]) {
        this.#addPerson(sums, rows, starts[person], starts[person + 1]);
      }
    }
  }

  #addPerson(sums: ValueSums, rows: Int32Array, from: number, before: number): void {
    const [touched, isTouched] = [this.#touched, this.#isTouched];
    let count = 0;
    for (let place = from; place < before; place += 1) {
      const row = rows[place];
      const end = this.#starts[this.#buckets[row] + 1];
      for (let target = this.#starts[this.#buckets[row]]; target < end; target += 1) {
        const slot = this.#targets[target];
        if (isTouched[slot] === 0) {
          isTouched[slot] = 1;
          touched[count] = slot;
          count += 1;
        }
        this.#addRow(slot, this.#values[row]);
      }
    }
    for (let place = 0; place < count; place += 1) this.#close(sums, touched[place]);
  }

  #close(sums: ValueSums, slot: number): void {
    const decimals = this.#decimals[slot] + this.#rests[slot];
    sums.addSum(slot, { high: this.#highs[slot], low: this.#lows[slot], decimals });
    this.#isTouched[slot] = 0;
    this.#highs[slot] = 0;
    this.#lows[slot] = 0;
    this.#decimals[slot] = 0;
    this.#rests[slot] = 0;
  }

  #addRow(slot: number, value: number): void {
    if (Number.isSafeInteger(value)) {
      this.#highs[slot] += upperHalf(value);
      this.#lows[slot] += lowerHalf(value);
      return;
    }
    const before = this.#decimals[slot];
    const after = before + value;
    this.#rests[slot] += roundedAway(before, value, after);
    this.#decimals[slot] = after;
  }
}
