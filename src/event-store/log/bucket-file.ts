import { MINUTE_MS, SECOND_MS } from '../../shared/time.ts';
import { withTimeout } from '../../shared/timeout.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import { segmentCopyName } from '../objects/names.ts';
import { type OpenSegmentFile, openSegmentFile } from './segment-file.ts';

const PUT_LIMIT_MS = 5 * SECOND_MS;
const REMOVE_LIMIT_MS = 2 * SECOND_MS;
/** Refusal after a failed PUT, before one group retries. */
const REST_MS = SECOND_MS;
/** Without a batch for so long, nobody knows whether the bucket is back. */
const FORGOTTEN_MS = MINUTE_MS;

export type BucketFileOptions = {
  objects: Pick<ObjectStore, 'putBytes' | 'remove'>;
  onStored: (segmentId: string) => void;
  putLimitMs?: number;
  restMs?: number;
};

export type BucketFiles = {
  open: OpenSegmentFile;
  /** Until the next PUT succeeds, rests included. */
  isAway: () => boolean;
};

/**
 * Durable once in the bucket. A PUT without answer may have succeeded: its object is deleted, its
 * empty segment catalogued.
 */
export function bucketSegmentFiles(options: BucketFileOptions): BucketFiles {
  const { objects, onStored, putLimitMs = PUT_LIMIT_MS, restMs = REST_MS } = options;
  let failedAtMs = Number.NEGATIVE_INFINITY;
  const failedWithin = (ms: number) => performance.now() - failedAtMs < ms;
  const discard = (name: string) =>
    withTimeout(objects.remove(name), REMOVE_LIMIT_MS).catch(() => undefined);

  const open: OpenSegmentFile = async (dir, segmentId) => {
    if (failedWithin(restMs)) throw new Error('The bucket refused a segment a moment ago.');
    const name = segmentCopyName(segmentId);
    const local = await openSegmentFile(dir, segmentId);
    let content = Buffer.alloc(0);
    let localBytes = 0;
    const put = async () => {
      try {
        await withTimeout(objects.putBytes(name, content), putLimitMs);
        failedAtMs = Number.NEGATIVE_INFINITY;
      } catch (error) {
        failedAtMs = performance.now();
        await discard(name);
        throw error;
      }
    };
    return {
      append: async (bytes) => {
        content = Buffer.concat([content, bytes]);
      },
      sync: async () => {
        await put();
        onStored(segmentId);
        await local.append(content.subarray(localBytes));
        localBytes = content.length;
        await local.sync();
      },
      truncate: async (length) => {
        content = content.subarray(0, length);
        localBytes = Math.min(localBytes, length);
        await local.truncate(localBytes);
        if (length === 0) await discard(name);
      },
      close: () => local.close(),
    };
  };
  return { open, isAway: () => failedWithin(FORGOTTEN_MS) };
}
