import { gunzipSync, inflateRawSync } from 'node:zlib';
import { RatesFormatError } from './parse.ts';

const TEXT_MAX_BYTES = 32 * 1024 * 1024;
const ZIP_ENTRY = 0x04034b50;
const ZIP_ENTRY_HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

function unzipFirst(bytes: Buffer): Buffer {
  if (bytes.length < ZIP_ENTRY_HEADER_BYTES) throw new RatesFormatError('The archive is cut off.');
  const method = bytes.readUInt16LE(8);
  const start = ZIP_ENTRY_HEADER_BYTES + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
  // Raw deflate ends by itself: sizes may be absent.
  if (method === DEFLATED) {
    return inflateRawSync(bytes.subarray(start), { maxOutputLength: TEXT_MAX_BYTES });
  }
  if (method === STORED) return bytes.subarray(start, start + bytes.readUInt32LE(18));
  throw new RatesFormatError(`The archive uses compression method ${method}.`);
}

export function unpackRates(file: Uint8Array): string {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  try {
    if (bytes.length >= 4 && bytes.readUInt32LE(0) === ZIP_ENTRY) {
      return unzipFirst(bytes).toString('utf8');
    }
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
      return gunzipSync(bytes, { maxOutputLength: TEXT_MAX_BYTES }).toString('utf8');
    }
  } catch (thrown) {
    if (thrown instanceof RatesFormatError) throw thrown;
    throw new RatesFormatError('The file cannot be unpacked.');
  }
  return bytes.toString('utf8');
}
