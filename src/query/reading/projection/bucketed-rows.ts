import type { Buckets } from './buckets.ts';
import { CHUNK_ROWS, RowBuffer, type SectionReader, type Span } from './rows.ts';

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
