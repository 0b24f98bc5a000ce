import { asking as t } from '../texts/asking.ts';
import { isPropertyField, type Operator, SEGMENT, type Said, takes } from './conditions.ts';
import { segmentName } from './segment-names.ts';
import { valueLabel } from './sent-values.ts';

type Named = keyof typeof t.fields;
const isNamed = (field: string): field is Named => field in t.fields;

export const fieldWord = (field: string): string => {
  if (isPropertyField(field)) return field.slice(field.indexOf(':') + 1);
  return isNamed(field) ? t.fields[field] : field;
};

export function valueWord(field: string, value: string): string {
  if (field === SEGMENT) return value === 'event' ? t.thenAlready : segmentName(value);
  if (value === '') return '“”';
  if (field === 'platform' || field === 'country') return valueLabel(field, value);
  return value;
}

export const operatorWord = (field: string, operator: Operator): string =>
  field === SEGMENT ? t.members[operator === 'is' ? 'is' : 'isNot'] : t.operators[operator];

export function saidWords({ field, operator, values }: Said): string {
  const word = operatorWord(field, operator);
  if (takes(operator) === 'none') return word;
  const shown = values.map((value) => valueWord(field, value));
  return `${word} ${shown.join(takes(operator) === 'two' ? ` ${t.and} ` : ', ')}`;
}
