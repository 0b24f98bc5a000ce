import type { AppScope } from '../../shared/app.ts';
import { at } from '../../shared/assert.ts';
import {
  CHECKSUM_OFFSET,
  checksumOf,
  KEY_WORDS,
  layoutOf,
  MAGIC,
  PREFIX_BYTES,
  PROJECTION_FORMAT,
  type Profile,
  parseHeader,
} from './format.ts';

/** The rows of one name and environment: by entry, then time. */
export type Section = {
  name: string;
  isDevelopment: boolean;
  rows: number;
  /** Offsets of times: the lower four bytes, and those above. */
  low: Uint32Array;
  high: Uint8Array | Uint16Array;
  /** From the entry of the row before to its own; seven bits a byte, the lower ones first. */
  steps: Uint8Array;
  /** Of properties with few values, by name. */
  properties: ReadonlyMap<string, Property>;
  /** Rows have properties beyond these. */
  hasOthers: boolean;
};

/** The values of a property as JSON; the code of a row is 0 without one, else their place + 1. */
export type Property = { values: readonly string[]; codes: Uint8Array };

/** The file of this host that it is mapped from, or all of it in memory: another thread reads the same. */
export type ProjectionOrigin = { path: string } | { bytes: Uint8Array };

/**
 * What a file's rows are for questions that only ask who did what when: its people, each once, and
 * its rows by name, then person, then time. An entry is a person key with or without a user named.
 */
export type Projection = {
  origin: ProjectionOrigin;
  /** Null where it does not say, as those of earlier releases. */
  owner: AppScope | null;
  entries: number;
  /** Four words of each entry's key, ascending by the first. */
  keys: Uint32Array;
  /** Of each entry the place of its profile. */
  profileOf: Uint8Array | Uint16Array;
  profiles: readonly Profile[];
  baseUs: number;
  sections: readonly Section[];
};

/** A projection that cannot be read. */
export class DamagedProjection extends Error {
  override name = 'DamagedProjection';
}

function check(isTrue: boolean, what: string): void {
  if (!isTrue) throw new DamagedProjection(what);
}

/** Where the columns are, without looking at what they hold. */
function columnsOf(bytes: Uint8Array): Omit<Projection, 'origin'> {
  const { buffer, byteOffset } = bytes;
  const prefix = new DataView(buffer, byteOffset, PREFIX_BYTES);
  const headerBytes = prefix.getUint32(8, true);
  check(PREFIX_BYTES + headerBytes <= bytes.length, 'shorter than its header');
  const text = new TextDecoder().decode(bytes.subarray(PREFIX_BYTES, PREFIX_BYTES + headerBytes));
  const header = parseHeader.parse(JSON.parse(text));
  const layout = layoutOf(header, headerBytes);
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
    entries,
    keys: words(layout.keys, entries * KEY_WORDS),
    profileOf: narrow(profileBytes, layout.profiles, entries),
    profiles: header.profiles,
    baseUs: header.baseUs,
    sections: header.sections.map((section, index) => {
      const { rows, stepBytes, properties, ...rest } = section;
      const { low, high, steps, properties: codes } = at(layout.sections, index);
      return {
        ...rest,
        rows,
        properties: new Map(
          properties.map(({ name, values }, place) => [
            name,
            { values, codes: new Uint8Array(buffer, byteOffset + at(codes, place), rows) },
          ]),
        ),
        low: words(low, rows),
        high: narrow(highBytes, high, rows),
        steps: new Uint8Array(buffer, byteOffset + steps, stepBytes),
      };
    }),
  };
}

/** Throws `DamagedProjection`. The checksum costs reading everything, so it may be known to agree. */
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
    check(prefix.getBigUint64(CHECKSUM_OFFSET, true) === checksumOf(bytes), 'of another checksum');
  }
  try {
    return { origin, ...columnsOf(bytes) };
  } catch (thrown) {
    if (thrown instanceof DamagedProjection) throw thrown;
    throw new DamagedProjection('with a header that cannot be read', { cause: thrown });
  }
}
