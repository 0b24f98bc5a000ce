import { TimeoutError } from '../../shared/timeout.ts';

const NOT_THERE = 'NoSuchKey';
/** Bun's message for any failure without a response; the code tells the reason. */
const UNSAID = 'an unexpected error has occurred';

/** `code` is the store's own, or the connection's. */
export class BucketFailure extends Error {
  override readonly name = 'BucketFailure';

  constructor(
    message: string,
    readonly code: string,
    cause: unknown,
  ) {
    super(message, { cause });
  }
}

/** Whether a retry may succeed: the bucket is unavailable, or refuses this host. */
export const isBucketUnavailable = (thrown: unknown): boolean =>
  thrown instanceof BucketFailure && thrown.code !== NOT_THERE;

/** Also for an object just deleted. */
export const isNotThere = (thrown: unknown): boolean =>
  thrown instanceof BucketFailure && thrown.code === NOT_THERE;

export async function askBucket<T>(
  { bucket, endpoint }: { bucket: string; endpoint: string | undefined },
  what: string,
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await request();
  } catch (thrown) {
    const isLate = thrown instanceof TimeoutError;
    if (!isLate && !(thrown instanceof Error && thrown.name === 'S3Error')) throw thrown;
    // A code of connections would blame the database.
    const code = isLate ? 'NoAnswer' : 'code' in thrown ? String(thrown.code) : 'unknown';
    const said = thrown.message === UNSAID ? '' : `: ${thrown.message}`;
    const at = endpoint === undefined ? '' : ` at ${endpoint}`;
    throw new BucketFailure(
      `The bucket ${bucket}${at} did not ${what}, ${code}${said}`,
      code,
      thrown,
    );
  }
}
