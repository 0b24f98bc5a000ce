import { createHash } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import { at, must } from '../../shared/assert.ts';
import { Nullable, parser } from '../../shared/schema.ts';
import { onePattern } from '../../shared/text.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import type { ConditionValue } from './conditions.ts';
import { MAX_NUMBER_RANGES, toRangeText, rangeTexts } from './number-ranges.ts';
import { DUCKDB, type SqlDialect } from './property.ts';

export const COLUMN_DIMENSIONS = ['platform', 'appVersion', 'country'] as const;

const COLUMNS = [
  Type.Object({ kind: Type.Literal('platform') }),
  Type.Object({ kind: Type.Literal('appVersion') }),
  Type.Object({ kind: Type.Literal('country') }),
  Type.Object({ kind: Type.Literal('osVersion') }),
  Type.Object({ kind: Type.Literal('locale') }),
  Type.Object({ kind: Type.Literal('name') }),
] as const;

/** What the person's first event of clients has. */
const OfFirst = Type.Object({
  kind: Type.Literal('first'),
  of: Type.Union([...COLUMNS, Type.Object({ kind: Type.Literal('prop'), prop: Type.String() })]),
});

/** The arm that the person was exposed to alone and not by hand. */
const InArm = Type.Object({
  kind: Type.Literal('inArm'),
  experimentId: Type.String(),
  exposedFromUs: Type.Integer(),
  exposedBeforeUs: Type.Integer(),
});

export const Trait = Type.Union([OfFirst, InArm]);
export type Trait = Static<typeof Trait>;

export const Dimension = Type.Union([
  ...COLUMNS,
  Type.Object({
    kind: Type.Literal('prop'),
    prop: Type.String(),
    /** Its numbers in ranges, ascending; null to choose them from what was sent. */
    bounds: Type.Optional(Nullable(Type.Array(Type.Number(), { maxItems: MAX_NUMBER_RANGES - 1 }))),
  }),
  OfFirst,
  InArm,
]);
export type Dimension = Static<typeof Dimension>;

const traits = parser(Trait, 'trait');
export const isTrait = (by: unknown): by is Trait => traits.check(by);

export const listTraits = (question: object): Trait[] =>
  ['breakdown', 'crossed']
    .map((name): unknown => Reflect.get(question, name))
    .flatMap((by) => (isTrait(by) ? [by] : []));

export const BrokenDown = Type.Object({
  others: Type.Integer({ minimum: 0 }),
  bounds: Type.Optional(Type.Array(Type.Number())),
});
export type BrokenDown = Static<typeof BrokenDown>;

export const MISSING: Readonly<Record<Dimension['kind'], string>> = {
  platform: 'other',
  appVersion: 'unknown',
  country: 'unknown',
  osVersion: 'unknown',
  locale: 'unknown',
  name: 'unknown',
  prop: 'unknown',
  first: 'unknown',
  inArm: 'none',
};

const TRAIT = 'trait_';

export const traitColumn = (by: Trait): string =>
  `${TRAIT}${createHash('sha256').update(JSON.stringify(by)).digest('hex').slice(0, 16)}`;

export const isTraitColumn = (column: string): boolean => column.startsWith(TRAIT);

const findBounds = (by: Dimension): readonly number[] | null =>
  by.kind === 'prop' && by.bounds !== undefined ? (by.bounds ?? []) : null;

/** All values in their order, with the missing one last, where they are given; else null. */
export function givenValues(by: Dimension): string[] | null {
  const bounds = findBounds(by);
  return bounds && [...rangeTexts(bounds), MISSING[by.kind]];
}

/** As `dimensionSql` has it. */
export function valueText(by: Dimension, value: ConditionValue | null): string {
  const bounds = findBounds(by);
  if (bounds !== null) {
    return typeof value === 'number' ? toRangeText(bounds, value) : MISSING[by.kind];
  }
  return value === null ? MISSING[by.kind] : String(value);
}

function rangeSql(prop: string, bounds: readonly number[], sql: SqlDialect): string {
  const texts = rangeTexts(bounds).map(textLiteral);
  return sql.once(sql.number(prop), (value) => {
    const arms = bounds.map(
      (bound, index) => `WHEN ${value} < ${sql.numberLiteral(bound)} THEN ${at(texts, index)}`,
    );
    const last = `WHEN ${value} IS NOT NULL THEN ${at(texts, bounds.length)}`;
    return `CASE ${[...arms, last].join(' ')} ELSE '${MISSING.prop}' END`;
  });
}

/** A missing value has a name, as in summaries. */
export function dimensionSql(
  by: Dimension,
  properties: SqlDialect = DUCKDB,
): { column: string; value: string } {
  switch (by.kind) {
    case 'platform':
      return { column: 'platform', value: `coalesce(platform, '${MISSING.platform}')` };
    case 'appVersion':
      return { column: 'app_version', value: `coalesce(app_version, '${MISSING.appVersion}')` };
    case 'country':
      return { column: 'country', value: `coalesce(country, '${MISSING.country}')` };
    case 'osVersion':
      return { column: 'os_version', value: `coalesce(os_version, '${MISSING.osVersion}')` };
    case 'locale':
      return { column: 'locale', value: `coalesce(locale, '${MISSING.locale}')` };
    case 'name':
      return { column: 'name', value: 'name' };
    case 'prop': {
      const bounds = findBounds(by);
      const value = bounds
        ? rangeSql(by.prop, bounds, properties)
        : `coalesce(${properties.text(by.prop)}, '${MISSING.prop}')`;
      return { column: 'props', value };
    }
    case 'first':
      return { column: traitColumn(by), value: `coalesce(${traitColumn(by)}, '${MISSING.first}')` };
    case 'inArm':
      return { column: traitColumn(by), value: `coalesce(${traitColumn(by)}, '${MISSING.inArm}')` };
  }
}

const PROP = 'prop:';
const FIRST = 'first:';

/** `platform`, `appVersion`, `country`, `prop:NAME`. */
export const DIMENSION_PATTERN = `platform|appVersion|country|prop:${onePattern()}{1,64}`;

/** Those of questions as JSON: `osVersion`, `locale` and `name` too, and all of the first event. */
const OF_EVENTS = `osVersion|locale|name|${DIMENSION_PATTERN}`;
export const QUESTION_DIMENSION_PATTERN = `(${FIRST})?(${OF_EVENTS})`;

const KINDS = [...COLUMN_DIMENSIONS, 'osVersion', 'locale', 'name'] as const;

function ofEvents(text: string): Static<typeof OfFirst>['of'] {
  if (text.startsWith(PROP)) return { kind: 'prop', prop: text.slice(PROP.length) };
  const kind = KINDS.find((name) => name === text);
  return { kind: must(kind, 'the pattern lets no other name through') };
}

export const parseDimension = (text: string): Dimension =>
  text.startsWith(FIRST)
    ? { kind: 'first', of: ofEvents(text.slice(FIRST.length)) }
    : ofEvents(text);
