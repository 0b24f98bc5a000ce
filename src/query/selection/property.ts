import { VERSION_PATTERN } from '../../shared/app-version.ts';
import { instantLiteral, textList, textLiteral } from '../../storage/duckdb-literal.ts';
import type { ConditionValue, MemberCondition } from './conditions.ts';
import { memberSql as memberConditionSql } from './member-sql.ts';

/** How an engine reads props and compares; what is null matches nothing. */
export type SqlDialect = {
  isOneOf: (prop: string, values: readonly ConditionValue[]) => string;
  /** Any scalar as text, a string only, a number only. */
  text: (prop: string) => string;
  string: (prop: string) => string;
  number: (prop: string) => string;
  isSet: (prop: string) => string;
  numberLiteral: (value: number) => string;
  contains: (text: string, literal: string) => string;
  /** As `versionKey` makes it of the text of a version. */
  versionKey: (text: string) => string;
  /** A value that is used several times, computed once. */
  once: (value: string, use: (name: string) => string) => string;
  member: (condition: MemberCondition) => { columns: readonly string[]; condition: string };
  instant: (us: number) => string;
  sinceEpoch: (time: string) => string;
  quotient: (value: string, divisor: number | string) => string;
  bit: (place: string) => string;
  mergeBits: (bits: string) => string;
  bitsIn: (value: string, mask: bigint) => string;
  shiftRight: (value: string, places: string) => string;
  zerosBelow: (value: string) => string;
  /** From 1; null for others. */
  placeAmong: (texts: readonly string[], text: string) => string;
  sumWhole: (values: string) => string;
  sumDecimals: (values: string) => string;
  quantile: (values: string, share: number) => string;
  materialized: string;
};

/**
 * Props are stored as JSON.stringify wrote them, so `"prop":value` between `{` or `,` and `,` or
 * `}` is that member: a quote inside a string follows a backslash.
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

/** Text search finds it, and parsed values have the same text. */
export const isPlainName = (prop: string): boolean => !/^[:,}]/.test(prop) && prop !== '';

/** DuckDB writes 1e21 where JavaScript writes 1e+21. */
export const jsonTextSql = (text: string, type: string): string =>
  `CASE WHEN contains(${text}, 'e') AND ${type} = 'DOUBLE'
    THEN regexp_replace(${text}, 'e([0-9])', 'e+\\1') ELSE ${text} END`;

function textSql(prop: string): string {
  const at = pointer(prop);
  return jsonTextSql(`json_extract_string(props, ${at})`, `json_type(props, ${at})`);
}

/** JSON of one member. */
function memberSql(prop: string): string {
  if (!isPlainName(prop)) return `TRY(json_extract(props, ${pointer(prop)})::VARCHAR)`;
  const member = `${JSON.stringify(prop)}:`;
  const escaped = member.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&');
  const pattern = textLiteral(`[{,]${escaped}("(?:[^"\\\\]|\\\\.)*"|[^,}]*)`);
  return `CASE WHEN contains(props, ${textLiteral(member)})
    THEN nullif(regexp_extract(props, ${pattern}, 1), '') END`;
}

const stringSql = (prop: string): string =>
  `list_transform([${memberSql(prop)}], lambda m: CASE WHEN starts_with(m, '"')
    THEN TRY(json_extract_string(m, '$')) END)[1]`;

const numberSql = (prop: string): string => `TRY_CAST(${memberSql(prop)} AS DOUBLE)`;

/** More values are compared with the parsed one. */
const MAX_SEARCHED = 4;

function isOneOfSql(prop: string, values: readonly ConditionValue[]): string {
  if (isPlainName(prop) && values.length <= MAX_SEARCHED) {
    return values.map((value) => `(${textMatch(prop, JSON.stringify(value))})`).join(' OR ');
  }
  const texts = values.filter((value) => typeof value === 'string');
  const numbers = values.filter((value) => typeof value === 'number');
  const booleans = values.filter((value) => typeof value === 'boolean').map(String);
  return [
    ...(texts.length > 0 ? [`${stringSql(prop)} IN (${textList(texts)})`] : []),
    ...(numbers.length > 0
      ? [`${numberSql(prop)} IN (${numbers.map(numberLiteral).join(', ')})`]
      : []),
    ...(booleans.length > 0 ? [`${memberSql(prop)} IN (${textList(booleans)})`] : []),
  ].join(' OR ');
}

const numberLiteral = (value: number): string => `'${value}'::DOUBLE`;

const VERSION = textLiteral(VERSION_PATTERN);

function versionKeySql(text: string): string {
  const numbers = `regexp_replace(regexp_extract(${text}, ${VERSION}, 1), '(\\.0+)+$', '')`;
  const rest = `regexp_extract(${text}, ${VERSION}, 2)`;
  return `CASE WHEN regexp_matches(${text}, ${VERSION}) THEN
    array_to_string(list_transform(string_split(${numbers}, '.'), lambda n:
      chr((64 + length(ltrim(n, '0')))::INTEGER) || ltrim(n, '0')), '.')
    || CASE WHEN ${rest} = '' THEN '!1' WHEN starts_with(${rest}, '-') THEN '!0' ELSE '!2' END END`;
}

export const DUCKDB: SqlDialect = {
  isOneOf: isOneOfSql,
  text: textSql,
  string: stringSql,
  number: numberSql,
  isSet: (prop) => `${memberSql(prop)} <> 'null'`,
  numberLiteral,
  contains: (text, literal) => `contains(${text}, ${literal})`,
  versionKey: versionKeySql,
  once: (value, use) => `list_transform([${value}], lambda v: ${use('v')})[1]`,
  member: memberConditionSql,
  instant: instantLiteral,
  sinceEpoch: (time) => `epoch_us(${time})`,
  quotient: (value, divisor) => `(${value}) // ${divisor}`,
  bit: (place) => `1::BIGINT << (${place})::INTEGER`,
  mergeBits: (bits) => `bit_or(${bits})`,
  bitsIn: (value, mask) => `(${value} & ${mask})`,
  shiftRight: (value, places) => `(${value} >> (${places})::INTEGER)`,
  zerosBelow: (value) => `bit_count((${value} & -${value}) - 1)::INTEGER`,
  placeAmong: (texts, text) => `list_position([${textList(texts)}], ${text})`,
  sumWhole: (values) => `sum(${values})`,
  sumDecimals: (values) => `fsum(${values})`,
  quantile: (values, share) => `quantile_cont(${values}, ${share})`,
  materialized: 'MATERIALIZED',
};
