import {
  EVENT_FIELDS,
  FILTER_FIELDS,
  isContextField,
  isVersionField,
} from '../../shared/event-fields.ts';
import type { Condition, Conditions, MemberCondition } from '../../../clients/api/src/index.ts';

export const OPERATORS = [
  'is',
  'isNot',
  'isOneOf',
  'gte',
  'gt',
  'lte',
  'lt',
  'between',
  'contains',
  'beginsWith',
  'isSet',
  'isNotSet',
] as const;
export type Operator = (typeof OPERATORS)[number];

export type Said = { field: string; operator: Operator; values: readonly string[] };
export type Word = 'all' | 'any';
export type Group = { word: Word; said: readonly Said[] };
export type Part = Said | Group;
export type Where = { word: Word; parts: readonly Part[] };

export const MAX_CONDITIONS = 12;
export const MAX_CLAUSES = 12;

const PROPERTY = 'prop:';
export const isPropertyField = (field: string): boolean => ofEvents(field).startsWith(PROPERTY);

const FIRST = 'first:';
export const FIRST_FIELDS = FILTER_FIELDS.map((field) => `${FIRST}${field}` as const);
export type FirstField = (typeof FIRST_FIELDS)[number];
export const isFirst = (field: string): boolean => field.startsWith(FIRST);
export const ofEvents = (field: string): string =>
  isFirst(field) ? field.slice(FIRST.length) : field;
export const isGroup = (part: Part): part is Group => 'said' in part;

const IN_ORDER: readonly Operator[] = ['gte', 'gt', 'lte', 'lt', 'between'];
const OF_TEXT: readonly Operator[] = ['contains', 'beginsWith'];

export const SEGMENT = 'segment';

export function operatorsOf(field: string): readonly Operator[] {
  if (field === SEGMENT) return ['is', 'isNot'];
  if (isPropertyField(field)) return OPERATORS;
  return OPERATORS.filter((one) =>
    IN_ORDER.includes(one)
      ? isVersionField(ofEvents(field))
      : !OF_TEXT.includes(one) || field === 'locale',
  );
}

export function takes(operator: Operator): 'none' | 'one' | 'two' | 'several' {
  if (operator === 'isSet' || operator === 'isNotSet') return 'none';
  if (operator === 'between') return 'two';
  return operator === 'isOneOf' ? 'several' : 'one';
}

const isNumber = (text: string): boolean => text !== '' && String(Number(text)) === text;

function typesOf(text: string): [string | number | boolean, ...(string | number | boolean)[]] {
  if (isNumber(text)) return [text, Number(text)];
  return text === 'true' || text === 'false' ? [text, text === 'true'] : [text];
}

function isMissing(field: string, value: string | undefined): boolean {
  const own = ofEvents(field);
  return isContextField(own) && EVENT_FIELDS[own].missing === value;
}

type Leaf = Condition | MemberCondition;
type Item = Leaf | { all: Leaf[] } | { any: Leaf[] };

const isLeaf = (item: Item): item is Leaf => 'field' in item || 'segment' in item;

function memberOf({ operator, values: [segment = '', asOf] }: Said): MemberCondition {
  return { segment, is: operator === 'is', ...(asOf === 'event' && { asOf }) };
}

function equal({ field, values: [value = ''] }: Said, isNested: boolean): Item {
  if (isMissing(field, value)) {
    if (isNested) return { field, op: 'isNotSet' };
    return {
      any: [
        { field, op: 'is', value },
        { field, op: 'isNotSet' },
      ],
    };
  }
  const values = isPropertyField(field) ? typesOf(value) : [value];
  return values.length > 1 ? { field, op: 'isOneOf', values } : { field, op: 'is', value };
}

function unequal({ field, values: [value = ''] }: Said, isNested: boolean): Item {
  if (isMissing(field, value)) {
    if (isNested) return { field, op: 'isSet' };
    return {
      all: [
        { field, op: 'isNot', value },
        { field, op: 'isSet' },
      ],
    };
  }
  const [text, typed] = isPropertyField(field) ? typesOf(value) : [value];
  if (typed === undefined) return { field, op: 'isNot', value };
  if (isNested) return { field, op: 'isNot', value: typed };
  return { all: [text, typed].map((one) => ({ field, op: 'isNot' as const, value: one })) };
}

function itemOf(said: Said, isNested: boolean): Item {
  const { field, operator: op, values } = said;
  if (field === SEGMENT) return memberOf(said);
  const [value = '', to = ''] = values;
  const isNumeric = isPropertyField(field) && values.every(isNumber);
  switch (op) {
    case 'is':
      return equal(said, isNested);
    case 'isNot':
      return unequal(said, isNested);
    case 'isOneOf':
      return {
        field,
        op,
        values: values.flatMap((one) => (isPropertyField(field) ? typesOf(one) : one)),
      };
    case 'contains':
    case 'beginsWith':
      return { field, op, value };
    case 'isSet':
    case 'isNotSet':
      return { field, op };
    case 'between':
      return isNumeric
        ? { field, op, from: Number(value), to: Number(to) }
        : { field, op, from: value, to };
    default:
      return { field, op, value: isNumeric ? Number(value) : value };
  }
}

const leafOf = (said: Said): Leaf[] => {
  const item = itemOf(said, true);
  return isLeaf(item) ? [item] : [];
};

export function conditionsOf({ word, parts }: Where): Conditions | undefined {
  const items = parts
    .filter((part) => !isGroup(part) || part.said.length > 0)
    .map((part): Item => {
      if (!isGroup(part)) return itemOf(part, false);
      const leaves = part.said.flatMap(leafOf);
      return part.word === 'all' ? { all: leaves } : { any: leaves };
    });
  if (items.length === 0) return undefined;
  return word === 'all' ? { all: items } : { any: items };
}

const unique = (values: readonly (string | number | boolean)[]): string[] => [
  ...new Set(values.map(String)),
];

function readLeaf(leaf: Leaf): Said {
  if ('segment' in leaf) {
    const values = [leaf.segment, ...(leaf.asOf === 'event' ? [leaf.asOf] : [])];
    return { field: SEGMENT, operator: leaf.is ? 'is' : 'isNot', values };
  }
  const { field } = leaf;
  switch (leaf.op) {
    case 'isOneOf': {
      const values = unique(leaf.values);
      return { field, operator: values.length > 1 ? 'isOneOf' : 'is', values };
    }
    case 'between':
      return { field, operator: leaf.op, values: [String(leaf.from), String(leaf.to)] };
    case 'isSet':
    case 'isNotSet':
      return { field, operator: leaf.op, values: [] };
    default:
      return { field, operator: leaf.op, values: [String(leaf.value)] };
  }
}

/** Undefined for a group that is one. */
function readAsOne(word: Word, leaves: readonly Leaf[]): Said | undefined {
  const said = leaves.map(readLeaf);
  const [first] = said;
  if (!first || leaves.length !== 2 || said[1]?.field !== first.field) return undefined;
  const { operator, values } = said[1];
  const isOfNone = isMissing(first.field, first.values[0]);
  if (word === 'any') {
    return first.operator === 'is' && operator === 'isNotSet' && isOfNone ? first : undefined;
  }
  if (first.operator !== 'isNot') return undefined;
  if (operator === 'isSet') return isOfNone ? first : undefined;
  return operator === 'isNot' && values[0] === first.values[0] ? first : undefined;
}

function readItem(item: Item): Part {
  if (isLeaf(item)) return readLeaf(item);
  const [word, leaves] =
    'all' in item ? (['all', item.all] as const) : (['any', item.any] as const);
  return readAsOne(word, leaves) ?? { word, said: leaves.map(readLeaf) };
}

export function whereOf(conditions: Conditions | undefined): Where {
  if (!conditions) return { word: 'all', parts: [] };
  return 'all' in conditions
    ? { word: 'all', parts: conditions.all.map(readItem) }
    : { word: 'any', parts: conditions.any.map(readItem) };
}

export const countOf = ({ parts }: Where): number =>
  parts.reduce((sum, part) => {
    if (isGroup(part)) return sum + part.said.length;
    return sum + (isLeaf(itemOf(part, false)) ? 1 : 2);
  }, 0);

/** Of those the ones that `said` holds for too. */
export function narrowed<T extends { where?: Conditions }>(selection: T, said: Said): T {
  const { word, parts } = whereOf(selection.where);
  const alone = parts.flatMap((part) => (isGroup(part) ? [] : part));
  if (word === 'any' && alone.length < parts.length) return selection;
  const kept: readonly Part[] =
    word === 'any'
      ? [{ word, said: alone }]
      : parts.filter((part) => isGroup(part) || part.field !== said.field);
  const where = conditionsOf({ word: 'all', parts: [...kept, said] });
  return { ...selection, ...(where && { where }) };
}
