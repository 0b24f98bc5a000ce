import { at } from '../../shared/assert.ts';
import { Numbers } from '../reading/projection/numbers.ts';
import type { MeasuresQuestion } from './model.ts';
import { lowerHalf, roundedAway, upperHalf, type ValueSums } from './value-sums.ts';

function rangesByBucket({ boundariesUs, ranges }: MeasuresQuestion): number[][] {
  const found = Array.from({ length: boundariesUs.length - 1 }, (): number[] => []);
  for (const [range, [from, before]] of ranges.entries()) {
    for (let bucket = from; bucket < before; bucket += 1) at(found, bucket).push(range);
  }
  return found;
}

export class PersonValues {
  readonly #rangesOf: readonly (readonly number[])[];
  readonly #highs: Float64Array;
  readonly #lows: Float64Array;
  readonly #decimals: Float64Array;
  readonly #rests: Float64Array;
  #people = new Int32Array(1_024);
  #buckets = new Int32Array(1_024);
  #values = new Float64Array(1_024);
  #count = 0;
  readonly #stitched = [new Numbers(), new Numbers(), new Numbers()] as const;

  constructor(question: MeasuresQuestion) {
    this.#rangesOf = rangesByBucket(question);
    this.#highs = new Float64Array(question.ranges.length);
    this.#lows = new Float64Array(question.ranges.length);
    this.#decimals = new Float64Array(question.ranges.length);
    this.#rests = new Float64Array(question.ranges.length);
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
        this.#addPerson(sums, rows.subarray(starts[person], starts[person + 1]));
      }
    }
  }

  #addPerson(sums: ValueSums, rows: Int32Array): void {
    const touched = new Set<number>();
    for (const row of rows) {
      for (const range of this.#rangesOf[this.#buckets[row]]) {
        touched.add(range);
        this.#addRow(range, this.#values[row]);
      }
    }
    for (const range of touched) {
      const decimals = this.#decimals[range] + this.#rests[range];
      sums.addSum(range, { high: this.#highs[range], low: this.#lows[range], decimals });
      this.#highs[range] = 0;
      this.#lows[range] = 0;
      this.#decimals[range] = 0;
      this.#rests[range] = 0;
    }
  }

  #addRow(range: number, value: number): void {
    if (Number.isSafeInteger(value)) {
      this.#highs[range] += upperHalf(value);
      this.#lows[range] += lowerHalf(value);
      return;
    }
    const before = this.#decimals[range];
    const after = before + value;
    this.#rests[range] += roundedAway(before, value, after);
    this.#decimals[range] = after;
  }
}
