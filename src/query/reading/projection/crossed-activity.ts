import { at } from '../../../shared/assert.ts';
import { Activity } from './activity.ts';
import { type Buckets, OUTSIDE } from './buckets.ts';
import type { PeopleByRange, Slice } from './people.ts';
import { DimensionValues, type RowValues } from './row-values.ts';
import { RowBuffer } from './rows.ts';
import { type SectionRows, wantedSections } from './sections.ts';
import type { CountedPart } from './share.ts';
import { toPlaces, type ShownValues, type WantedByValue } from './split-activity.ts';

type Track = SectionRows & { slice: Slice; first: RowValues; second: RowValues };

type WantedByPair = Omit<WantedByValue, 'by'> & {
  pair: readonly [ShownValues, ShownValues];
  buckets: Buckets;
};

/** Activity and events of pairs of values, with the rest of each, in one pass. */
export class CrossedActivityReader {
  readonly activities: Activity[];
  readonly events: Float64Array[];
  readonly #people: PeopleByRange;
  readonly #buckets: Buckets;
  readonly #tracks: Track[];
  readonly #buffer = new RowBuffer();
  /** By the number of a value; those of the first dimension times the width. */
  readonly #firstPlaces: Int32Array;
  readonly #secondPlaces: Int32Array;

  constructor(
    parts: readonly CountedPart[],
    people: PeopleByRange,
    { pair: [one, other], buckets, ...wanted }: WantedByPair,
  ) {
    const [first, second] = [new DimensionValues(one.by), new DimensionValues(other.by)];
    this.#people = people;
    this.#buckets = buckets;
    this.#tracks = parts.flatMap((part, index) =>
      wantedSections(part, wanted).map((rows) => ({
        ...rows,
        slice: at(people.slices, index),
        first: first.of(rows.section, part.projection),
        second: second.of(rows.section, part.projection),
      })),
    );
    const width = other.shown.length + 1;
    this.#firstPlaces = toPlaces(first.texts, one.shown).map((place) => place * width);
    this.#secondPlaces = toPlaces(second.texts, other.shown);
    const pairs = Array.from({ length: (one.shown.length + 1) * width });
    this.activities = pairs.map(() => new Activity(buckets.count, people.stitched));
    this.events = pairs.map(() => new Float64Array(buckets.count));
  }

  readRange(): void {
    for (const { ofRange } of this.activities) ofRange.clear(this.#people.capacity);
    for (const track of this.#tracks) this.#read(track);
  }

  #read({ slice, reader, matcher, first, second }: Track): void {
    const buffer = this.#buffer;
    const { entries, times } = buffer;
    for (;;) {
      const count = reader.read(slice, buffer);
      if (count === 0) return;
      const passes = matcher?.match(buffer, count);
      for (let row = 0; row < count; row += 1) {
        const bucket = this.#buckets.of(times[row]);
        if (bucket === OUTSIDE || passes?.[row] === 0) continue;
        const place =
          this.#firstPlaces[first.at(buffer, row)] + this.#secondPlaces[second.at(buffer, row)];
        this.activities[place].mark(this.#people.personOf(slice, entries[row]), bucket);
        this.events[place][bucket] += 1;
      }
    }
  }
}
