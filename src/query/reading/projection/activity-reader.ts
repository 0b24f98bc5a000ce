import type { Section } from '../../../event-store/projections.ts';
import { at } from '../../../shared/assert.ts';
import type { EnvironmentScope } from '../../../shared/environment.ts';
import { isSenderField } from '../../../shared/event-fields.ts';
import type { Dimension } from '../../selection/dimension.ts';
import type { RowTest } from '../../selection/row-test.ts';
import { isCounted } from '../source/files.ts';
import { Activity } from './activity.ts';
import { type Buckets, OUTSIDE } from './buckets.ts';
import { ABSENT, type PeopleByRange, type Slice } from './people.ts';
import { profilesThatHold } from './row-matcher.ts';
import { DimensionValues, type RowValues } from './row-values.ts';
import { CHUNK_ROWS, type RowBuffer } from './rows.ts';
import { type SectionRows, wantedSections } from './sections.ts';
import type { CountedPart } from './share.ts';
import { BucketedRows } from './value-events.ts';

export type Wanted = {
  environment: EnvironmentScope;
  has: (section: Section) => boolean;
  test: RowTest | null;
  buckets: Buckets;
  isAnything?: boolean;
  counts?: (part: number) => boolean;
};

type Read = Wanted & { bits?: number; countsNobody?: boolean };

export type ShownValues = { by: Dimension; shown: readonly string[] };

export const countPlaces = (values: readonly ShownValues[]): number =>
  values.reduce((product, { shown }) => product * (shown.length + 1), 1);

export type PlacedRows = SectionRows & {
  slice: Slice;
  bucket: number | null;
  isCounted: boolean;
  hasSent: Uint8Array | null;
  values: readonly RowValues[];
};

const toPlaces = (texts: readonly string[], shown: readonly string[], step: number): Int32Array =>
  Int32Array.from(texts, (text) => {
    const place = shown.indexOf(text);
    return (place === -1 ? shown.length : place) * step;
  });

function sendersOf(
  { projection, file }: CountedPart,
  { environment, test, isAnything = false }: Wanted,
): Uint8Array | null {
  if (!isAnything || file === null || !isCounted({ environment }, file)) return null;
  const profiles = test && profilesThatHold(test, projection);
  if (test !== null && profiles === null) return null;
  return Uint8Array.from(projection.profiles, ({ platforms }, profile) =>
    platforms.length > 0 && (profiles === null || profiles[profile] === 1) ? 1 : 0,
  );
}

export function openPlaced(
  parts: readonly CountedPart[],
  people: PeopleByRange,
  wanted: Wanted,
  values: readonly ShownValues[],
): PlacedRows[] {
  const { buckets, counts } = wanted;
  const dimensions = values.map(({ by }) => new DimensionValues(by));
  const isOfEntries = values.every(({ by }) => isSenderField(by.kind) || by.kind === 'first');
  const tracks = parts.flatMap((part, index) => {
    const { file } = part;
    const bucket = file && buckets.ofFile(file);
    if (bucket === OUTSIDE) return [];
    const isCounted = counts?.(index) ?? false;
    const isByEntry = bucket !== null && !isCounted && isOfEntries;
    const hasSent = isByEntry ? sendersOf(part, wanted) : null;
    const sections = wantedSections(part, wanted);
    return sections.slice(0, hasSent ? 1 : sections.length).map((rows) => ({
      ...rows,
      ...{ bucket, isCounted, hasSent, slice: at(people.slices, index) },
      values: dimensions.map((dimension) => dimension.of(rows.section, part)),
    }));
  });
  const places = values.map(({ shown }, index) =>
    toPlaces(at(dimensions, index).texts, shown, countPlaces(values.slice(index + 1))),
  );
  return tracks.map((track) => ({
    ...track,
    values: track.values.map((one, index) => one.renumbered(at(places, index))),
  }));
}

export class RowPlaces {
  readonly places = new Int32Array(CHUNK_ROWS);
  readonly #more = new Int32Array(CHUNK_ROWS);

  read([first, ...others]: readonly RowValues[], rows: RowBuffer, count: number): void {
    const [places, more] = [this.places, this.#more];
    first?.read(rows, count, places);
    for (const values of others) {
      values.read(rows, count, more);
      for (let row = 0; row < count; row += 1) places[row] += more[row];
    }
  }
}

export class ActivityReader {
  readonly activity: Activity;
  readonly events: readonly Float64Array[];
  readonly #people: PeopleByRange;
  readonly #tracks: readonly PlacedRows[];
  readonly #rows: BucketedRows;
  readonly #places = new RowPlaces();
  readonly #countsNobody: boolean;

  constructor(
    parts: readonly CountedPart[],
    people: PeopleByRange,
    { buckets, bits = buckets.count, countsNobody = true, ...wanted }: Read,
    values: readonly ShownValues[] = [],
  ) {
    const places = countPlaces(values);
    this.activity = new Activity(bits, people.stitched, places);
    this.events = Array.from({ length: places }, () => new Float64Array(bits));
    this.#people = people;
    this.#rows = new BucketedRows(buckets);
    this.#tracks = openPlaced(parts, people, { ...wanted, buckets }, values);
    this.#countsNobody = countsNobody;
  }

  readRange(): void {
    this.activity.clearRange(this.#people);
    for (const track of this.#tracks) {
      if (track.hasSent && track.bucket !== null)
        this.#readEntries(track, track.hasSent, track.bucket);
      else this.#read(track);
    }
  }

  #readEntries({ slice, values }: PlacedRows, hasSent: Uint8Array, bucket: number): void {
    const { rows } = this.#rows;
    const { entries } = rows;
    const { profileOf } = slice.projection;
    let entry = slice.from;
    while (entry < slice.before) {
      let count = 0;
      for (; entry < slice.before && count < CHUNK_ROWS; entry += 1) {
        if (hasSent[profileOf[entry]] === 0) continue;
        entries[count] = entry;
        count += 1;
      }
      this.#places.read(values, rows, count);
      this.#people.fetch(slice, entries, count);
      for (let row = 0; row < count; row += 1) {
        const person = this.#people.personOf(slice, entries[row]);
        this.activity.markAt(person, this.#places.places[row], bucket);
      }
    }
  }

  #read({ slice, reader, matcher, bucket, values, isCounted }: PlacedRows): void {
    const { rows, buckets } = this.#rows;
    const { entries } = rows;
    const { places } = this.#places;
    for (;;) {
      const count = this.#rows.read(reader, slice, bucket);
      if (count === 0) return;
      this.#places.read(values, rows, count);
      const passes = matcher?.match(rows, count) ?? null;
      this.#people.fetch(slice, entries, count);
      for (let row = 0; row < count; row += 1) {
        const bucket = buckets[row];
        if (bucket === OUTSIDE || (passes !== null && passes[row] === 0)) continue;
        const place = places[row];
        const person = this.#people.personOf(slice, entries[row]);
        this.activity.markAt(person, place, bucket);
        if (!isCounted || (person === ABSENT && !this.#countsNobody)) continue;
        this.events[place][bucket] += 1;
      }
    }
  }
}
