import type { AppScope } from '../../shared/app.ts';
import { at } from '../../shared/assert.ts';
import {
  CHECKSUM_OFFSET,
  computeChecksum,
  KEY_WORDS,
  MAGIC,
  PREFIX_BYTES,
  PROJECTION_FORMAT,
  type Profile,
  parseHeader,
  toLayout,
} from './format.ts';

export type Section = {
  name: string;
  isDevelopment: boolean;
  rows: number;
  low: Uint32Array;
  high: Uint8Array | Uint16Array;
  /** Entry deltas between rows, as varints (LEB128). */
  steps: Uint8Array;
  properties: ReadonlyMap<string, Property>;
  /** Columns by name; null where no row has it. */
  asked: ReadonlyMap<string, ColumnValues | null>;
  hasOthers: boolean;
};

export type ColumnValues = {
  /** By row, 0 for none, else value index + 1; null where values are by row. */
  codes: Uint8Array | Uint16Array | Uint32Array | null;
  length: number;
  /** NaN for a row without a number; null of texts. */
  numbers: Float64Array | null;
  /** JSON of a value; of texts only. */
  textAt: (value: number) => string;
};

export type Property = { values: readonly string[]; codes: Uint8Array };

export type ProjectionOrigin =
  | { path: string; columns?: readonly string[] }
  | { bytes: Uint8Array; columns?: readonly Uint8Array[] };

/**
 * An entry is a person key with or without a user id, and of one sender where profiles have them.
 */
export type Projection = {
  origin: ProjectionOrigin;
  /** Hash of its bytes, in hexadecimal. */
  checksum: string;
  /** Null in projections of earlier releases. */
  owner: AppScope | null;
  rows: number;
  entries: number;
  /** Four words per entry, ascending by the first. */
  keys: Uint32Array;
  profileOf: Uint8Array | Uint16Array;
  profiles: readonly Profile[];
  /** Every profile has one. */
  hasSenders: boolean;
  baseUs: number;
  sections: readonly Section[];
};

export class DamagedProjection extends Error {
  override name = 'DamagedProjection';
}

function check(isTrue: boolean, what: string): void {
  if (!isTrue) throw new DamagedProjection(what);
}

const NOT_ASKED: ReadonlyMap<string, ColumnValues | null> = new Map();

export const checksumText = (bytes: Uint8Array): string =>
  new DataView(bytes.buffer, bytes.byteOffset, PREFIX_BYTES)
    .getBigUint64(CHECKSUM_OFFSET, true)
    .toString(16);

function readColumns(bytes: Uint8Array): Omit<Projection, 'origin' | 'checksum'> {
  const { buffer, byteOffset } = bytes;
  const prefix = new DataView(buffer, byteOffset, PREFIX_BYTES);
  const headerBytes = prefix.getUint32(8, true);
  check(PREFIX_BYTES + headerBytes <= bytes.length, 'shorter than its header');
  const text = new TextDecoder().decode(bytes.subarray(PREFIX_BYTES, PREFIX_BYTES + headerBytes));
  const header = parseHeader.parse(JSON.parse(text));
  const layout = toLayout(header, headerBytes);
  check(layout.end === bytes.length, 'of another length than its header says');
  const { entries, highBytes, profileBytes } = header;
  const words = (offset: number, count: number) =>
    new Uint32Array(buffer, byteOffset + offset, count);
  const narrow = (width: 1 | 2, offset: number, count: number) =>
    width === 1
      ? new Uint8Array(buffer, byteOffset + offset, count)
      : new Uint16Array(buffer, byteOffset + offset, count);
  return {
    owner: header.owner ?? null,
    rows: header.sections.reduce((sum, { rows }) => sum + rows, 0),
    entries,
    keys: words(layout.keys, entries * KEY_WORDS),
    profileOf: narrow(profileBytes, layout.profiles, entries),
    profiles: header.profiles,
    hasSenders: header.profiles.every(({ sender }) => sender !== undefined),
    baseUs: header.baseUs,
    sections: header.sections.map((section, index) => {
      const { rows, stepBytes, properties, ...rest } = section;
      const { low, high, steps, properties: codes } = at(layout.sections, index);
      return {
        ...rest,
        rows,
        properties: new Map(
          properties.map(({ name, values }, place) => [
            name.toWellFormed(),
            { values, codes: new Uint8Array(buffer, byteOffset + at(codes, place), rows) },
          ]),
        ),
        asked: NOT_ASKED,
        low: words(low, rows),
        high: narrow(highBytes, high, rows),
        steps: new Uint8Array(buffer, byteOffset + steps, stepBytes),
      };
    }),
  };
}

/** Throws `DamagedProjection`. Reads every byte, once per file. */
export function readProjection(
  bytes: Uint8Array,
  isVerified = false,
  origin: ProjectionOrigin = { bytes },
): Projection {
  check(bytes.length >= PREFIX_BYTES, 'shorter than its beginning');
  const prefix = new DataView(bytes.buffer, bytes.byteOffset, PREFIX_BYTES);
  check(prefix.getUint32(0, true) === MAGIC, 'no projection');
  check(prefix.getUint32(4, true) === PROJECTION_FORMAT, 'of another format');
  if (!isVerified) {
    check(
      prefix.getBigUint64(CHECKSUM_OFFSET, true) === computeChecksum(bytes),
      'of another checksum',
    );
  }
  try {
    return { origin, checksum: checksumText(bytes), ...readColumns(bytes) };
  } catch (thrown) {
    if (thrown instanceof DamagedProjection) throw thrown;
    throw new DamagedProjection('with a header that cannot be read', { cause: thrown });
  }
}
