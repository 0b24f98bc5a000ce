import type { PersonEvents } from './fold.ts';
import { maskOf, timeOf } from './packed.ts';

/** Up to this many events are put in order by insertion; files hold people almost in order. */
const INSERTION_MAX = 64;

/** Packed events of many people, as halves, and the true order of those at one instant. */
export type PackedEvents = {
  events: Int32Array;
  /** Halves of a number that grows in true order; null where the order at one instant is no matter. */
  order: Int32Array | null;
};

/** The step events of one person at a time, unpacked and in order. Memory is used again. */
export class PersonBuffer implements PersonEvents {
  times = new Float64Array(INSERTION_MAX);
  masks = new Int32Array(INSERTION_MAX);
  /** Where each event stands among the packed ones. */
  places = new Int32Array(INSERTION_MAX);
  count = 0;

  load(packed: PackedEvents, offset: number, length: number): void {
    if (length > this.times.length) this.#grow(length * 2);
    this.count = 0;
    let sorted = true;
    let latest = Number.NEGATIVE_INFINITY;
    for (let place = offset; place < offset + length; place += 1) {
      const low = packed.events[place * 2] ?? 0;
      const mask = maskOf(low);
      if (mask === 0) continue;
      const time = timeOf(low, packed.events[place * 2 + 1] ?? 0);
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

  #grow(size: number): void {
    this.times = new Float64Array(size);
    this.masks = new Int32Array(size);
    this.places = new Int32Array(size);
  }

  #insertInOrder(order: Int32Array | null): void {
    for (let index = 1; index < this.count; index += 1) {
      const time = this.times[index] ?? 0;
      const mask = this.masks[index] ?? 0;
      const place = this.places[index] ?? 0;
      let target = index;
      while (target > 0) {
        const before = this.times[target - 1] ?? 0;
        if (before < time) break;
        if (before === time && compareOrder(order, this.places[target - 1] ?? 0, place) <= 0) break;
        this.times[target] = before;
        this.masks[target] = this.masks[target - 1] ?? 0;
        this.places[target] = this.places[target - 1] ?? 0;
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
      (a, b) =>
        (times[a] ?? 0) - (times[b] ?? 0) || compareOrder(order, places[a] ?? 0, places[b] ?? 0),
    );
    this.times.set(Float64Array.from(ranks, (rank) => times[rank] ?? 0));
    this.masks.set(Int32Array.from(ranks, (rank) => masks[rank] ?? 0));
    this.places.set(Int32Array.from(ranks, (rank) => places[rank] ?? 0));
  }
}

function compareOrder(order: Int32Array | null, a: number, b: number): number {
  if (!order) return 0;
  const high = (order[a * 2 + 1] ?? 0) - (order[b * 2 + 1] ?? 0);
  return high || ((order[a * 2] ?? 0) >>> 0) - ((order[b * 2] ?? 0) >>> 0);
}
