import { createHash } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import { at, outside } from '../../shared/assert.ts';
import {
  CONTEXT_FIELDS,
  EVENT_FIELDS,
  eachOf,
  FILTER_FIELDS,
  isContextField,
} from '../../shared/event-fields.ts';
import { Nullable, parser } from '../../shared/schema.ts';
import { onePattern } from '../../shared/text.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import type { ConditionValue } from './conditions.ts';
import { MAX_NUMBER_RANGES, toRangeText, rangeTexts } from './number-ranges.ts';
import { DUCKDB, type SqlDialect } from './property.ts';

const KINDS = [...CONTEXT_FIELDS, 'name'] as const;
const OfColumn = Type.Object({ kind: Type.Union(KINDS.map((kind) => Type.Literal(kind))) });

/** Value of the person's first event of clients. */
const OfFirst = Type.Object({
  kind: Type.Literal('first'),
  of: Type.Union([OfColumn, Type.Object({ kind: Type.Literal('prop'), prop: Type.String() })]),
});

/** The arm that the person was exposed to alone and not by hand. */
const InArm = Type.Object({
  kind: Type.Literal('inArm'),
  experimentId: Type.String(),
  exposedFromUs: Type.Integer(),
  exposedBeforeUs: Type.Integer(),
});

export type FirstDimension = Static<typeof OfFirst>;

export const Trait = Type.Union([OfFirst, InArm]);
export type Trait = Static<typeof Trait>;

export const Dimension = Type.Union([
  OfColumn,
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

const listDimensions = (question: object) =>
  ['breakdown', 'crossed'].map((name): unknown => Reflect.get(question, name));

export const listTraits = (question: object): Trait[] =>
  listDimensions(question).flatMap((by) => (isTrait(by) ? [by] : []));

export const isUnbounded = (question: object): boolean =>
  listDimensions(question).some(
    (by) => typeof by === 'object' && by !== null && 'bounds' in by && by.bounds === null,
  );

export const BrokenDown = Type.Object({
  others: Type.Integer({ minimum: 0 }),
  bounds: Type.Optional(Type.Array(Type.Number())),
});
export type BrokenDown = Static<typeof BrokenDown>;

export const MISSING: Readonly<Record<Dimension['kind'], string>> = {
  ...eachOf(CONTEXT_FIELDS, (field) => EVENT_FIELDS[field].missing),
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
  if (by.kind === 'name') return { column: 'name', value: 'name' };
  if (by.kind === 'prop') {
    const bounds = findBounds(by);
    const value = bounds
      ? rangeSql(by.prop, bounds, properties)
      : `coalesce(${properties.text(by.prop)}, '${MISSING.prop}')`;
    return { column: 'props', value };
  }
  const isTrait = by.kind === 'first' || by.kind === 'inArm';
  const column = isTrait ? traitColumn(by) : EVENT_FIELDS[by.kind].column;
  return { column, value: `coalesce(${column}, '${MISSING[by.kind]}')` };
}

const PROP = 'prop:';
const FIRST = 'first:';

const PROPERTY_PATTERN = `prop:${onePattern()}{1,64}`;
export const DIMENSION_PATTERN = [...FILTER_FIELDS, PROPERTY_PATTERN].join('|');
export const DIMENSION_NAMES = `${FILTER_FIELDS.join(', ')} or prop:NAME`;

const MORE = KINDS.filter((kind) => !FILTER_FIELDS.some((field) => field === kind));
export const QUESTION_DIMENSION_PATTERN = `(${FIRST})?(${[...MORE, DIMENSION_PATTERN].join('|')})`;
export const QUESTION_DIMENSION_NAMES = `${KINDS.join(', ')}, prop:NAME, first: with one of these`;

function ofEvents(text: string): Static<typeof OfFirst>['of'] {
  if (text.startsWith(PROP)) return { kind: 'prop', prop: text.slice(PROP.length) };
  if (text !== 'name' && !isContextField(text)) {
    return outside('The pattern lets no other name through.');
  }
  return { kind: text };
}

export const parseDimension = (text: string): Dimension =>
  text.startsWith(FIRST)
    ? { kind: 'first', of: ofEvents(text.slice(FIRST.length)) }
    : ofEvents(text);
