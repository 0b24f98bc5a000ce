import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../../shared/errors.ts';

const GZIP = 0x1f8b;
const ZIP = 0x504b;

async function firstTwoBytes(path: string): Promise<number> {
  const file = await open(path).catch((cause: unknown) => {
    throw new AppError('not_found', `${path} cannot be read.`, { cause });
  });
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 ? buffer.readUInt16BE(0) : 0;
  } finally {
    await file.close();
  }
}

/** SHA-256 of a file in hexadecimal, read a piece at a time. */
export async function hashOf(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256');
  for await (const piece of createReadStream(path)) hasher.update(piece);
  return hasher.digest('hex');
}

/** The lines of a text file, plain or gzipped, one at a time. */
export async function* linesOf(path: string): AsyncGenerator<string> {
  const magic = await firstTwoBytes(path);
  if (magic === ZIP) {
    throw new AppError('invalid_input', `${path} is a ZIP archive.`, {
      hint: 'Unpack it first, and import each of its files: unzip export.zip',
    });
  }
  const raw = createReadStream(path);
  const input = magic === GZIP ? raw.pipe(createGunzip()) : raw;
  raw.on('error', (cause) => input.destroy(cause));
  yield* createInterface({ input, crlfDelay: Infinity });
}
