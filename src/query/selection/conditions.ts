import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { isVersion } from '../../shared/app-version.ts';
import { must } from '../../shared/assert.ts';
import { invalidInput } from '../../shared/errors.ts';
import { CONTEXT_FIELDS, isVersionField } from '../../shared/event-fields.ts';
import { OneOf } from '../../shared/schema.ts';
import { onePattern, Text } from '../../shared/text.ts';

export const MAX_CONDITIONS = 12;
const MAX_VALUES = 50;

export const COLUMN_FIELDS = ['name', ...CONTEXT_FIELDS, 'session'] as const;
export type ColumnField = (typeof COLUMN_FIELDS)[number];

const PROP = 'prop:';
const FIRST = 'first:';
const ARM = 'arm';

const FIELDS = COLUMN_FIELDS.join(', ');

export const ConditionField = Type.String({
  pattern: `^((${FIRST})?(${COLUMN_FIELDS.join('|')}|${PROP}${onePattern()}{1,64})|${ARM})$`,
  rule: `must be one of ${FIELDS}, prop:NAME, first: with one of these, or arm`,
  description: `${FIELDS}, or prop:NAME for a property; first: before it for that of the person's first event; arm for the arm of an experiment.`,
});

const ConditionText = Text(0, 500);
export const ConditionValue = Type.Union([ConditionText, Type.Number(), Type.Boolean()]);
export type ConditionValue = Static<typeof ConditionValue>;
const Bound = Type.Union([Type.Number(), ConditionText]);

const STRICT = { additionalProperties: false };

const IsCondition = Type.Object(
  { field: ConditionField, op: OneOf(['is', 'isNot']), value: ConditionValue },
  { ...STRICT, title: 'IsCondition' },
);
const OneOfCondition = Type.Object(
  {
    field: ConditionField,
    op: OneOf(['isOneOf']),
    values: Type.Array(ConditionValue, { minItems: 1, maxItems: MAX_VALUES }),
  },
  { ...STRICT, title: 'OneOfCondition' },
);
const TextCondition = Type.Object(
  { field: ConditionField, op: OneOf(['contains', 'beginsWith']), value: ConditionText },
  { ...STRICT, title: 'TextCondition' },
);
const OrderCondition = Type.Object(
  { field: ConditionField, op: OneOf(['gt', 'gte', 'lt', 'lte']), value: Bound },
  { ...STRICT, title: 'OrderCondition' },
);
const BetweenCondition = Type.Object(
  { field: ConditionField, op: OneOf(['between']), from: Bound, to: Bound },
  { ...STRICT, title: 'BetweenCondition' },
);
const SetCondition = Type.Object(
  { field: ConditionField, op: OneOf(['isSet', 'isNotSet']) },
  { ...STRICT, title: 'SetCondition' },
);

export const Condition = Type.Union(
  [IsCondition, OneOfCondition, TextCondition, OrderCondition, BetweenCondition, SetCondition],
  { title: 'Condition', rule: 'must be a condition: a field, an op and what the op takes' },
);
export type Condition = Static<typeof Condition>;

export const SegmentId = Type.String({ pattern: '^seg_[0-9a-z_]{1,60}$' });

export const AS_OF = ['now', 'event'] as const;

export const MemberCondition = Type.Object(
  {
    segment: SegmentId,
    is: Type.Boolean(),
    asOf: Type.Optional(
      OneOf(AS_OF, {
        whenLeftOut: 'now',
        description:
          'now: who is in the segment when it is asked. event: who was in it by what came before the event.',
      }),
    ),
  },
  {
    ...STRICT,
    title: 'MemberCondition',
    description: 'Whether the person is in a segment of the app.',
  },
);
export type MemberCondition = Static<typeof MemberCondition>;

const ListOf = <T extends TSchema>(item: T) =>
  Type.Array(item, { minItems: 1, maxItems: MAX_CONDITIONS });

const One = Type.Union([Condition, MemberCondition], {
  rule: 'must be a condition: a field, an op and what the op takes, or a segment and is',
});

const Item = Type.Union(
  [
    Condition,
    MemberCondition,
    Type.Object({ all: ListOf(One) }, { ...STRICT, title: 'AllWithin' }),
    Type.Object({ any: ListOf(One) }, { ...STRICT, title: 'AnyWithin' }),
  ],
  {
    rule: 'must be a condition (a field, an op and what the op takes, or a segment and is), or conditions as all or any',
  },
);
type Item = Static<typeof Item>;

/** All of them, or any of them; one level of nesting. */
export const Conditions = Type.Union(
  [
    Type.Object({ all: ListOf(Item) }, { ...STRICT, title: 'AllConditions' }),
    Type.Object({ any: ListOf(Item) }, { ...STRICT, title: 'AnyCondition' }),
  ],
  { title: 'Conditions', rule: 'must be conditions as all or any' },
);
export type Conditions = Static<typeof Conditions>;

export function readItem<T>(
  item: Item | Conditions,
  read: {
    one: (condition: Condition) => T;
    member: (condition: MemberCondition) => T;
    all: (parts: T[]) => T;
    any: (parts: T[]) => T;
  },
): T {
  if ('all' in item) return read.all(item.all.map((part) => readItem(part, read)));
  if ('any' in item) return read.any(item.any.map((part) => readItem(part, read)));
  return 'segment' in item ? read.member(item) : read.one(item);
}

type Placed<C> = { place: string; condition: C };

function placedItems(
  item: Item | Conditions,
  place: string,
): Placed<Condition | MemberCondition>[] {
  if ('field' in item || 'segment' in item) return [{ place, condition: item }];
  const [word, parts] = 'all' in item ? (['all', item.all] as const) : (['any', item.any] as const);
  return parts.flatMap((part, index) => placedItems(part, `${place}.${word}[${index}]`));
}

export const placedConditions = (where: Conditions, place: string): Placed<Condition>[] =>
  placedItems(where, place).flatMap(({ place, condition }) =>
    'field' in condition ? [{ place, condition }] : [],
  );

export const placedMembers = (where: Conditions, place: string): Placed<MemberCondition>[] =>
  placedItems(where, place).flatMap(({ place, condition }) =>
    'segment' in condition ? [{ place, condition }] : [],
  );

export const membersIn = (where: Conditions): MemberCondition[] =>
  placedMembers(where, '').map(({ condition }) => condition);

export const membershipKey = ({ segment, asOf = 'now' }: MemberCondition): string =>
  asOf === 'now' ? segment : `${segment}@${asOf}`;

export const listConditions = (where: Conditions): Condition[] =>
  placedConditions(where, '').map(({ condition }) => condition);

export const toPropertyName = (field: string): string | null =>
  field.startsWith(PROP) ? field.slice(PROP.length) : null;

export const toFirstField = (field: string): string | null =>
  field.startsWith(FIRST) ? field.slice(FIRST.length) : null;

export const isArmField = (field: string): boolean => field === ARM;

/** About the person, rather than each event. */
export const isTraitField = (field: string): boolean =>
  isArmField(field) || toFirstField(field) !== null;

export const columnField = (field: string): ColumnField =>
  must(
    COLUMN_FIELDS.find((name) => name === field),
    'the pattern lets no other field through',
  );

function listOperands(condition: Condition): [member: string, value: ConditionValue][] {
  switch (condition.op) {
    case 'isSet':
    case 'isNotSet':
      return [];
    case 'isOneOf':
      return condition.values.map((value, index) => [`values[${index}]`, value]);
    case 'between':
      return [
        ['from', condition.from],
        ['to', condition.to],
      ];
    default:
      return [['value', condition.value]];
  }
}

const IN_ORDER: ReadonlySet<string> = new Set(['gt', 'gte', 'lt', 'lte', 'between']);

function ruleBrokenBy({ field, op }: Condition, value: ConditionValue): string | null {
  const own = toFirstField(field) ?? field;
  if (toPropertyName(own) !== null) return null;
  if (typeof value !== 'string') return `must be text, as ${field} is`;
  if (!isVersionField(own) || !IN_ORDER.has(op) || isVersion(value)) return null;
  return 'must be a version such as 2.10';
}

const OF_ARMS: ReadonlySet<string> = new Set(['is', 'isNot', 'isOneOf', 'isSet', 'isNotSet']);

export function refuseMembers(where: Conditions, place: string, reason: string): void {
  const [member] = placedMembers(where, place);
  if (member) throw invalidInput(`${member.place}.segment`, reason);
  const trait = placedConditions(where, place).find(({ condition }) =>
    isTraitField(condition.field),
  );
  if (trait) throw invalidInput(`${trait.place}.field`, 'is of a person, not of an event');
}

/** Throws `invalid_input` with the place for what the schema cannot say. */
export function checkCondition(condition: Condition, place: string): void {
  for (const [member, value] of listOperands(condition)) {
    const rule = ruleBrokenBy(condition, value);
    if (rule !== null) throw invalidInput(`${place}.${member}`, rule);
  }
  if (condition.op === 'between' && typeof condition.from !== typeof condition.to) {
    throw invalidInput(`${place}.to`, 'must be of the type of from');
  }
  if (isArmField(condition.field) && !OF_ARMS.has(condition.op)) {
    throw invalidInput(`${place}.op`, `of an arm must be one of ${[...OF_ARMS].join(', ')}`);
  }
}

export function checkConditions(where: Conditions, place = 'where'): void {
  const tooMany = placedItems(where, place)[MAX_CONDITIONS];
  if (tooMany)
    throw invalidInput(tooMany.place, `is one of more than ${MAX_CONDITIONS} conditions`);
  for (const { place: at, condition } of placedConditions(where, place)) {
    checkCondition(condition, at);
  }
}
