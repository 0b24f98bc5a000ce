import { Type } from '@sinclair/typebox';
import { LRUCache } from 'lru-cache';
import { Reader, type Response } from 'mmdb-lib';
import { addressBytes } from './client-address.ts';
import { errorMessage } from './errors.ts';
import { parser } from './schema.ts';

const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const SEPARATOR_BYTES = 16;
const MAX_ENTRIES = 10_000;

const metadataParser = parser(
  Type.Object({
    binaryFormatMajorVersion: Type.Literal(2),
    ipVersion: Type.Union([Type.Literal(4), Type.Literal(6)]),
    nodeCount: Type.Integer({ minimum: 1 }),
    searchTreeSize: Type.Integer(),
  }),
  'metadata of the address table',
);

const Code = Type.String({ pattern: '^[A-Z]{2}$' });
const ofCountry = parser(Type.Object({ country: Type.Object({ iso_code: Code }) }), 'country');
const ofCode = parser(Type.Object({ country_code: Code }), 'country code');
const ofText = parser(Type.Object({ country: Code }), 'country as text');

/** As DB-IP and MaxMind, as ip-location-db, and as IPinfo write it. */
function toCode(entry: unknown): string | null {
  if (ofCountry.check(entry)) return entry.country.iso_code;
  if (ofCode.check(entry)) return entry.country_code;
  return ofText.check(entry) ? entry.country : null;
}

function open(bytes: Buffer): Reader<Response> {
  try {
    return new Reader(bytes, {
      cache: new LRUCache<string | number, object>({ max: MAX_ENTRIES }),
    });
  } catch (cause) {
    if (cause instanceof RangeError) throw new Error('it ends too early', { cause });
    throw new Error(errorMessage(cause), { cause });
  }
}

/** IPv6 as eight groups, since the package reads other notations otherwise. */
const written = (address: Uint8Array): string =>
  address.length === 4
    ? address.join('.')
    : Array.from({ length: 8 }, (_, group) =>
        Buffer.from(address)
          .readUInt16BE(group * 2)
          .toString(16),
      ).join(':');

export type CountryOf = (address: string) => string | null;

/** Country codes of a MaxMind DB file; throws when it is none. */
export function openAddressTable(file: Uint8Array): CountryOf {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const marker = bytes.lastIndexOf(MARKER);
  if (marker < 0) throw new Error('it is no MaxMind DB file (.mmdb)');
  const reader = open(bytes);
  const { ipVersion, searchTreeSize } = metadataParser.parse(reader.metadata);
  if (searchTreeSize + SEPARATOR_BYTES > marker) throw new Error('it ends too early');
  return (text) => {
    const address = addressBytes(text);
    if (!address || (address.length === 16 && ipVersion === 4)) return null;
    try {
      return toCode(reader.get(written(address)));
    } catch {
      // A damaged entry costs no event.
      return null;
    }
  };
}
