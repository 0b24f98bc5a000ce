import { crc32 } from 'node:zlib';

/** 1 January 1980, the first day that a ZIP file knows, so that equal files are equal bytes. */
const PACKED_ON = (1 << 5) | 1;
const UTF8_NAMES = 0x0800;

type Entry = { name: Buffer; body: Uint8Array; at: number };

/** What the header of an entry and its line in the directory have in common. */
function fields({ name, body }: Entry): Buffer {
  const bytes = Buffer.alloc(26);
  bytes.writeUInt16LE(20, 0);
  bytes.writeUInt16LE(UTF8_NAMES, 2);
  bytes.writeUInt16LE(PACKED_ON, 8);
  bytes.writeUInt32LE(crc32(body), 10);
  bytes.writeUInt32LE(body.length, 14);
  bytes.writeUInt32LE(body.length, 18);
  bytes.writeUInt16LE(name.length, 22);
  return bytes;
}

const signature = (letters: string) => Buffer.from(`PK${letters}`, 'latin1');

function directoryLine(entry: Entry): Buffer {
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(entry.at, 10);
  const madeBy = Buffer.from([20, 0]);
  return Buffer.concat([signature('\x01\x02'), madeBy, fields(entry), rest, entry.name]);
}

/** A ZIP file of these, uncompressed: its bytes hang on no release of a compressor. */
export function zipOf(files: readonly (readonly [string, Uint8Array])[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const entries: Entry[] = [];
  let size = 0;
  const add = (bytes: Uint8Array) => {
    parts.push(bytes);
    size += bytes.length;
  };
  for (const [path, body] of files) {
    const entry = { name: Buffer.from(path), body, at: size };
    entries.push(entry);
    add(signature('\x03\x04'));
    add(fields(entry));
    add(entry.name);
    add(body);
  }
  const directoryAt = size;
  for (const entry of entries) add(directoryLine(entry));
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(size - directoryAt, 8);
  end.writeUInt32LE(directoryAt, 12);
  add(signature('\x05\x06'));
  add(end);
  return new Uint8Array(Buffer.concat(parts));
}
