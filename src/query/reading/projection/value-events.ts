import type { Section } from '../../../event-store/projections.ts';
import type { EnvironmentScope } from '../../../shared/environment.ts';
import type { Dimension } from '../../selection/dimension.ts';
import type { RowTest } from '../../selection/row-test.ts';
import { Buckets, OUTSIDE } from './buckets.ts';
import { DimensionValues, type RowValues } from './row-values.ts';
import { CHUNK_ROWS, type Span, RowBuffer, type SectionReader } from './rows.ts';
import { type SectionRows, wantedSections } from './sections.ts';
import type { CountedPart } from './share.ts';

export class BucketedRows {
  readonly rows = new RowBuffer();
  readonly buckets = new Int32Array(CHUNK_ROWS);
  readonly #buckets: Buckets;

  constructor(buckets: Buckets) {
    this.#buckets = buckets;
  }

  read(reader: SectionReader, span: Span, bucket: number | null): number {
    const { rows, buckets } = this;
    if (bucket !== null) {
      const count = reader.readEntries(span, rows);
      buckets.fill(bucket, 0, count);
      return count;
    }
    const count = reader.read(span, rows);
    const { times } = rows;
    for (let row = 0; row < count; row += 1) buckets[row] = this.#buckets.of(times[row]);
    return count;
  }
}

export type WantedValues = {
  environment: EnvironmentScope;
  has: (section: Section) => boolean;
  test: RowTest | null;
  by: Dimension;
  window: { fromUs: number; beforeUs: number };
};

type Track = SectionRows & { part: number; bucket: number | null; values: RowValues };

const MAX_READ_ROWS = 1_000_000;

export class ValueEvents {
  readonly texts: readonly string[];
  readonly events: Float64Array;
  readonly #tracks: readonly Track[];
  readonly #rows: BucketedRows;
  readonly #numbers = new Int32Array(CHUNK_ROWS);

  constructor(parts: readonly CountedPart[], { window, by, ...wanted }: WantedValues) {
    const values = new DimensionValues(by);
    const buckets = new Buckets([window.fromUs, window.beforeUs]);
    this.#rows = new BucketedRows(buckets);
    const tracks = parts.flatMap((part, index) => {
      const { file } = part;
      return wantedSections(part, wanted).map((rows) => ({
        ...rows,
        part: index,
        bucket: file && buckets.ofFile(file),
        values: values.of(rows.section, part),
      }));
    });
    this.#tracks = tracks.filter(({ bucket }) => bucket !== OUTSIDE);
    this.texts = values.texts;
    this.events = new Float64Array(this.texts.length);
  }

  readSpans(spans: readonly Span[]): void {
    for (const track of this.#tracks) this.#read(track, spans[track.part]);
  }

  /** False where too many have to be read. */
  readAll(): boolean {
    const unknown = this.#tracks.filter(
      ({ matcher, bucket, values }) => matcher !== null || bucket === null || !values.isCountable,
    );
    const rows = unknown.reduce((sum, { section }) => sum + section.rows, 0);
    if (rows > MAX_READ_ROWS) return false;
    for (const track of this.#tracks) {
      if (unknown.includes(track)) this.#read(track, { from: 0, before: Number.MAX_SAFE_INTEGER });
      else track.values.countAll(track.section.rows, this.events);
    }
    return true;
  }

  #read({ reader, matcher, bucket, values }: Track, span: Span): void {
    const { rows, buckets } = this.#rows;
    const [numbers, events] = [this.#numbers, this.events];
    for (;;) {
      const count = this.#rows.read(reader, span, bucket);
      if (count === 0) return;
      values.read(rows, count, numbers);
      const passes = matcher?.match(rows, count) ?? null;
      for (let row = 0; row < count; row += 1) {
        if (buckets[row] === OUTSIDE || (passes !== null && passes[row] === 0)) continue;
        events[numbers[row]] += 1;
      }
    }
  }
}
