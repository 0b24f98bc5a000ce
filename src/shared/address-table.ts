import { Type } from '@sinclair/typebox';
import { addressBytes } from './client-address.ts';
import { parser } from './schema.ts';

/** MaxMind DB file format 2: https://maxmind.github.io/MaxMind-DB/ */
const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const SEPARATOR_BYTES = 16;
const MAX_DEPTH = 32;
const MAX_KNOWN_PLACES = 100_000;
const IPV4_BITS_BEFORE = 96;

const Metadata = Type.Object({
  node_count: Type.Integer({ minimum: 1 }),
  record_size: Type.Union([Type.Literal(24), Type.Literal(28), Type.Literal(32)]),
  ip_version: Type.Union([Type.Literal(4), Type.Literal(6)]),
  binary_format_major_version: Type.Literal(2),
});
const metadataParser = parser(Metadata, 'metadata of the address table');

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

type Decoded = { value: unknown; end: number };

/** Throws for damage, by the bounds of the buffer at the latest. */
class Section {
  constructor(private readonly bytes: Buffer) {}

  at(offset: number, depth = 0): Decoded {
    if (depth > MAX_DEPTH) throw new Error('The table nests too deep.');
    const control = this.bytes.readUInt8(offset);
    if (control >> 5 === 1) return this.behindPointer(control, offset, depth);
    const isExtended = control >> 5 === 0;
    const type = isExtended ? 7 + this.bytes.readUInt8(offset + 1) : control >> 5;
    const { size, end } = this.sizeOf(control & 31, offset + (isExtended ? 2 : 1));
    if (type === 7) return this.mapAt(size, end, depth);
    if (type === 11) return this.listAt(size, end, depth);
    // A boolean is its size.
    if (type === 14) return { value: size === 1, end };
    return { value: this.scalar(type, size, end), end: end + size };
  }

  private sizeOf(low: number, offset: number): { size: number; end: number } {
    if (low < 29) return { size: low, end: offset };
    const bytes = low - 28;
    const base = [29, 285, 65_821][bytes - 1] ?? 0;
    return { size: base + this.bytes.readUIntBE(offset, bytes), end: offset + bytes };
  }

  private behindPointer(control: number, offset: number, depth: number): Decoded {
    const bytes = ((control >> 3) & 3) + 1;
    const low = this.bytes.readUIntBE(offset + 1, bytes);
    const high = bytes === 4 ? 0 : (control & 7) * 2 ** (8 * bytes);
    const base = [0, 2_048, 526_336][bytes - 1] ?? 0;
    return { value: this.at(high + low + base, depth + 1).value, end: offset + 1 + bytes };
  }

  private mapAt(size: number, start: number, depth: number): Decoded {
    const entries: [string, unknown][] = [];
    let end = start;
    for (let i = 0; i < size; i += 1) {
      const key = this.at(end, depth + 1);
      const value = this.at(key.end, depth + 1);
      entries.push([String(key.value), value.value]);
      end = value.end;
    }
    return { value: Object.fromEntries(entries), end };
  }

  private listAt(size: number, start: number, depth: number): Decoded {
    const list: unknown[] = [];
    let end = start;
    for (let i = 0; i < size; i += 1) {
      const entry = this.at(end, depth + 1);
      list.push(entry.value);
      end = entry.end;
    }
    return { value: list, end };
  }

  /** Text and numbers of 48 bits at most; nothing else says a country. */
  private scalar(type: number, size: number, offset: number): unknown {
    if (offset + size > this.bytes.length) throw new Error('The table ends too early.');
    if (type === 2) return this.bytes.toString('utf8', offset, offset + size);
    const isNumber = type === 5 || type === 6 || type === 9;
    if (!isNumber || size > 6) return null;
    return size === 0 ? 0 : this.bytes.readUIntBE(offset, size);
  }
}

type Tree = { bytes: Buffer; recordSize: 24 | 28 | 32 };

function next({ bytes, recordSize }: Tree, node: number, bit: number): number {
  const start = node * ((recordSize * 2) / 8);
  if (recordSize === 24) return bytes.readUIntBE(start + bit * 3, 3);
  if (recordSize === 32) return bytes.readUInt32BE(start + bit * 4);
  const middle = bytes.readUInt8(start + 3);
  const high = bit === 0 ? middle >> 4 : middle & 15;
  return high * 2 ** 24 + bytes.readUIntBE(start + bit * 4, 3);
}

const bitOf = (address: Uint8Array, i: number): number =>
  ((address[i >> 3] ?? 0) >> (7 - (i & 7))) & 1;

export type CountryOf = (address: string) => string | null;

/** Country codes of a MaxMind DB file; throws when it is none. */
export function openAddressTable(file: Uint8Array): CountryOf {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const marker = bytes.lastIndexOf(MARKER);
  if (marker < 0) throw new Error('it is no MaxMind DB file (.mmdb)');
  const metadata = metadataParser.parse(
    new Section(bytes.subarray(marker + MARKER.length)).at(0).value,
  );
  const { node_count: nodes, record_size: recordSize, ip_version: version } = metadata;
  const treeBytes = (nodes * recordSize * 2) / 8;
  if (treeBytes + SEPARATOR_BYTES > marker) throw new Error('it ends too early');
  const tree: Tree = { bytes, recordSize };
  const data = new Section(bytes.subarray(treeBytes + SEPARATOR_BYTES, marker));
  const known = new Map<number, string | null>();

  const codeAt = (place: number): string | null => {
    const found = known.get(place);
    if (found !== undefined) return found;
    const code = toCode(data.at(place).value);
    if (known.size < MAX_KNOWN_PLACES) known.set(place, code);
    return code;
  };
  const walk = (start: number, address: Uint8Array): number => {
    let node = start;
    for (let i = 0; i < address.length * 8 && node < nodes; i += 1) {
      node = next(tree, node, bitOf(address, i));
    }
    return node;
  };
  const startOfIpv4 = version === 6 ? walk(0, new Uint8Array(IPV4_BITS_BEFORE / 8)) : 0;

  return (text) => {
    const address = addressBytes(text);
    if (!address || (address.length === 16 && version === 4)) return null;
    const record = walk(address.length === 4 ? startOfIpv4 : 0, address);
    if (record <= nodes) return null;
    try {
      return codeAt(record - nodes - SEPARATOR_BYTES);
    } catch {
      // A damaged entry costs no event.
      return null;
    }
  };
}
