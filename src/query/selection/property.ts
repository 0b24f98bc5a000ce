import { textLiteral } from '../../storage/duckdb-literal.ts';

export type PropertyMatch = { prop: string; equals: string };

export type PropertySql = {
  match: (match: PropertyMatch) => string;
  text: (prop: string) => string;
};

export function jsonTexts(equals: string): string[] {
  const texts = [JSON.stringify(equals)];
  const isNumber =
    equals !== '' && String(Number(equals)) === equals && Number.isFinite(Number(equals));
  if (isNumber || equals === 'true' || equals === 'false') texts.push(equals);
  return texts;
}

/**
 * Props are stored as JSON.stringify wrote them, flat and without spaces, so `"prop":value` between
 * `{` or `,` and `,` or `}` is that member: a quote inside a string follows a backslash, and a
 * closing quote precedes `:`, `,` or `}`.
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

/** Text search finds it, and parsed values have the same text. */
export const isPlainName = ({ prop }: PropertyMatch): boolean =>
  !/^[:,}]/.test(prop) && prop !== '';

/** Null, which is no match, for events without props. */
export function propertyMatchSql(match: PropertyMatch): string {
  if (!isPlainName(match)) return `(${parsedMatch(match)})`;
  const variants = jsonTexts(match.equals).map((value) => `(${textMatch(match.prop, value)})`);
  return `(${variants.join(' OR ')})`;
}

/** DuckDB writes 1e21 where JavaScript writes 1e+21. */
export const jsonTextSql = (text: string, type: string): string =>
  `CASE WHEN contains(${text}, 'e') AND ${type} = 'DOUBLE'
    THEN regexp_replace(${text}, 'e([0-9])', 'e+\\1') ELSE ${text} END`;

export function propertyTextSql(prop: string): string {
  const at = pointer(prop);
  return jsonTextSql(`json_extract_string(props, ${at})`, `json_type(props, ${at})`);
}

export const DUCKDB_PROPERTIES: PropertySql = { match: propertyMatchSql, text: propertyTextSql };
