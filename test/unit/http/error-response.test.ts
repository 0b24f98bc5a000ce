import { expect, test } from 'bun:test';
import { toAppError } from '../../../src/http/error-response.ts';
import { BucketFailure } from '../../../src/storage/object-store/bucket-failure.ts';

test('a bucket that is away is 503 with Retry-After, a file that it lacks is our fault', () => {
  const away = toAppError(new BucketFailure('no bucket', 'ConnectionRefused', null), null);
  expect(away.code).toBe('unavailable');
  expect(away.retryAfterSeconds).toBeGreaterThan(0);
  expect(toAppError(new BucketFailure('no file', 'NoSuchKey', null), null).code).toBe('internal');
});
