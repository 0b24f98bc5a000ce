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

/** Person, place with bucket, and value of each row. */
const openRows = () => [new Numbers(), new Numbers(), new Numbers()] as const;
type PersonRows = ReturnType<typeof openRows>;

export class PersonValues {
  readonly slots: number;
  readonly #ranges: number;
  readonly #targets: Int32Array;
  readonly #starts: Int32Array;
  readonly #touched: Int32Array;
  readonly #isTouched: Uint8Array;
  readonly #highs: Float64Array;
  readonly #lows: Float64Array;
  readonly #decimals: Float64Array;
  readonly #rests: Float64Array;
  #ofRange = openRows();
  readonly #stitched = openRows();

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

  /** Null: all places. */
  slotOf(range: number, place: number | null): number {
    return (place ?? this.slots / this.#ranges - 1) * this.#ranges + range;
  }

  get lists(): readonly Numbers[] {
    return this.#stitched;
  }

  add(person: number, slot: number, value: number): void {
    const [people, slots, values] = person < 0 ? this.#stitched : this.#ofRange;
    people.push(person < 0 ? -1 - person : person);
    slots.push(slot);
    values.push(value);
  }

  addRange(sums: ValueSums, people: number): void {
    this.#addTo(sums, people, this.#ofRange);
    this.#ofRange = openRows();
  }

  addStitched(sums: ValueSums, people: number): void {
    this.#addTo(sums, people, this.#stitched);
  }

  #addTo(sums: ValueSums, people: number, lists: PersonRows): void {
    const rows = { people: lists[0].values(), slots: lists[1].values(), values: lists[2].values() };
    const starts = new Int32Array(people + 1);
    for (const person of rows.people) starts[person + 1] += 1;
    for (let person = 0; person < people; person += 1) starts[person + 1] += starts[person];
    const order = new Int32Array(rows.people.length);
    const next = starts.slice();
    for (let row = 0; row < order.length; row += 1) {
      const person = rows.people[row];
      order[next[person]] = row;
      next[person] += 1;
    }
    for (let person = 0; person < people; person += 1) {
      if (starts[person] === starts[person + 1]) continue;
      this.#addPerson(sums, rows, order.subarray(starts[person], starts[person + 1]));
    }
  }

  #addPerson(
    sums: ValueSums,
    { slots, values }: Record<'slots' | 'values', Float64Array>,
    order: Int32Array,
  ): void {
    const [targets, starts, isTouched] = [this.#targets, this.#starts, this.#isTouched];
    let count = 0;
    for (const row of order) {
      const end = starts[slots[row] + 1];
      for (let target = starts[slots[row]]; target < end; target += 1) {
        const slot = targets[target];
        if (isTouched[slot] === 0) {
          isTouched[slot] = 1;
          this.#touched[count] = slot;
          count += 1;
        }
        this.#addRow(slot, values[row]);
      }
    }
    for (let place = 0; place < count; place += 1) this.#close(sums, this.#touched[place]);
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
