import { asking as t } from '../texts/asking.ts';
import { isPropertyField, type Said, takes } from './conditions.ts';
import { valueLabel } from './sent-values.ts';

type Named = keyof typeof t.fields;
const isNamed = (field: string): field is Named => field in t.fields;

/** A field in a sentence: "version", or the name of a property. */
export const fieldWord = (field: string): string => {
  if (isPropertyField(field)) return field.slice(field.indexOf(':') + 1);
  return isNamed(field) ? t.fields[field] : field;
};

/** A value as a reader knows it. */
export function valueWord(field: string, value: string): string {
  if (value === '') return '“”';
  if (field === 'platform' || field === 'country') return valueLabel(field, value);
  return value;
}

/** What follows the field: "is iOS", "≥ 2.10", "is one of DE, AT". */
export function saidWords({ field, operator, values }: Said): string {
  const word = t.operators[operator];
  if (takes(operator) === 'none') return word;
  const shown = values.map((value) => valueWord(field, value));
  return `${word} ${shown.join(takes(operator) === 'two' ? ` ${t.and} ` : ', ')}`;
}
