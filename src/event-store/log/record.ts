import { crc32 } from 'node:zlib';
import { type Static, Type } from '@sinclair/typebox';
import { ENVIRONMENTS } from '../../shared/environment.ts';
import { OneOf, parser } from '../../shared/schema.ts';

/**
 * Frame: `length (u32) | CRC-32 of the payload (u32) | payload`, little-endian; payload: `header
 * length (u16) | header (JSON) | body`, the body as the client sent it.
 */
const FRAME_BYTES = 8;
const HEADER_LENGTH_BYTES = 2;
/** Far above the HTTP body limit (64 KB): a larger length is damage. */
const MAX_PAYLOAD_BYTES = 1024 * 1024;

export const RecordHeader = Type.Object({
  v: Type.Literal(1),
  org: Type.String(),
  app: Type.String(),
  /** Publishable key id, or the name of the writing chapter. */
  key: Type.String(),
  /** Milliseconds since 1970. */
  receivedAt: Type.Integer(),
  /** Production when absent, as in records of earlier releases. */
  environment: Type.Optional(OneOf(ENVIRONMENTS)),
  arrival: Type.Integer(),
  /** Of the network address, for clients that named none; outside the body, so of no identity. */
  country: Type.Optional(Type.String()),
});
export type RecordHeader = Static<typeof RecordHeader>;

const headerParser = parser(RecordHeader, 'record header');

export type LogRecord = { header: RecordHeader; body: Uint8Array };

export function encodeRecord(header: RecordHeader, body: Uint8Array): Uint8Array {
  const head = Buffer.from(JSON.stringify(header));
  const payloadBytes = HEADER_LENGTH_BYTES + head.length + body.length;
  if (payloadBytes > MAX_PAYLOAD_BYTES) throw new Error('The record exceeds the limit of the log.');
  const record = Buffer.allocUnsafe(FRAME_BYTES + payloadBytes);
  record.writeUInt32LE(payloadBytes, 0);
  record.writeUInt16LE(head.length, FRAME_BYTES);
  record.set(head, FRAME_BYTES + HEADER_LENGTH_BYTES);
  record.set(body, FRAME_BYTES + HEADER_LENGTH_BYTES + head.length);
  record.writeUInt32LE(crc32(record.subarray(FRAME_BYTES)), 4);
  return record;
}

/** `torn`: more bytes may follow. `corrupt`: more bytes cannot help. */
export type ScanFault = 'torn' | 'corrupt';

export type Scan = { records: LogRecord[]; goodBytes: number; fault: ScanFault | null };

type Step = { record: LogRecord; end: number } | ScanFault;

function readOne(bytes: Buffer, offset: number): Step {
  if (bytes.length - offset < FRAME_BYTES) return 'torn';
  const payloadBytes = bytes.readUInt32LE(offset);
  if (payloadBytes < HEADER_LENGTH_BYTES || payloadBytes > MAX_PAYLOAD_BYTES) return 'corrupt';
  const start = offset + FRAME_BYTES;
  const end = start + payloadBytes;
  if (end > bytes.length) return 'torn';
  const payload = bytes.subarray(start, end);
  if (crc32(payload) !== bytes.readUInt32LE(offset + 4)) return 'corrupt';
  const bodyStart = HEADER_LENGTH_BYTES + payload.readUInt16LE(0);
  if (bodyStart > payload.length) return 'corrupt';
  try {
    const header = headerParser.parse(
      JSON.parse(payload.toString('utf8', HEADER_LENGTH_BYTES, bodyStart)),
    );
    return { record: { header, body: payload.subarray(bodyStart) }, end };
  } catch {
    return 'corrupt';
  }
}

/**
 * Stops at damage and never resynchronizes: client-supplied bodies could contain forged records.
 */
export function scanRecords(bytes: Uint8Array): Scan {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: LogRecord[] = [];
  let offset = 0;
  while (offset < buffer.length) {
    const step = readOne(buffer, offset);
    if (typeof step === 'string') return { records, goodBytes: offset, fault: step };
    records.push(step.record);
    offset = step.end;
  }
  return { records, goodBytes: offset, fault: null };
}
