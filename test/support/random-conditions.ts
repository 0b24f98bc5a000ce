import fc from 'fast-check';
import type { EventRow } from '../../src/event-store/event/columns.ts';
import {
  COLUMN_FIELDS,
  type Condition,
  type Conditions,
  type ConditionValue,
} from '../../src/query/selection/conditions.ts';

const VERSIONS = ['2.9', '2.10', '2.10.0', 'v2.10-beta', '2.10 (7)', '10', '0', '0.1', '02.9'];
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  name: ['opened', 'bought', 'closed'],
  platform: ['ios', 'web', 'other'],
  appVersion: [...VERSIONS, 'nightly'],
  osVersion: [...VERSIONS, 'Windows 11', ''],
  locale: ['de-DE', 'de', 'en-US', ''],
  country: ['DE', 'US', 'de', 'u', 'Us', 'EU2'],
  session: ['s1', 's2'],
};
export const PROPS = ['plan', 'price', 'a"b', ',odd', 'when', '😀', '__proto__', 'k'.repeat(64)];
const PROP_VALUES: readonly ConditionValue[] = [
  ...['', '5', 'true', 'yearly', 'Yearly', 'a"b', 'x,"plan":5', '\\', 'ü', '😀', '\uFFFD', '\n'],
  ...['2026-11-21', '2026-11-22T10:00:00Z', 'null', '2.9', '2.10'],
  ...['157963456373623802', '9'.repeat(400), 'Infinity', '-0', 'NaN'],
  ...[-0, Number.MAX_VALUE, Number.MIN_VALUE, 2 ** 53, 40_711_353_552_075_770],
  ...[0, 5, -5, 5.5, 1e21, 1e-7, 12_345_678_901_234_567_000, 100_000_000_000_000_000_000],
  ...[true, false],
];

const propValue = fc.oneof(
  fc.constantFrom(...PROP_VALUES),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ unit: 'binary', maxLength: 3 }).map((text) => text.replaceAll('\u0000', '')),
);

/** Stored, but in no condition. */
const storedOnly = fc.constantFrom(null, 'a\u0000b', '\u0000');
const props = fc.option(
  fc
    .dictionary(fc.constantFrom(...PROPS), fc.oneof(propValue, storedOnly), { maxKeys: 4 })
    .map((one) => JSON.stringify(one)),
);

const textOf = (field: string) => fc.option(fc.constantFrom(...(TEXTS[field] ?? [])));

/** What a row says beside who, when and where. */
export const randomFacts: fc.Arbitrary<
  Pick<
    EventRow,
    'appVersion' | 'country' | 'locale' | 'name' | 'osVersion' | 'platform' | 'props' | 'sessionId'
  >
> = fc.record({
  name: fc.constantFrom('opened', 'bought', 'closed'),
  platform: textOf('platform'),
  appVersion: textOf('appVersion'),
  osVersion: textOf('osVersion').map((text) => text || null),
  locale: textOf('locale').map((text) => text || null),
  country: fc.option(fc.constantFrom('DE', 'US', 'EU2')),
  sessionId: textOf('session'),
  props,
});

const ORDER_OPS = ['gt', 'gte', 'lt', 'lte'] as const;

function conditionsOn(
  field: string,
  value: fc.Arbitrary<ConditionValue>,
  text: fc.Arbitrary<string>,
  bounds: fc.Arbitrary<[string, string] | [number, number]>,
): fc.Arbitrary<Condition> {
  return fc.oneof(
    fc.record({ field: fc.constant(field), op: fc.constantFrom('is', 'isNot'), value }),
    fc.record({
      field: fc.constant(field),
      op: fc.constant('isOneOf' as const),
      values: fc.array(value, { minLength: 1, maxLength: 7 }),
    }),
    fc.record({
      field: fc.constant(field),
      op: fc.constantFrom('contains', 'beginsWith'),
      value: text,
    }),
    fc.record({
      field: fc.constant(field),
      op: fc.constantFrom(...ORDER_OPS),
      value: bounds.map(([bound]) => bound),
    }),
    bounds.map(([from, to]) => ({ field, op: 'between' as const, from, to })),
    fc.record({ field: fc.constant(field), op: fc.constantFrom('isSet', 'isNotSet') }),
  );
}

const onColumn = fc.constantFrom(...COLUMN_FIELDS).chain((field) => {
  const text = fc.constantFrom(...(TEXTS[field] ?? []));
  const isVersion = field === 'appVersion' || field === 'osVersion';
  const bound = isVersion ? fc.constantFrom(...VERSIONS) : text;
  return conditionsOn(
    field,
    text,
    fc.oneof(text, fc.constantFrom('e', '.', '')),
    fc.tuple(bound, bound),
  );
});

const text = propValue.filter((value) => typeof value === 'string');
const number = propValue.filter((value) => typeof value === 'number');
const onProperty = fc
  .constantFrom(...PROPS)
  .chain((prop) =>
    conditionsOn(
      `prop:${prop}`,
      propValue,
      text,
      fc.oneof(fc.tuple(text, text), fc.tuple(number, number)),
    ),
  );

export const randomCondition: fc.Arbitrary<Condition> = fc.oneof(onColumn, onProperty);

const group = <T>(item: fc.Arbitrary<T>, maxLength: number) =>
  fc
    .tuple(fc.boolean(), fc.array(item, { minLength: 1, maxLength }))
    .map(([isAll, items]) => (isAll ? { all: items } : { any: items }));

type One = Exclude<
  Extract<Conditions, { all: unknown }>['all'][number],
  { all: unknown } | { any: unknown }
>;

export const conditionsOf = (one: fc.Arbitrary<One>): fc.Arbitrary<Conditions> =>
  group(fc.oneof({ weight: 4, arbitrary: one }, group(one, 3)), 4);

export const randomConditions = conditionsOf(randomCondition);
