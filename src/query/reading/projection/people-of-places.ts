import { at } from '../../../shared/assert.ts';
import { type Activity, PeopleBits } from './activity.ts';
import { RangePeople } from './range-people.ts';

export class PeopleOfPlaces {
  readonly #each: readonly RangePeople[];
  readonly #ofAny: RangePeople;
  readonly #any: PeopleBits;
  #place = 0;

  constructor(places: number, buckets: number, ranges: readonly (readonly [number, number])[]) {
    this.#each = Array.from({ length: places }, () => new RangePeople(ranges));
    this.#ofAny = new RangePeople(ranges);
    this.#any = new PeopleBits(buckets);
  }

  get #hasSeveral(): boolean {
    return this.#each.length > 1;
  }

  begin(people: number, marked = people): void {
    if (this.#hasSeveral) this.#any.clear(people, marked);
    this.#place = 0;
  }

  add(bits: PeopleBits, people: number, { places }: Pick<Activity, 'places'>): void {
    for (let place = 0; place < places; place += 1) {
      at(this.#each, this.#place + place).add(bits, people, { first: place, step: places });
    }
    this.#place += places;
    if (this.#hasSeveral) this.#any.add(bits, people, places);
  }

  end(people: number): void {
    if (this.#hasSeveral) this.#ofAny.add(this.#any, people);
  }

  get sums(): Float64Array[] {
    return [this.#ofAny.people, ...this.#each.map(({ people }) => people)];
  }

  of(place: number): Float64Array {
    return at(this.#each, place).people;
  }

  get ofAny(): Float64Array {
    return this.#hasSeveral ? this.#ofAny.people : this.of(0);
  }
}
