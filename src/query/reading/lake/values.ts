import { textLiteral } from '../../../storage/duckdb-literal.ts';
import {
  isPlainName,
  jsonTexts,
  type PropertyMatch,
  type PropertySql,
} from '../../selection/property.ts';
import { NotExpressible } from './not-expressible.ts';

function matchSql(match: PropertyMatch): string {
  if (!isPlainName(match)) throw new NotExpressible(`The property "${match.prop}" is not text.`);
  const member = `${JSON.stringify(match.prop)}:`;
  const places = jsonTexts(match.equals).flatMap((value) =>
    ['{', ','].flatMap((before) => [',', '}'].map((after) => before + member + value + after)),
  );
  const found = places.map((place) => `strpos(props, ${textLiteral(place)}) > 0`);
  return `coalesce(${found.join(' OR ')}, false)`;
}

const escaped = (text: string) => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&');

function textSql(prop: string): string {
  if (!isPlainName({ prop, equals: '' })) {
    throw new NotExpressible(`The property "${prop}" is not text.`);
  }
  const member = escaped(`${JSON.stringify(prop)}:`);
  const pattern = textLiteral(`[{,]${member}("(?:[^"\\\\]|\\\\.)*"|[^,}]*)`);
  const token = `regexp_extract(props, ${pattern}, 1)`;
  // A list of one, as SQL has no other name for a repeated value.
  return `element_at(transform(ARRAY[${token}], t -> CASE
    WHEN t IS NULL OR t = 'null' THEN NULL
    WHEN starts_with(t, '"') THEN json_extract_scalar(t, '$')
    ELSE t END), 1)`;
}

export const LAKE_PROPERTIES: PropertySql = { match: matchSql, text: textSql };

/** Orders ids as JavaScript does, by UTF-16 units: characters beyond them stand before U+E000. */
export const orderKeySql = (text: string) =>
  `regexp_replace(${text}, '([\\x{10000}-\\x{10FFFF}])', '\uD7FF$1')`;

export const orderKey = (text: string) => text.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '\uD7FF$&');
