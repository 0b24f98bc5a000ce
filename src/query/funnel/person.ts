import type { PersonEvents } from './fold.ts';
import { unpackMask, unpackTime } from './packed.ts';

/** Up to this many events are sorted by insertion; files hold people almost in order. */
const INSERTION_MAX = 64;

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
    if (sorted) return;
    if (this.count <= INSERTION_MAX) this.#insertInOrder(packed.order);
    else this.#sort(packed.order);
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

  #sort(order: Int32Array | null): void {
    const { times, masks, places, count } = this;
    const ranks = Array.from({ length: count }, (_, index) => index).sort(
      (a, b) => times[a] - times[b] || compareOrder(order, places[a], places[b]),
    );
    this.times.set(Float64Array.from(ranks, (rank) => times[rank]));
    this.masks.set(Int32Array.from(ranks, (rank) => masks[rank]));
    this.places.set(Int32Array.from(ranks, (rank) => places[rank]));
  }
}

function compareOrder(order: Int32Array | null, a: number, b: number): number {
  if (!order) return 0;
  const high = order[a * 2 + 1] - order[b * 2 + 1];
  return high || (order[a * 2] >>> 0) - (order[b * 2] >>> 0);
}
