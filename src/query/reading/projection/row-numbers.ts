import type { Section } from '../../../event-store/projections.ts';
import { type RowProperty, rowProperty } from './row-property.ts';
import type { RowBuffer } from './rows.ts';

/** The number that each row of a section has as a property; NaN where it has none. */
export class RowNumbers {
  /** By code, or by row where there are none. */
  readonly #numbers: Float64Array;
  readonly #codes: RowProperty['codes'];

  private constructor(numbers: Float64Array, codes: RowProperty['codes']) {
    this.#numbers = numbers;
    this.#codes = codes;
  }

  /** Null where no row has one. */
  static of(section: Section, prop: string): RowNumbers | null {
    const column = section.properties.has(prop) ? null : section.asked.get(prop);
    if (column?.numbers && column.codes === null) return new RowNumbers(column.numbers, null);
    const property = rowProperty(section, prop);
    if (!property) return null;
    const numbers = Float64Array.from({ length: property.length }, (_, code) => {
      const value = property.at(code);
      return typeof value === 'number' ? value : Number.NaN;
    });
    return numbers.every(Number.isNaN) ? null : new RowNumbers(numbers, property.codes);
  }

  /** Of a row of the buffer. */
  at({ first }: RowBuffer, row: number): number {
    const codes = this.#codes;
    return this.#numbers[codes ? codes[first + row] : first + row];
  }
}
