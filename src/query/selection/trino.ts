import { VERSION_PATTERN } from '../../shared/app-version.ts';
import { textList, textLiteral } from '../../storage/duckdb-literal.ts';
import type { ConditionValue } from './conditions.ts';
import { isPlainName, type SqlDialect } from './property.ts';
import { NotExpressible } from '../failure/not-expressible.ts';

function refuseUnplain(prop: string): void {
  if (!isPlainName(prop)) {
    throw new NotExpressible(`The property "${prop}" is not text.`);
  }
}

function foundSql(prop: string, values: readonly string[]): string {
  refuseUnplain(prop);
  const member = `${JSON.stringify(prop)}:`;
  const places = values.flatMap((value) =>
    ['{', ','].flatMap((before) => [',', '}'].map((after) => before + member + value + after)),
  );
  const found = places.map((place) => `strpos(props, ${textLiteral(place)}) > 0`);
  return `coalesce(${found.join(' OR ')}, false)`;
}

const escaped = (text: string) => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&');

function memberSql(prop: string): string {
  refuseUnplain(prop);
  const member = escaped(`${JSON.stringify(prop)}:`);
  const pattern = textLiteral(`[{,]${member}("(?:[^"\\\\]|\\\\.)*"|[^,}]*)`);
  return `regexp_extract(props, ${pattern}, 1)`;
}

// A list of one, as SQL has no other name for a repeated value.
const repeated = (value: string, use: string) =>
  `element_at(transform(ARRAY[${value}], t -> ${use}), 1)`;

const textSql = (prop: string): string =>
  repeated(
    memberSql(prop),
    `CASE
    WHEN t IS NULL OR t = 'null' THEN NULL
    WHEN starts_with(t, '"') THEN json_extract_scalar(t, '$')
    ELSE t END`,
  );

const stringSql = (prop: string): string =>
  repeated(memberSql(prop), `IF(starts_with(t, '"'), json_extract_scalar(t, '$'))`);

const numberSql = (prop: string): string =>
  repeated(memberSql(prop), `IF(regexp_like(t, '^[-0-9]'), TRY_CAST(t AS DOUBLE))`);

const isOneOfSql = (prop: string, values: readonly ConditionValue[]): string =>
  foundSql(
    prop,
    values.map((value) => JSON.stringify(value)),
  );

const SECOND_US = 1_000_000;

function instantSql(us: number): string {
  const seconds = Math.floor(us / SECOND_US);
  const text = new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ');
  const fraction = String(us - seconds * SECOND_US).padStart(6, '0');
  return `TIMESTAMP '${text}.${fraction} UTC'`;
}

/** Sums of parts that a double holds exactly, and of what they leave. */
function sumDecimalsSql(values: string): string {
  const part = `IF(abs(${values}) < 1e12, round(${values} * 1024) / 1024, ${values})`;
  return `(sum(${part}) + sum(${values} - ${part}))`;
}

function quantileSql(values: string, share: number): string {
  const place = `(cardinality(t) - 1) * DOUBLE '${share}'`;
  const low = `element_at(t, CAST(floor(${place}) AS INTEGER) + 1)`;
  const high = `element_at(t, CAST(ceil(${place}) AS INTEGER) + 1)`;
  const distance = `(${place} - floor(${place}))`;
  const sorted = `array_sort(array_agg(${values}))`;
  return repeated(sorted, `${low} * (1 - ${distance}) + ${high} * ${distance}`);
}

const VERSION = textLiteral(VERSION_PATTERN.replace(/\$$/, '\\z'));

function versionKeySql(text: string): string {
  const numbers = `regexp_replace(regexp_extract(t, ${VERSION}, 1), '(\\.0+)+$', '')`;
  const rest = `coalesce(regexp_extract(t, ${VERSION}, 2), '')`;
  const digits = "regexp_replace(n, '^0+', '')";
  return repeated(
    text,
    `IF(regexp_like(t, ${VERSION}), array_join(transform(split(${numbers}, '.'),
      n -> chr(64 + length(${digits})) || ${digits}), '.')
      || CASE WHEN ${rest} = '' THEN '!1' WHEN starts_with(${rest}, '-') THEN '!0' ELSE '!2' END)`,
  );
}

export const LAKE: SqlDialect = {
  isOneOf: isOneOfSql,
  text: textSql,
  string: stringSql,
  number: numberSql,
  isSet: (prop) => `${memberSql(prop)} <> 'null'`,
  numberLiteral: (value) => `DOUBLE '${value}'`,
  contains: (text, literal) => `strpos(${text}, ${literal}) > 0`,
  versionKey: versionKeySql,
  once: (value, use) => repeated(value, use('t')),
  member: () => {
    throw new NotExpressible('Who is in a segment DuckDB finds.');
  },
  instant: instantSql,
  sinceEpoch: (time) => `CAST(round(to_unixtime(${time}) * 1e6) AS BIGINT)`,
  quotient: (value, divisor) => `(${value}) / ${divisor}`,
  bit: (place) => `bitwise_left_shift(BIGINT '1', CAST(${place} AS INTEGER))`,
  mergeBits: (bits) => `bitwise_or_agg(${bits})`,
  bitsIn: (value, mask) => `bitwise_and(${value}, BIGINT '${mask}')`,
  shiftRight: (value, places) => `bitwise_right_shift(${value}, CAST(${places} AS INTEGER))`,
  zerosBelow: (value) => `bit_count(bitwise_and(${value}, -${value}) - 1, 64)`,
  placeAmong: (texts, text) => `nullif(array_position(ARRAY[${textList(texts)}], ${text}), 0)`,
  sumWhole: (values) => `sum(CAST(${values} AS DECIMAL(38, 0)))`,
  sumDecimals: sumDecimalsSql,
  quantile: quantileSql,
  materialized: '',
};

/** Orders ids as JavaScript does, by UTF-16 units: characters beyond them stand before U+E000. */
export const orderKeySql = (text: string) =>
  `regexp_replace(${text}, '([\\x{10000}-\\x{10FFFF}])', '\uD7FF$1')`;

export const orderKey = (text: string) => text.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '\uD7FF$&');
