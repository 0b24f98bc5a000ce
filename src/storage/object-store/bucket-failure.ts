/** Of an object that is not there: asking again finds it no more. */
const NOT_THERE = 'NoSuchKey';
/** What Bun says of every fault without an answer; the code says which. */
const UNSAID = 'an unexpected error has occurred';

/** A bucket that did not do what it was asked; `code` is the store's own, or the connection's. */
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

/** Whether the bucket may do the same later, unchanged: it is away, or refuses this host. */
export const isBucketAway = (thrown: unknown): boolean =>
  thrown instanceof BucketFailure && thrown.code !== NOT_THERE;

/** Whether the bucket has no such object, also where it had one a moment ago. */
export const isNotThere = (thrown: unknown): boolean =>
  thrown instanceof BucketFailure && thrown.code === NOT_THERE;

/** Runs a request, so that a fault says what was asked of which bucket. `what` is such as "give KEY". */
export async function askBucket<T>(
  { bucket, endpoint }: { bucket: string; endpoint: string | undefined },
  what: string,
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await request();
  } catch (thrown) {
    if (!(thrown instanceof Error && thrown.name === 'S3Error')) throw thrown;
    const code = 'code' in thrown ? String(thrown.code) : 'unknown';
    const said = thrown.message === UNSAID ? '' : `: ${thrown.message}`;
    const at = endpoint === undefined ? '' : ` at ${endpoint}`;
    throw new BucketFailure(
      `The bucket ${bucket}${at} did not ${what}, ${code}${said}`,
      code,
      thrown,
    );
  }
}
