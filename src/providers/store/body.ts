import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { StoreFault } from './fault.ts';

/** Bounds the work of one report, whatever the store or a proxy sends. */
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

/**
 * The plain bytes of a report in pieces, so that memory does not grow with the day; gzip is told by
 * its first two bytes. Throws StoreFault for a broken archive.
 */
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
