import { expect, test } from 'bun:test';
import { TimeoutError, withTimeout } from '../../../src/shared/timeout.ts';

const never = new Promise<never>(() => undefined);

test('work in time gives its result or its failure', async () => {
  expect(await withTimeout(Promise.resolve('done'), 1_000)).toBe('done');
  await expect(withTimeout(Promise.reject(new RangeError()), 1_000)).rejects.toThrow(RangeError);
});

test('work that takes longer gives what `late` says, by default an error', async () => {
  expect(await withTimeout(never, 1, () => 'stale')).toBe('stale');
  await expect(withTimeout(never, 1)).rejects.toThrow(TimeoutError);
});
