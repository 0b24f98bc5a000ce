import { type FileHandle, open } from 'node:fs/promises';
import { syncPath } from '../../storage/files.ts';
import { segmentPath } from './segments.ts';

/** Injectable for tests. `append` is all or nothing; only `sync` makes it durable. */
export type SegmentFileHandle = {
  append: (bytes: Uint8Array) => Promise<void>;
  sync: () => Promise<void>;
  truncate: (length: number) => Promise<void>;
  close: () => Promise<void>;
};

export type OpenSegmentFile = (dir: string, segmentId: string) => Promise<SegmentFileHandle>;

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let offset = 0;
  while (offset < bytes.length) {
    const { bytesWritten } = await file.write(bytes, offset, bytes.length - offset, null);
    if (bytesWritten === 0) throw new Error('The disk accepts no more bytes.');
    offset += bytesWritten;
  }
}

export const openSegmentFile: OpenSegmentFile = async (dir, segmentId) => {
  // Append mode: writes after a truncation still land at the end.
  const file = await open(segmentPath(dir, segmentId), 'ax', 0o600);
  try {
    await syncPath(dir);
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    append: (bytes) => writeAll(file, bytes),
    sync: () => file.datasync(),
    truncate: async (length) => {
      await file.truncate(length);
      await file.datasync();
    },
    close: () => file.close(),
  };
};
