import { type Static, Type } from '@sinclair/typebox';
import { must } from '../../shared/assert.ts';
import { onePattern } from '../../shared/text.ts';
import type { ConditionValue } from './conditions.ts';
import { DUCKDB, type SqlDialect } from './property.ts';

export const COLUMN_DIMENSIONS = ['platform', 'appVersion', 'country'] as const;

export const Dimension = Type.Union([
  Type.Object({ kind: Type.Literal('platform') }),
  Type.Object({ kind: Type.Literal('appVersion') }),
  Type.Object({ kind: Type.Literal('country') }),
  Type.Object({ kind: Type.Literal('osVersion') }),
  Type.Object({ kind: Type.Literal('locale') }),
  Type.Object({ kind: Type.Literal('name') }),
  Type.Object({ kind: Type.Literal('prop'), prop: Type.String() }),
]);
export type Dimension = Static<typeof Dimension>;

export const MISSING: Readonly<Record<Dimension['kind'], string>> = {
  platform: 'other',
  appVersion: 'unknown',
  country: 'unknown',
  osVersion: 'unknown',
  locale: 'unknown',
  name: 'unknown',
  prop: 'unknown',
};

/** As `dimensionSql` has it. */
export const valueText = ({ kind }: Pick<Dimension, 'kind'>, value: ConditionValue | null) =>
  value === null ? MISSING[kind] : String(value);

/** The column that an event's value is in and the value as text; a missing one has a name, as in summaries. */
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
    case 'prop':
      return { column: 'props', value: `coalesce(${properties.text(by.prop)}, '${MISSING.prop}')` };
  }
}

const PROP = 'prop:';

/** `platform`, `appVersion`, `country`, `prop:NAME`. */
export const DIMENSION_PATTERN = `platform|appVersion|country|prop:${onePattern()}{1,64}`;

/** Those of questions as JSON: `osVersion`, `locale` and `name` too. */
export const QUESTION_DIMENSION_PATTERN = `osVersion|locale|name|${DIMENSION_PATTERN}`;

const KINDS = [...COLUMN_DIMENSIONS, 'osVersion', 'locale', 'name'] as const;

export function dimensionOf(text: string): Dimension {
  if (text.startsWith(PROP)) return { kind: 'prop', prop: text.slice(PROP.length) };
  const kind = KINDS.find((name) => name === text);
  return { kind: must(kind, 'the pattern lets no other name through') };
}
