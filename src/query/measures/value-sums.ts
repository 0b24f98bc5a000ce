import { Numbers } from '../reading/projection/numbers.ts';

/** Integers are added in two halves, each of which stays exact. */
const HALF = 2 ** 26;
/** Numbers of a closed slot: its number, its decimals and their rest, its minimum and maximum. */
const CLOSED = 5;

export const upperHalf = (integer: number): number => Math.floor(integer / HALF);
export const lowerHalf = (integer: number): number => integer - upperHalf(integer) * HALF;
/** Rounded once, however large. */
const toWhole = (high: number, low: number): number => high * HALF + low;

export function roundedAway(before: number, value: number, after: number): number {
  return Math.abs(value) <= Math.abs(before) ? before - after + value : value - after + before;
}

export type ValuesOfSlots = {
  count: number;
  sum: number;
  minimum: number;
  maximum: number;
  values: Float64Array;
};

export class ValueSums {
  readonly #counts: Float64Array;
  readonly #highs: Float64Array;
  readonly #lows: Float64Array;
  readonly #decimals: Float64Array;
  readonly #rests: Float64Array;
  readonly #minima: Float64Array;
  readonly #maxima: Float64Array;
  readonly #values: readonly Numbers[];
  readonly #closed = new Numbers();
  /** By the length of the list of numbers, for each slot. */
  readonly #closedAt = new Map<number, number[]>();
  #placed = 0;

  constructor(slots: number, keepsValues: boolean) {
    const numbers = () => new Float64Array(slots);
    [this.#counts, this.#highs, this.#lows] = [numbers(), numbers(), numbers()];
    [this.#decimals, this.#rests] = [numbers(), numbers()];
    [this.#minima, this.#maxima] = [numbers().fill(Infinity), numbers().fill(-Infinity)];
    this.#values = keepsValues ? Array.from({ length: slots }, () => new Numbers()) : [];
  }

  add(slot: number, value: number): void {
    if (this.#values.length > 0) this.#keep(slot, value);
    else this.#addNumber(slot, value);
  }

  #keep(slot: number, value: number): void {
    this.#counts[slot] += 1;
    this.#values[slot].push(value);
  }

  #addNumber(slot: number, value: number): void {
    if (Number.isSafeInteger(value)) {
      this.#highs[slot] += upperHalf(value);
      this.#lows[slot] += lowerHalf(value);
    } else this.#addDecimal(slot, value);
    this.#take(slot, value);
  }

  addSum(slot: number, { high, low, decimals }: { high: number; low: number; decimals: number }) {
    const value = toWhole(high, low) + decimals;
    if (this.#values.length > 0) {
      this.#keep(slot, value);
      return;
    }
    this.#highs[slot] += high;
    this.#lows[slot] += low;
    this.#addDecimal(slot, decimals);
    this.#take(slot, value);
  }

  #take(slot: number, value: number): void {
    this.#counts[slot] += 1;
    if (value < this.#minima[slot]) this.#minima[slot] = value;
    if (value > this.#maxima[slot]) this.#maxima[slot] = value;
  }

  #addDecimal(slot: number, value: number): void {
    const before = this.#decimals[slot];
    const after = before + value;
    this.#decimals[slot] = after;
    this.#rests[slot] += roundedAway(before, value, after);
  }

  /** Are added up. */
  get sums(): Float64Array[] {
    return [this.#counts, this.#highs, this.#lows];
  }

  /** Are appended, in any order. */
  get lists(): Numbers[] {
    for (let slot = 0; slot < this.#counts.length; slot += 1) {
      if (this.#minima[slot] > this.#maxima[slot]) continue;
      this.#closed.push(slot);
      for (const one of [this.#decimals, this.#rests, this.#minima, this.#maxima]) {
        this.#closed.push(one[slot]);
      }
      this.#decimals[slot] = 0;
      this.#rests[slot] = 0;
      this.#minima[slot] = Infinity;
      this.#maxima[slot] = -Infinity;
    }
    return [this.#closed, ...this.#values];
  }

  of(slots: readonly number[]): ValuesOfSlots {
    let count = 0;
    let [high, low] = [0, 0];
    const kept = new Numbers();
    for (const slot of slots) {
      count += this.#counts[slot];
      high += this.#highs[slot];
      low += this.#lows[slot];
      const values = this.#values[slot]?.values();
      if (values) kept.append(values);
    }
    const { decimals, minimum, maximum } = this.#closedOf(slots);
    return { count, sum: toWhole(high, low) + decimals, minimum, maximum, values: kept.values() };
  }

  #placeClosed(closed: Float64Array): void {
    this.#closedAt.clear();
    this.#placed = closed.length;
    for (let place = 0; place < closed.length; place += CLOSED) {
      const slot = closed[place];
      const places = this.#closedAt.get(slot);
      if (places) places.push(place);
      else this.#closedAt.set(slot, [place]);
    }
  }

  #closedOf(slots: readonly number[]) {
    const [list] = this.lists;
    const closed = list.values();
    if (this.#placed !== closed.length) this.#placeClosed(closed);
    let [sum, rest, minimum, maximum] = [0, 0, Infinity, -Infinity];
    for (const place of slots.flatMap((slot) => this.#closedAt.get(slot) ?? [])) {
      const after = sum + closed[place + 1];
      rest += roundedAway(sum, closed[place + 1], after) + closed[place + 2];
      sum = after;
      minimum = Math.min(minimum, closed[place + 3]);
      maximum = Math.max(maximum, closed[place + 4]);
    }
    return { decimals: Number.isFinite(sum) ? sum + rest : sum, minimum, maximum };
  }
}
