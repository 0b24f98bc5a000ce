import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { fromBufferPromise, openPromise, type ZipFile } from 'yauzl';
import { AppError, errorMessage } from '../shared/errors.ts';

/** Unpacked while read. */
export type ExportedFile = { name: string; pieces: AsyncIterable<Uint8Array> };

const PIECE_BYTES = 64 * 1024;
const GZIP = [0x1f, 0x8b];
const ZIP = [0x50, 0x4b];
/** A year by the hour has 9,000. */
const MAX_ENTRIES = 100_000;
/** Against zip bombs; exports shrink to a tenth. */
const MAX_RATIO = 200;
const SMALL_BYTES = 16 * 1024 * 1024;
/** Files desktops add to archives. */
const NO_EXPORT = /(^|\/)(__MACOSX\/|\.)|\/$/;

const startsWith = (bytes: Uint8Array, magic: readonly number[]) =>
  magic.every((byte, index) => bytes[index] === byte);

function unreadable(path: string, cause: unknown): AppError {
  return new AppError('invalid_input', `${path} cannot be unpacked: ${errorMessage(cause)}`, {
    cause,
  });
}

export async function hashFile(path: string): Promise<string> {
  await firstBytes(path);
  const hasher = new Bun.CryptoHasher('sha256');
  for await (const piece of createReadStream(path)) hasher.update(piece);
  return hasher.digest('hex');
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path).catch((cause: unknown) => {
    throw new AppError('not_found', `${path} cannot be read.`, { cause });
  });
  try {
    if ((await file.stat()).isDirectory()) {
      const hint = 'Name one file, or pack the folder as a ZIP archive.';
      throw new AppError('invalid_input', `${path} is a folder.`, { hint });
    }
    const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

class Allowance {
  private left: number;

  constructor(packedBytes: number) {
    this.left = SMALL_BYTES + MAX_RATIO * packedBytes;
  }

  async *take(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      this.left -= piece.byteLength;
      if (this.left < 0) throw new Error(`it unpacks to over ${MAX_RATIO} times its size`);
      yield piece;
    }
  }
}

export async function peek(
  pieces: AsyncIterable<Uint8Array>,
): Promise<{ first: Uint8Array; all: AsyncIterable<Uint8Array> } | null> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return null;
  const all = (async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
  return { first: first.value, all };
}

/** Leaves other bytes. */
export async function* gunzipped(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const peeked = await peek(pieces);
  if (!peeked) return;
  const { first, all } = peeked;
  if (!startsWith(first, GZIP)) return yield* all;
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  // Errors surface in the iteration.
  pipeline(Readable.from(all), gunzip, () => undefined);
  yield* gunzip;
}

/** Rejects nested archives. */
async function* plain(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const peeked = await peek(pieces);
  if (!peeked) return;
  if (startsWith(peeked.first, ZIP)) throw new Error('it holds another ZIP archive');
  yield* gunzipped(peeked.all);
}

/** Entries are checked against their actual sizes. */
const ZIP_OPTIONS = { lazyEntries: true, validateEntrySizes: true };

async function* zipped(
  path: string,
  opening: Promise<ZipFile>,
  allowance: Allowance,
): AsyncGenerator<ExportedFile> {
  const archive = await opening;
  try {
    if (archive.entryCount > MAX_ENTRIES) {
      throw new Error(`it has ${archive.entryCount} entries; ${MAX_ENTRIES} at most`);
    }
    for await (const entry of archive.eachEntry()) {
      const name = entry.fileName;
      if (NO_EXPORT.test(name)) continue;
      const packed = await archive.openReadStreamPromise(entry);
      try {
        yield { name, pieces: rethrow(path, allowance.take(plain(allowance.take(packed)))) };
      } finally {
        packed.destroy();
      }
    }
  } finally {
    archive.close();
  }
}

async function* rethrow<T>(path: string, items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (thrown) {
    throw thrown instanceof AppError ? thrown : unreadable(path, thrown);
  }
}

type Packed = {
  /** In errors. */
  name: string;
  magic: Uint8Array;
  bytes: number;
  openZip: () => Promise<ZipFile>;
  read: () => Readable;
};

async function* exportedFiles({ name, ...packed }: Packed): AsyncGenerator<ExportedFile> {
  const allowance = new Allowance(packed.bytes);
  if (startsWith(packed.magic, ZIP)) {
    yield* rethrow(name, zipped(name, packed.openZip(), allowance));
    return;
  }
  const pieces = allowance.take(plain(packed.read()));
  yield { name, pieces: rethrow(name, pieces) };
}

/** Constant memory, no disk. */
export async function* unpack(path: string): AsyncGenerator<ExportedFile> {
  yield* exportedFiles({
    name: path,
    magic: await firstBytes(path),
    bytes: (await stat(path)).size,
    openZip: () => openPromise(path, ZIP_OPTIONS),
    read: () => createReadStream(path),
  });
}

/** Unpacks an archive in memory. */
export const unpackBytes = (name: string, bytes: Uint8Array): AsyncGenerator<ExportedFile> =>
  exportedFiles({
    name,
    magic: bytes,
    bytes: bytes.byteLength,
    openZip: () => fromBufferPromise(Buffer.from(bytes), ZIP_OPTIONS),
    read: () => Readable.from([bytes]),
  });
