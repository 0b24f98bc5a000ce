import { type FileHandle, open } from 'node:fs/promises';
import { SECOND_MS, sleep } from '../../shared/time.ts';
import { isMissing } from '../../storage/files.ts';

const BLOCK_BYTES = 1024 * 1024;
const SUM_BYTES = 8;

export type Sums = { bytes: number; sums: Buffer };

export type Part = { from: number; to: number };

export const countBlocks = (bytes: number): number => Math.ceil(bytes / BLOCK_BYTES);

export function blocksOf(bytes: number, { from, to }: Part = { from: 0, to: bytes }): number[] {
  const first = Math.floor(from / BLOCK_BYTES);
  const end = countBlocks(Math.min(to, bytes));
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
}

async function withFile<T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, 'r');
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

async function sumBlock(file: FileHandle, block: number, buffer: Buffer): Promise<bigint> {
  const { bytesRead } = await file.read(buffer, 0, buffer.length, block * BLOCK_BYTES);
  return BigInt.asUintN(64, BigInt(Bun.hash.xxHash3(buffer.subarray(0, bytesRead))));
}

const bufferFor = (bytes: number) => Buffer.allocUnsafe(Math.min(bytes, BLOCK_BYTES));

export type Pace = { mbPerSecond?: number; signal?: AbortSignal | undefined };

export function readSums(
  path: string,
  { mbPerSecond = Infinity, signal }: Pace = {},
): Promise<Sums> {
  return withFile(path, async (file) => {
    const { size } = await file.stat();
    const buffer = bufferFor(size);
    const sums = Buffer.alloc(countBlocks(size) * SUM_BYTES);
    for (const block of blocksOf(size)) {
      sums.writeBigUInt64LE(await sumBlock(file, block, buffer), block * SUM_BYTES);
      if (mbPerSecond < Infinity) await sleep(SECOND_MS / mbPerSecond, signal);
      signal?.throwIfAborted();
    }
    return { bytes: size, sums };
  });
}

const fromByte = (block: number) => `other content from byte ${block * BLOCK_BYTES}`;

export function differenceOf(stored: Sums, found: Sums): string | null {
  if (stored.bytes !== found.bytes) return `${found.bytes} bytes instead of ${stored.bytes}`;
  const isOther = (block: number) =>
    stored.sums.compare(
      found.sums,
      block * SUM_BYTES,
      (block + 1) * SUM_BYTES,
      block * SUM_BYTES,
      (block + 1) * SUM_BYTES,
    ) !== 0;
  const other = blocksOf(stored.bytes).find(isOther);
  return other === undefined ? null : fromByte(other);
}

const UNREADABLE_CODES: readonly unknown[] = ['EIO', 'EBADMSG', 'EUCLEAN', 'EACCES', 'EISDIR'];

export const isUnreadable = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && UNREADABLE_CODES.includes(thrown.code);

export const UNREADABLE = 'the disk cannot read it';

export async function findFault(
  path: string,
  { bytes, sums }: Sums,
  blocks: readonly number[],
): Promise<string | null> {
  try {
    return await withFile(path, async (file) => {
      const { size } = await file.stat();
      if (size !== bytes) return `${size} bytes instead of ${bytes}`;
      const buffer = bufferFor(size);
      for (const block of blocks) {
        const sum = await sumBlock(file, block, buffer);
        if (sum !== sums.readBigUInt64LE(block * SUM_BYTES)) return fromByte(block);
      }
      return null;
    });
  } catch (thrown) {
    if (isMissing(thrown)) return null;
    if (isUnreadable(thrown)) return UNREADABLE;
    throw thrown;
  }
}
