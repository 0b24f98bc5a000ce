import type { Section } from '../../../event-store/projections.ts';
import { type RowProperty, rowProperty } from './row-property.ts';
import type { RowBuffer } from './rows.ts';

/** Code 0 is no value. */
function withNone(numbers: Float64Array): Float64Array {
  const all = new Float64Array(1 + numbers.length);
  all[0] = Number.NaN;
  all.set(numbers, 1);
  return all;
}

export class RowNumbers {
  readonly #numbers: Float64Array;
  readonly #codes: RowProperty['codes'];

  private constructor(numbers: Float64Array, codes: RowProperty['codes']) {
    this.#numbers = numbers;
    this.#codes = codes;
  }

  static of(section: Section, prop: string): RowNumbers | null {
    const column = section.properties.has(prop) ? null : section.asked.get(prop);
    if (column?.numbers) {
      const { codes, numbers } = column;
      return new RowNumbers(codes === null ? numbers : withNone(numbers), codes);
    }
    const property = rowProperty(section, prop);
    if (!property) return null;
    const numbers = Float64Array.from({ length: property.length }, (_, code) => {
      const value = property.at(code);
      return typeof value === 'number' ? value : Number.NaN;
    });
    return numbers.every(Number.isNaN) ? null : new RowNumbers(numbers, property.codes);
  }

  read({ first }: RowBuffer, count: number, into: Float64Array): void {
    const [numbers, codes] = [this.#numbers, this.#codes];
    if (codes === null) {
      for (let row = 0; row < count; row += 1) into[row] = numbers[first + row];
      return;
    }
    for (let row = 0; row < count; row += 1) into[row] = numbers[codes[first + row]];
  }
}
