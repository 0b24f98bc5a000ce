import type { ColumnValues, Property, Section } from '../../../event-store/projections.ts';
import { outside } from '../../../shared/assert.ts';
import type { FieldValue } from '../../selection/row-test.ts';

/** Beyond it each value is tried once it is met. */
export const MAX_LISTED_VALUES = 65_536;

/** The values of a property in a section, each with a number; of `codes` 0 is no value. */
export type RowProperty = {
  /** By row; null where rows have the numbers themselves. */
  codes: Uint8Array | Uint16Array | Uint32Array | null;
  length: number;
  at: (number: number) => FieldValue;
};

function parseScalar(json: string): FieldValue {
  const value: unknown = JSON.parse(json);
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return outside('Projections keep scalars only.');
}

const parsed = new WeakMap<Property, RowProperty>();

function ofProperty(property: Property): RowProperty {
  const known = parsed.get(property);
  if (known) return known;
  const { values, codes } = property;
  const all = [null, ...values.map(parseScalar)];
  const read = { codes, length: all.length, at: (code: number) => all[code] };
  parsed.set(property, read);
  return read;
}

function ofColumn({ codes, length, numbers, textAt }: ColumnValues): RowProperty {
  if (codes === null) {
    const own = numbers ?? outside('Values by row are numbers.');
    const at = (row: number) => (Number.isNaN(own[row]) ? null : own[row]);
    return { codes, length, at };
  }
  const valueAt = (code: number) => (numbers ? numbers[code - 1] : parseScalar(textAt(code - 1)));
  return { codes, length: length + 1, at: (code) => (code === 0 ? null : valueAt(code)) };
}

export function rowProperty({ properties, asked }: Section, prop: string): RowProperty | null {
  const own = properties.get(prop);
  if (own) return ofProperty(own);
  const column = asked.get(prop);
  return column ? ofColumn(column) : null;
}

export const isListed = ({ properties, asked }: Section, prop: string): boolean => {
  const column = properties.has(prop) ? null : asked.get(prop);
  return !column || (column.codes !== null && column.length < MAX_LISTED_VALUES);
};

export const listValues = ({ length, at }: RowProperty): FieldValue[] =>
  Array.from({ length }, (_, number) => at(number));
