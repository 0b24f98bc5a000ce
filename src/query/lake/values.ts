import { textLiteral } from '../../storage/duckdb-literal.ts';
import type { Dimension } from '../dimension.ts';
import { COLUMN_DIMENSIONS } from '../dimension.ts';
import type { EventFilters } from '../filters.ts';
import { isPlainName, jsonTexts, type PropertyMatch } from '../property.ts';
import { NotExpressible } from './not-expressible.ts';

/**
 * Whether an event has the property with this value, by the text of its properties, as
 * `propertyMatchSql` says for DuckDB.
 */
export function lakeMatchSql(match: PropertyMatch): string {
  if (!isPlainName(match)) throw new NotExpressible(`The property "${match.prop}" is not text.`);
  const member = `${JSON.stringify(match.prop)}:`;
  const places = jsonTexts(match.equals).flatMap((value) =>
    ['{', ','].flatMap((before) => [',', '}'].map((after) => before + member + value + after)),
  );
  const found = places.map((place) => `strpos(props, ${textLiteral(place)}) > 0`);
  return `coalesce(${found.join(' OR ')}, false)`;
}

const escaped = (text: string) => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&');

/** What 64 bits hold; DuckDB shows longer whole numbers with a point. */
const LONGEST_INTEGER = 18;

/** The value of a property as text; null when it is missing or null. */
function propertyTextSql(prop: string): string {
  if (!isPlainName({ prop, equals: '' })) {
    throw new NotExpressible(`The property "${prop}" is not text.`);
  }
  const member = escaped(`${JSON.stringify(prop)}:`);
  const pattern = textLiteral(`[{,]${member}("(?:[^"\\\\]|\\\\.)*"|[^,}]*)`);
  const token = `regexp_extract(props, ${pattern}, 1)`;
  const isLong = `length(ltrim(t, '-')) > ${LONGEST_INTEGER} AND regexp_like(t, '\\A-?[0-9]+\\z')
    AND (CAST(t AS DECIMAL(38, 0)) > DECIMAL '18446744073709551615'
      OR CAST(t AS DECIMAL(38, 0)) < DECIMAL '-9223372036854775808')`;
  // A list of one, since SQL has no other name for what is used more than once.
  return `element_at(transform(ARRAY[${token}], t -> CASE
    WHEN t IS NULL OR t = 'null' THEN NULL
    WHEN starts_with(t, '"') THEN json_extract_scalar(t, '$')
    WHEN ${isLong} THEN t || '.0'
    ELSE replace(t, 'e+', 'e') END), 1)`;
}

/** The column that an event's value is in, and the value; a missing one has the name that it has in summaries. */
export function lakeDimensionSql(by: Dimension): { column: string; value: string } {
  switch (by.kind) {
    case 'platform':
      return { column: 'platform', value: "coalesce(platform, 'other')" };
    case 'appVersion':
      return { column: 'app_version', value: "coalesce(app_version, 'unknown')" };
    case 'country':
      return { column: 'country', value: "coalesce(country, 'unknown')" };
    case 'prop':
      return { column: 'props', value: `coalesce(${propertyTextSql(by.prop)}, 'unknown')` };
  }
}

/** The columns that filters read, and their condition; null without a filter. */
export function lakeFilterSql(filters: EventFilters): {
  columns: string[];
  condition: string | null;
} {
  const filtered = COLUMN_DIMENSIONS.flatMap((kind) => {
    const equals = filters[kind];
    if (equals === undefined) return [];
    const { column, value } = lakeDimensionSql({ kind });
    return [{ column, condition: `${value} = ${textLiteral(equals)}` }];
  });
  if (filters.property) {
    filtered.push({ column: 'props', condition: lakeMatchSql(filters.property) });
  }
  const conditions = filtered.map(({ condition }) => condition);
  return {
    columns: filtered.map(({ column }) => column),
    condition: conditions.length === 0 ? null : conditions.join(' AND '),
  };
}

/**
 * What to order ids by so that the order is that of JavaScript, which compares halves of characters
 * beyond the sixteenth bit: they stand before those from U+E000 on.
 */
export const orderKeySql = (text: string) =>
  `regexp_replace(${text}, '([\\x{10000}-\\x{10FFFF}])', '\uD7FF$1')`;

/** The same of a text at hand. */
export const orderKey = (text: string) => text.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '\uD7FF$&');
