import { at } from '../../shared/assert.ts';
import {
  COLUMN_FORMAT,
  COLUMN_MAGIC,
  type ColumnLayout,
  type ColumnSectionHeader,
  toColumnLayout,
  parseColumnHeader,
} from './column-format.ts';
import { CHECKSUM_OFFSET, computeChecksum, PREFIX_BYTES } from './format.ts';
import {
  type ColumnValues,
  DamagedProjection,
  type Projection,
  readProjection,
} from './projection.ts';

export type ColumnSection = 'own' | 'none' | 'apart' | ColumnValues;

export type Column = { prop: string; projection: string; sections: readonly ColumnSection[] };

const decoder = new TextDecoder();
const noText = (): string => {
  throw new DamagedProjection('asked for the text of a number');
};

function codesAt(
  { buffer, byteOffset }: Uint8Array,
  offset: number,
  rows: number,
  width: 1 | 2 | 4,
) {
  if (width === 1) return new Uint8Array(buffer, byteOffset + offset, rows);
  if (width === 2) return new Uint16Array(buffer, byteOffset + offset, rows);
  return new Uint32Array(buffer, byteOffset + offset, rows);
}

function readSection(
  bytes: Uint8Array,
  { kind, rows, width, values }: ColumnSectionHeader,
  layout: ColumnLayout,
): ColumnSection {
  const { buffer, byteOffset } = bytes;
  if (kind === 'own' || kind === 'none' || kind === 'apart') return kind;
  const numbersAt = (count: number) => new Float64Array(buffer, byteOffset + layout.values, count);
  if (kind === 'plain') {
    return { codes: null, length: rows, numbers: numbersAt(rows), textAt: noText };
  }
  const codes = codesAt(bytes, layout.codes, rows, width);
  if (kind === 'numbers') {
    return { codes, length: values, numbers: numbersAt(values), textAt: noText };
  }
  const starts = new Uint32Array(buffer, byteOffset + layout.values, values + 1);
  const textAt = (value: number) => {
    const length = starts[value + 1] - starts[value];
    return decoder.decode(new Uint8Array(buffer, byteOffset + layout.text + starts[value], length));
  };
  return { codes, length: values, numbers: null, textAt };
}

function readHeader(bytes: Uint8Array, headerBytes: number) {
  const text = decoder.decode(bytes.subarray(PREFIX_BYTES, PREFIX_BYTES + headerBytes));
  try {
    return parseColumnHeader.parse(JSON.parse(text));
  } catch (cause) {
    throw new DamagedProjection('with a header that cannot be read', { cause });
  }
}

/** Throws `DamagedProjection`. */
export function readColumn(bytes: Uint8Array, isVerified = false): Column {
  const check = (isTrue: boolean, what: string) => {
    if (!isTrue) throw new DamagedProjection(what);
  };
  check(bytes.length >= PREFIX_BYTES, 'shorter than its beginning');
  const prefix = new DataView(bytes.buffer, bytes.byteOffset, PREFIX_BYTES);
  check(prefix.getUint32(0, true) === COLUMN_MAGIC, 'no column');
  check(prefix.getUint32(4, true) === COLUMN_FORMAT, 'of another format');
  if (!isVerified) {
    check(
      prefix.getBigUint64(CHECKSUM_OFFSET, true) === computeChecksum(bytes),
      'of another checksum',
    );
  }
  const headerBytes = prefix.getUint32(8, true);
  check(PREFIX_BYTES + headerBytes <= bytes.length, 'shorter than its header');
  const { prop, projection, sections } = readHeader(bytes, headerBytes);
  const layout = toColumnLayout({ prop, projection, sections }, headerBytes);
  check(layout.end === bytes.length, 'of another length than its header says');
  return {
    prop,
    projection,
    sections: sections.map((section, index) =>
      readSection(bytes, section, at(layout.sections, index)),
    ),
  };
}

/** The same rows with further properties; columns of other rows are left out. */
export function withColumns(projection: Projection, columns: readonly Column[]): Projection {
  const own = columns.filter(
    (column) =>
      column.projection === projection.checksum &&
      column.sections.length === projection.sections.length,
  );
  if (own.length === 0) return projection;
  return {
    ...projection,
    sections: projection.sections.map((section, index) => ({
      ...section,
      asked: new Map(
        own.flatMap(({ prop, sections }): [string, ColumnValues | null][] => {
          const found = at(sections, index);
          if (found === 'own' || found === 'apart') return [];
          return [[prop, found === 'none' ? null : found]];
        }),
      ),
    })),
  };
}

type InMemory = { bytes: Uint8Array; columns?: readonly Uint8Array[] };

export const builtBytes = ({ bytes, columns = [] }: InMemory): number =>
  columns.reduce((sum, { length }) => sum + length, bytes.length);

/** A column just made, in memory. */
export function readBuilt(built: InMemory): Projection {
  const columns = (built.columns ?? []).map((column) => readColumn(column, true));
  return withColumns(readProjection(built.bytes, true, built), columns);
}
