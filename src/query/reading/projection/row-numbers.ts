import type { Section } from '../../../event-store/projections.ts';
import { valuesOf } from './row-matcher.ts';
import type { RowBuffer } from './rows.ts';

/** The number that each row of a section has as a property; NaN where it has none. */
export class RowNumbers {
  readonly #numbers: Float64Array;
  readonly #codes: Uint8Array;

  private constructor(numbers: Float64Array, codes: Uint8Array) {
    this.#numbers = numbers;
    this.#codes = codes;
  }

  /** Null where no row has one. */
  static of({ properties }: Section, prop: string): RowNumbers | null {
    const property = properties.get(prop);
    if (!property) return null;
    const numbers = Float64Array.from(valuesOf(property), (value) =>
      typeof value === 'number' ? value : Number.NaN,
    );
    return numbers.every(Number.isNaN) ? null : new RowNumbers(numbers, property.codes);
  }

  /** Of a row of the buffer. */
  at({ first }: RowBuffer, row: number): number {
    return this.#numbers[this.#codes[first + row]];
  }
}
