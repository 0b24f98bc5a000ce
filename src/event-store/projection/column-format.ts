import { type Static, Type } from '@sinclair/typebox';
import { OneOf, parser } from '../../shared/schema.ts';
import { aligned, PREFIX_BYTES } from './format.ts';

/** How bytes lie, and what is kept; columns of other formats are made anew. */
export const COLUMN_FORMAT = 1;
/** "MCPC" in little-endian. */
export const COLUMN_MAGIC = 0x4350434d;

const Count = Type.Integer({ minimum: 0 });

const ColumnSection = Type.Object({
  rows: Count,
  /**
   * `own`: in the projection. `none`: in no row. `apart`: only in the file. `texts`, `numbers`:
   * codes of scalars as JSON, of numbers. `plain`: a number a row, NaN for none.
   */
  kind: OneOf(['own', 'none', 'apart', 'texts', 'numbers', 'plain']),
  /** Bytes of a code: 0 for none, else value index + 1. */
  width: Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(4)]),
  values: Count,
  textBytes: Count,
});
export type ColumnSectionHeader = Static<typeof ColumnSection>;

const ColumnHeader = Type.Object({
  prop: Type.String(),
  /** Checksum of the projection with the same rows, in hexadecimal. */
  projection: Type.String(),
  sections: Type.Array(ColumnSection),
});
export type ColumnHeader = Static<typeof ColumnHeader>;

export const parseColumnHeader = parser(ColumnHeader, 'header of a column');

/** For texts, `values` are where each begins. */
export type ColumnLayout = { codes: number; values: number; text: number };

export function toColumnLayout(
  { sections }: ColumnHeader,
  headerBytes: number,
): { sections: ColumnLayout[]; end: number } {
  let next = aligned(PREFIX_BYTES + headerBytes);
  const take = (bytes: number) => {
    const offset = next;
    next += aligned(bytes);
    return offset;
  };
  const placed = sections.map(({ kind, rows, width, values, textBytes }): ColumnLayout => {
    if (kind === 'plain') return { codes: next, values: take(rows * 8), text: next };
    if (kind === 'numbers') {
      return { codes: take(rows * width), values: take(values * 8), text: next };
    }
    if (kind !== 'texts') return { codes: next, values: next, text: next };
    return { codes: take(rows * width), values: take((values + 1) * 4), text: take(textBytes) };
  });
  return { sections: placed, end: next };
}
