import type { Section } from '../../../event-store/projections.ts';
import { at, must } from '../../../shared/assert.ts';
import type { EnvironmentScope } from '../../../shared/environment.ts';
import type { Dimension } from '../../selection/dimension.ts';
import type { RowTest } from '../../selection/row-test.ts';
import { Activity } from './activity.ts';
import { BucketedRows } from './bucketed-rows.ts';
import { type Buckets, OUTSIDE } from './buckets.ts';
import type { PeopleByRange, Slice } from './people.ts';
import { DimensionValues, type RowValues } from './row-values.ts';
import { CHUNK_ROWS } from './rows.ts';
import { type SectionRows, wantedSections } from './sections.ts';
import type { CountedPart } from './share.ts';

type Wanted = {
  environment: EnvironmentScope;
  has: (section: Section) => boolean;
  test: RowTest | null;
  buckets: Buckets;
  bits?: number;
};

/** Values that count apart; all others together. */
export type ShownValues = { by: Dimension; shown: readonly string[] };

type Track = SectionRows & {
  slice: Slice;
  bucket: number | null;
  first: RowValues;
  second: RowValues | null;
};

const toPlaces = (texts: readonly string[], shown: readonly string[], step: number): Int32Array =>
  Int32Array.from(texts, (text) => {
    const place = shown.indexOf(text);
    return (place === -1 ? shown.length : place) * step;
  });

function openTracks(
  parts: readonly CountedPart[],
  people: PeopleByRange,
  { buckets, ...wanted }: Wanted,
  values: readonly ShownValues[],
): Track[] {
  const [one, other] = values;
  const first = new DimensionValues(must(one, 'a breakdown has a dimension').by);
  const second = other ? new DimensionValues(other.by) : null;
  const tracks = parts.flatMap((part, index) => {
    const { file, projection } = part;
    return wantedSections(part, wanted).map((rows) => ({
      ...rows,
      slice: at(people.slices, index),
      bucket: file && buckets.ofFile(file),
      first: first.of(rows.section, projection),
      second: second?.of(rows.section, projection) ?? null,
    }));
  });
  const width = other ? other.shown.length + 1 : 1;
  const firstPlaces = toPlaces(first.texts, one?.shown ?? [], width);
  const secondPlaces = second && toPlaces(second.texts, other?.shown ?? [], 1);
  return tracks.map((track) => ({
    ...track,
    first: track.first.renumbered(firstPlaces),
    second: secondPlaces && (track.second?.renumbered(secondPlaces) ?? null),
  }));
}

export class SplitActivityReader {
  readonly activity: Activity;
  readonly events: readonly Float64Array[];
  readonly #people: PeopleByRange;
  readonly #tracks: readonly Track[];
  readonly #rows: BucketedRows;
  readonly #places = new Int32Array(CHUNK_ROWS);
  readonly #seconds = new Int32Array(CHUNK_ROWS);

  constructor(
    parts: readonly CountedPart[],
    people: PeopleByRange,
    wanted: Wanted,
    values: readonly ShownValues[],
  ) {
    const places = values.reduce((product, { shown }) => product * (shown.length + 1), 1);
    const { buckets, bits = buckets.count } = wanted;
    this.activity = new Activity(bits, people.stitched, places);
    this.events = Array.from({ length: places }, () => new Float64Array(bits));
    this.#people = people;
    this.#rows = new BucketedRows(buckets);
    this.#tracks = openTracks(parts, people, wanted, values);
  }

  readRange(): void {
    this.activity.clearRange(this.#people);
    for (const track of this.#tracks) if (track.bucket !== OUTSIDE) this.#read(track);
  }

  #read({ slice, reader, matcher, bucket, first, second }: Track): void {
    const { rows, buckets } = this.#rows;
    const { entries } = rows;
    const places = this.#places;
    for (;;) {
      const count = this.#rows.read(reader, slice, bucket);
      if (count === 0) return;
      first.read(rows, count, places);
      if (second) this.#addSecond(second, count);
      const passes = matcher?.match(rows, count) ?? null;
      this.#people.fetch(slice, entries, count);
      for (let row = 0; row < count; row += 1) {
        const bucket = buckets[row];
        if (bucket === OUTSIDE || (passes !== null && passes[row] === 0)) continue;
        const place = places[row];
        this.activity.markAt(this.#people.personOf(slice, entries[row]), place, bucket);
        this.events[place][bucket] += 1;
      }
    }
  }

  #addSecond(values: RowValues, count: number): void {
    const [places, seconds] = [this.#places, this.#seconds];
    values.read(this.#rows.rows, count, seconds);
    for (let row = 0; row < count; row += 1) places[row] += seconds[row];
  }
}
