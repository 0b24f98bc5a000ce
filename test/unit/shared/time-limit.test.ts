import { expect, test } from 'bun:test';
import { TimeLimitError, withTimeLimit } from '../../../src/shared/time-limit.ts';

const never = new Promise<never>(() => undefined);

test('work in time gives its result or its failure', async () => {
  expect(await withTimeLimit(Promise.resolve('done'), 1_000)).toBe('done');
  await expect(withTimeLimit(Promise.reject(new RangeError()), 1_000)).rejects.toThrow(RangeError);
});

test('work that takes longer gives what `late` says, by default an error', async () => {
  expect(await withTimeLimit(never, 1, () => 'stale')).toBe('stale');
  await expect(withTimeLimit(never, 1)).rejects.toThrow(TimeLimitError);
});
