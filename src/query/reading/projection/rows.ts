import type { Section } from '../../../event-store/projections.ts';

const WORD = 2 ** 32;
export const CHUNK_ROWS = 4_096;

export class RowBuffer {
  readonly entries = new Int32Array(CHUNK_ROWS);
  readonly times = new Float64Array(CHUNK_ROWS);
  first = 0;
}

export type Span = { readonly from: number; readonly before: number };

export class SectionReader {
  readonly section: Section;
  readonly #baseUs: number;
  #row = 0;
  #place = 0;
  #entry = 0;

  constructor(section: Section, baseUs: number) {
    this.section = section;
    this.#baseUs = baseUs;
    if (section.rows > 0) this.#step();
  }

  /** 0 when all are read. */
  read(span: Span, into: RowBuffer): number {
    const count = this.readEntries(span, into);
    const { low, high } = this.section;
    const { times, first } = into;
    const baseUs = this.#baseUs;
    for (let index = 0; index < count; index += 1) {
      const row = first + index;
      times[index] = baseUs + high[row] * WORD + low[row];
    }
    return count;
  }

  timeOf(row: number): number {
    const { low, high } = this.section;
    return this.#baseUs + high[row] * WORD + low[row];
  }

  readEntries({ from, before }: Span, into: RowBuffer): number {
    if (this.#entry < from) this.#skip(from);
    const { rows, steps } = this.section;
    const { entries } = into;
    into.first = this.#row;
    let row = this.#row;
    let entry = this.#entry;
    let place = this.#place;
    let count = 0;
    while (row < rows && entry < before && count < CHUNK_ROWS) {
      entries[count] = entry;
      count += 1;
      row += 1;
      if (row === rows) break;
      let byte = steps[place];
      place += 1;
      if (byte < 0x80) {
        entry += byte;
        continue;
      }
      let shift = 0;
      while (byte >= 0x80) {
        entry += (byte & 0x7f) << shift;
        shift += 7;
        byte = steps[place];
        place += 1;
      }
      entry += byte << shift;
    }
    this.#row = row;
    this.#entry = entry;
    this.#place = place;
    return count;
  }

  /** Rows between are another thread's. */
  #skip(from: number): void {
    const { rows } = this.section;
    while (this.#entry < from) {
      this.#row += 1;
      if (this.#row >= rows) return;
      this.#step();
    }
  }

  #step(): void {
    const { steps } = this.section;
    let shift = 0;
    for (;;) {
      // A file cut short would make this endless.
      const byte = steps[this.#place];
      this.#place += 1;
      this.#entry += (byte & 0x7f) << shift;
      if (byte < 0x80) return;
      shift += 7;
    }
  }
}
