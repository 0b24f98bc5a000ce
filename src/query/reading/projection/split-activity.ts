import type { Section } from '../../../event-store/projections.ts';
import { at } from '../../../shared/assert.ts';
import type { EnvironmentScope } from '../../../shared/environment.ts';
import type { Dimension } from '../../selection/dimension.ts';
import type { RowTest } from '../../selection/row-test.ts';
import { Activity } from './activity.ts';
import { type Buckets, OUTSIDE } from './buckets.ts';
import type { PeopleByRange, Slice } from './people.ts';
import { DimensionValues, type RowValues } from './row-values.ts';
import { RowBuffer } from './rows.ts';
import { type SectionRows, wantedSections } from './sections.ts';
import type { CountedPart } from './share.ts';

export type WantedByValue = {
  environment: EnvironmentScope;
  has: (section: Section) => boolean;
  test: RowTest | null;
  by: Dimension;
};

/** Values that count apart; all others together. */
export type ShownValues = { by: Dimension; shown: readonly string[] };

type Track = SectionRows & { slice: Slice; values: RowValues };

/** Rows with their values, a range of keys at a time. */
class ValuedRows {
  readonly texts: readonly string[];
  readonly #tracks: Track[];
  readonly #buffer = new RowBuffer();

  constructor(parts: readonly CountedPart[], people: PeopleByRange, wanted: WantedByValue) {
    const values = new DimensionValues(wanted.by);
    this.#tracks = parts.flatMap((part, index) =>
      wantedSections(part, wanted).map((rows) => ({
        ...rows,
        slice: at(people.slices, index),
        values: values.of(rows.section, part.projection),
      })),
    );
    this.texts = values.texts;
  }

  read(use: (slice: Slice, entry: number, time: number, value: number) => void): void {
    const buffer = this.#buffer;
    const { entries, times } = buffer;
    for (const { slice, reader, matcher, values } of this.#tracks) {
      for (;;) {
        const count = reader.read(slice, buffer);
        if (count === 0) break;
        const passes = matcher?.match(buffer, count);
        for (let row = 0; row < count; row += 1) {
          if (passes?.[row] === 0) continue;
          use(slice, entries[row], times[row], values.at(buffer, row));
        }
      }
    }
  }
}

/** By the number of a value; the rest last. */
export const toPlaces = (texts: readonly string[], shown: readonly string[]): Int32Array =>
  Int32Array.from(texts, (text) => {
    const place = shown.indexOf(text);
    return place === -1 ? shown.length : place;
  });

/** How many events of a window have which value. */
export class EventsByValue {
  readonly events: Float64Array;
  readonly #rows: ValuedRows;
  readonly #window: { fromUs: number; beforeUs: number };

  constructor(
    parts: readonly CountedPart[],
    people: PeopleByRange,
    { window, ...wanted }: WantedByValue & { window: { fromUs: number; beforeUs: number } },
  ) {
    this.#rows = new ValuedRows(parts, people, wanted);
    this.#window = window;
    this.events = new Float64Array(this.#rows.texts.length);
  }

  get texts(): readonly string[] {
    return this.#rows.texts;
  }

  readRange(): void {
    const { fromUs, beforeUs } = this.#window;
    this.#rows.read((_, __, time, value) => {
      if (time >= fromUs && time < beforeUs) this.events[value] += 1;
    });
  }
}

/** Activity and events of some values apart, the rest last, in one pass. */
export class SplitActivityReader {
  readonly activities: Activity[];
  readonly events: Float64Array[];
  readonly #people: PeopleByRange;
  readonly #buckets: Buckets;
  readonly #rows: ValuedRows;
  /** By the number of a value. */
  readonly #places: Int32Array;

  constructor(
    parts: readonly CountedPart[],
    people: PeopleByRange,
    {
      shown,
      buckets,
      bits = buckets.count,
      ...wanted
    }: WantedByValue & ShownValues & { buckets: Buckets; bits?: number },
  ) {
    this.#people = people;
    this.#buckets = buckets;
    this.#rows = new ValuedRows(parts, people, wanted);
    this.#places = toPlaces(this.#rows.texts, shown);
    const all = [...shown, null];
    this.activities = all.map(() => new Activity(bits, people.stitched));
    this.events = all.map(() => new Float64Array(buckets.count));
  }

  readRange(): void {
    for (const { ofRange } of this.activities) ofRange.clear(this.#people.capacity);
    this.#rows.read((slice, entry, time, value) => {
      const bucket = this.#buckets.of(time);
      if (bucket === OUTSIDE) return;
      const place = this.#places[value];
      this.activities[place].mark(this.#people.personOf(slice, entry), bucket);
      this.events[place][bucket] += 1;
    });
  }
}
