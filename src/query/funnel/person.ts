import type { Turning } from '../../shared/pace.ts';
import type { PersonEvents } from './fold.ts';
import { unpackMask, unpackTime } from './packed.ts';

/** Up to this many events are sorted by insertion; files hold people almost in order. */
const INSERTION_MAX = 64;
const RUN = 4_096;

export type PackedEvents = {
  events: Int32Array;
  /** Halves of a number that grows in true order; null where the order at one instant is irrelevant. */
  order: Int32Array | null;
};

export class PersonBuffer implements PersonEvents {
  readonly times: Float64Array;
  readonly masks: Int32Array;
  readonly places: Int32Array;
  count = 0;

  constructor(capacity: number) {
    this.times = new Float64Array(capacity);
    this.masks = new Int32Array(capacity);
    this.places = new Int32Array(capacity);
  }

  load(packed: PackedEvents, offset: number, length: number): void {
    if (this.#read(packed, offset, length)) return;
    if (this.count <= INSERTION_MAX) this.#insertInOrder(packed.order);
    else Array.from(this.#sort(packed.order));
  }

  async loadInTurns(
    packed: PackedEvents,
    { offset, length, pace }: { offset: number; length: number; pace: Turning },
  ): Promise<void> {
    if (this.#read(packed, offset, length)) return;
    for (const _ of this.#sort(packed.order)) await pace.turn();
  }

  #read(packed: PackedEvents, offset: number, length: number): boolean {
    this.count = 0;
    let sorted = true;
    let latest = Number.NEGATIVE_INFINITY;
    for (let place = offset; place < offset + length; place += 1) {
      const low = packed.events[place * 2];
      const mask = unpackMask(low);
      if (mask === 0) continue;
      const time = unpackTime(low, packed.events[place * 2 + 1]);
      if (time < latest || (time === latest && packed.order)) sorted = false;
      latest = time;
      this.times[this.count] = time;
      this.masks[this.count] = mask;
      this.places[this.count] = place;
      this.count += 1;
    }
    return sorted;
  }

  #insertInOrder(order: Int32Array | null): void {
    for (let index = 1; index < this.count; index += 1) {
      const time = this.times[index];
      const mask = this.masks[index];
      const place = this.places[index];
      let target = index;
      while (target > 0) {
        const before = this.times[target - 1];
        if (before < time) break;
        if (before === time && compareOrder(order, this.places[target - 1], place) <= 0) break;
        this.times[target] = before;
        this.masks[target] = this.masks[target - 1];
        this.places[target] = this.places[target - 1];
        target -= 1;
      }
      this.times[target] = time;
      this.masks[target] = mask;
      this.places[target] = place;
    }
  }

  *#sort(order: Int32Array | null): Generator<void> {
    const { times, masks, places, count } = this;
    const ranks = yield* rankInTurns(
      count,
      (a, b) => times[a] - times[b] || compareOrder(order, places[a], places[b]),
    );
    this.times.set(Float64Array.from(ranks, (rank) => times[rank]));
    this.masks.set(Int32Array.from(ranks, (rank) => masks[rank]));
    this.places.set(Int32Array.from(ranks, (rank) => places[rank]));
  }
}

type Compare = (a: number, b: number) => number;

function* rankInTurns(count: number, compare: Compare): Generator<void, Int32Array> {
  let ranks = Int32Array.from({ length: count }, (_, index) => index);
  for (let from = 0; from < count; from += RUN) {
    ranks.subarray(from, from + RUN).sort(compare);
    yield;
  }
  let merged = new Int32Array(count);
  for (let width = RUN; width < count; width *= 2) {
    for (let from = 0; from < count; from += 2 * width) {
      const middle = Math.min(from + width, count);
      const right = ranks.subarray(middle, middle + width);
      merge(ranks.subarray(from, middle), right, merged.subarray(from), compare);
      yield;
    }
    [ranks, merged] = [merged, ranks];
  }
  return ranks;
}

function merge(left: Int32Array, right: Int32Array, into: Int32Array, compare: Compare): void {
  let [fromLeft, fromRight] = [0, 0];
  for (let place = 0; place < left.length + right.length; place += 1) {
    const isLeft =
      fromRight === right.length ||
      (fromLeft < left.length && compare(left[fromLeft], right[fromRight]) <= 0);
    into[place] = isLeft ? left[fromLeft++] : right[fromRight++];
  }
}

function compareOrder(order: Int32Array | null, a: number, b: number): number {
  if (!order) return 0;
  const high = order[a * 2 + 1] - order[b * 2 + 1];
  return high || (order[a * 2] >>> 0) - (order[b * 2] >>> 0);
}
