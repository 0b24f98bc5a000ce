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
  /** By the network address, for clients that named none; outside the body, so not part of the identity. */
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

export type Damage = { offset: number; end: number; why: ScanFault };

/** `damages`: before `goodBytes`; `fault`: behind it. */
export type Scan = {
  records: LogRecord[];
  goodBytes: number;
  damages: Damage[];
  fault: ScanFault | null;
};

type Frame = { payload: Buffer; end: number };

function frameAt(bytes: Buffer, offset: number, payloadBytes: number): Frame | ScanFault {
  if (payloadBytes < HEADER_LENGTH_BYTES || payloadBytes > MAX_PAYLOAD_BYTES) return 'corrupt';
  const start = offset + FRAME_BYTES;
  const end = start + payloadBytes;
  return end > bytes.length ? 'torn' : { payload: bytes.subarray(start, end), end };
}

const isFrame = (found: Frame | ScanFault): found is Frame => typeof found !== 'string';

/** With one flipped bit of the length too. */
function wholeFrame(bytes: Buffer, offset: number): Frame | ScanFault {
  const [length, sum] = [bytes.readUInt32LE(offset), bytes.readUInt32LE(offset + 4)];
  const isSummed = (found: Frame | ScanFault): found is Frame =>
    isFrame(found) && crc32(found.payload) === sum;
  const named = frameAt(bytes, offset, length);
  if (isSummed(named)) return named;
  for (let bit = 0; bit < 32; bit += 1) {
    const frame = frameAt(bytes, offset, (length ^ (1 << bit)) >>> 0);
    if (isSummed(frame)) return frame;
  }
  return isFrame(named) ? 'corrupt' : named;
}

function readOne(bytes: Buffer, offset: number): { record: LogRecord; end: number } | ScanFault {
  if (bytes.length - offset < FRAME_BYTES) return 'torn';
  const frame = wholeFrame(bytes, offset);
  if (!isFrame(frame)) return frame;
  const { payload, end } = frame;
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

/** Never searches: client-supplied bodies could contain forged records. */
export function scanRecords(bytes: Uint8Array): Scan {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scan: Scan = { records: [], goodBytes: 0, damages: [], fault: null };
  let passed: Damage[] = [];
  let offset = 0;
  while (offset < buffer.length) {
    const step = readOne(buffer, offset);
    if (typeof step !== 'string') {
      scan.records.push(step.record);
      scan.damages.push(...passed);
      passed = [];
      scan.goodBytes = offset = step.end;
      continue;
    }
    const frame = step === 'corrupt' && frameAt(buffer, offset, buffer.readUInt32LE(offset));
    passed.push({ offset, end: buffer.length, why: step });
    if (!frame || !isFrame(frame)) break;
    passed = passed.with(-1, { offset, end: frame.end, why: step });
    offset = frame.end;
  }
  return { ...scan, fault: passed[0]?.why ?? null };
}
