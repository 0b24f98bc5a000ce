import { textLiteral } from '../../storage/duckdb-literal.ts';

export type PropertyMatch = { prop: string; equals: string };

/** How an engine's SQL reads the column `props`. */
export type PropertySql = {
  /** Whether an event has the property with this value. */
  match: (match: PropertyMatch) => string;
  /** The value of a property as text, as in `equals`; null when it is missing or null. */
  text: (prop: string) => string;
};

/** Every JSON text of a scalar that equals `equals`. */
export function jsonTexts(equals: string): string[] {
  const texts = [JSON.stringify(equals)];
  const isNumber =
    equals !== '' && String(Number(equals)) === equals && Number.isFinite(Number(equals));
  if (isNumber || equals === 'true' || equals === 'false') texts.push(equals);
  return texts;
}

/**
 * Props are stored as JSON.stringify wrote them: flat, no spaces, one text for each value. So
 * `"prop":value` between `{` or `,` and `,` or `}` is that member and nothing else: a quote inside
 * a string has a backslash before it, and after a closing quote comes `:`, `,` or `}`, with which
 * `prop` does not begin.
 */
function textMatch(prop: string, value: string): string {
  const member = `${JSON.stringify(prop)}:${value}`;
  const places = ['{', ','].flatMap((before) => [',', '}'].map((after) => before + member + after));
  const exact = places.map((place) => `contains(props, ${textLiteral(place)})`).join(' OR ');
  return `contains(props, ${textLiteral(member)}) AND (${exact})`;
}

/** JSON pointer of a top-level member, for names that text search cannot find safely. */
function pointer(prop: string): string {
  return textLiteral(`/${prop.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}

function parsedMatch({ prop, equals }: PropertyMatch): string {
  const at = pointer(prop);
  const [, scalar] = jsonTexts(equals);
  const asText = `json_type(props, ${at}) = 'VARCHAR' AND json_extract_string(props, ${at}) = ${textLiteral(equals)}`;
  if (scalar === undefined) return asText;
  const asScalar =
    scalar === 'true' || scalar === 'false'
      ? `json_type(props, ${at}) = 'BOOLEAN' AND json_extract_string(props, ${at}) = ${textLiteral(scalar)}`
      : `json_type(props, ${at}) IN ('UBIGINT', 'BIGINT', 'DOUBLE') AND TRY_CAST(json_extract_string(props, ${at}) AS DOUBLE) = ${textLiteral(scalar)}::DOUBLE`;
  return `(${asText}) OR (${asScalar})`;
}

/** Whether text search finds the property, and what is parsed has the same text. */
export const isPlainName = ({ prop }: PropertyMatch): boolean =>
  !/^[:,}]/.test(prop) && prop !== '';

/** A DuckDB condition on the column `props`; null where the event has none, which is no match. */
export function propertyMatchSql(match: PropertyMatch): string {
  if (!isPlainName(match)) return `(${parsedMatch(match)})`;
  const variants = jsonTexts(match.equals).map((value) => `(${textMatch(match.prop, value)})`);
  return `(${variants.join(' OR ')})`;
}

/** The text of a JSON value as in `equals`: DuckDB writes 1e21 where JavaScript writes 1e+21. */
export const jsonTextSql = (text: string, type: string): string =>
  `CASE WHEN contains(${text}, 'e') AND ${type} = 'DOUBLE'
    THEN regexp_replace(${text}, 'e([0-9])', 'e+\\1') ELSE ${text} END`;

/** The value of a property as text, as in `equals`; null when it is missing or null. */
export function propertyTextSql(prop: string): string {
  const at = pointer(prop);
  return jsonTextSql(`json_extract_string(props, ${at})`, `json_type(props, ${at})`);
}

export const DUCKDB_PROPERTIES: PropertySql = { match: propertyMatchSql, text: propertyTextSql };
