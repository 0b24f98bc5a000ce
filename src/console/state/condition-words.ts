import { asking as t } from '../texts/asking.ts';
import {
  isFirst,
  isPropertyField,
  ofEvents,
  type Operator,
  SEGMENT,
  type Said,
  takes,
} from './conditions.ts';
import { segmentName } from './segment-names.ts';
import { dimensionOf } from './filter-rules.ts';
import { dimensionLabel, valueLabel } from './sent-values.ts';

type Named = keyof typeof t.fields;
const isNamed = (field: string): field is Named => field in t.fields;

export const fieldWord = (field: string): string => {
  if (isFirst(field)) return t.first(fieldWord(ofEvents(field)));
  if (isPropertyField(field)) return field.slice(field.indexOf(':') + 1);
  return isNamed(field) ? t.fields[field] : field;
};

export const fieldLabel = (field: string): string => {
  if (isFirst(field)) return t.firstOf(fieldWord(ofEvents(field)));
  const dimension = dimensionOf(field);
  return dimension ? dimensionLabel(dimension) : fieldWord(field);
};

export function valueWord(field: string, value: string): string {
  if (field === SEGMENT) return value === 'event' ? t.thenAlready : segmentName(value);
  if (value === '') return '“”';
  const own = ofEvents(field);
  return own === 'platform' || own === 'country' ? valueLabel(own, value) : value;
}

export const operatorWord = (field: string, operator: Operator): string =>
  field === SEGMENT ? t.members[operator === 'is' ? 'is' : 'isNot'] : t.operators[operator];

const NEEDS_QUOTES = /[\s,()“”\\]/;
export const quoted = (words: string): string =>
  `“${words.replaceAll(/[“”\\]/g, String.raw`\$&`)}”`;

function apartWord(field: string, value: string): string {
  if (field === SEGMENT) return value === 'event' ? t.thenAlready : quoted(segmentName(value));
  const word = valueWord(field, value);
  return word === value && NEEDS_QUOTES.test(word) ? quoted(word) : word;
}

/** No words of a value can be taken for those of a sentence. */
export function saidWords({ field, operator, values }: Said): string {
  const word = operatorWord(field, operator);
  if (takes(operator) === 'none') return word;
  const shown = values.map((value) => apartWord(field, value));
  if (takes(operator) === 'two') return `${word} ${shown.join(` ${t.and} `)}`;
  const list = shown.join(', ');
  return `${word} ${takes(operator) === 'several' && shown.length > 1 ? `(${list})` : list}`;
}
