import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Report, type ReportRequest, StoreFault } from '../port.ts';
import { salesReader } from './sales.ts';
import { subscriptionEventReader } from './subscription-events.ts';
import { subscriptionReader } from './subscriptions.ts';
import type { PieceReader } from './table.ts';

/** Bounds the work per report (gzip bombs). */
const INFLATED_MAX_BYTES = 128 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

async function* inflated(body: Uint8Array): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  let length = 0;
  for await (const piece of Readable.from([body]).pipe(gunzip)) {
    length += piece.byteLength;
    if (length > INFLATED_MAX_BYTES) throw new Error('It is larger than any report.');
    yield piece;
  }
}

/** Constant memory. Throws StoreFault for a broken archive. */
export async function* reportPieces(body: Uint8Array): AsyncGenerator<Uint8Array> {
  if (body[0] !== 0x1f || body[1] !== 0x8b) {
    yield body;
    return;
  }
  try {
    yield* inflated(body);
  } catch (thrown) {
    throw new StoreFault('unavailable', 'The report of the store cannot be unpacked.', {
      cause: thrown,
    });
  }
}

async function contentHash(raw: Uint8Array): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256');
  for await (const piece of reportPieces(raw)) hasher.update(piece);
  return hasher.digest('hex');
}

export async function* readFacts<Fact>(
  raw: Uint8Array,
  reader: PieceReader<Fact>,
): AsyncGenerator<Fact[]> {
  const decoder = new TextDecoder();
  for await (const piece of reportPieces(raw)) {
    yield reader.push(decoder.decode(piece, { stream: true }));
  }
  yield reader.push(decoder.decode());
  yield reader.end();
}

export function openReport({ reportType, day }: ReportRequest, raw: Uint8Array): Report {
  const file = { raw, contentHash: () => contentHash(raw) };
  if (reportType === 'SUBSCRIPTION') {
    return { ...file, holds: 'subscriptions', facts: () => readFacts(raw, subscriptionReader()) };
  }
  const reader = reportType === 'SALES' ? salesReader : subscriptionEventReader;
  return { ...file, holds: 'sales', facts: () => readFacts(raw, reader(day)) };
}
