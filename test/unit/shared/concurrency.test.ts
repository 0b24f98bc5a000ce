import { describe, expect, test } from 'bun:test';
import { limitConcurrency } from '../../../src/shared/concurrency.ts';

describe('limitConcurrency', () => {
  test('never runs more than its places, and everything in order', async () => {
    const limit = limitConcurrency(2);
    let running = 0;
    let most = 0;
    const started: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        limit(async () => {
          started.push(index);
          running += 1;
          most = Math.max(most, running);
          await Promise.resolve();
          await Promise.resolve();
          running -= 1;
        }),
      ),
    );
    expect(most).toBe(2);
    expect(started).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  test('a task that fails gives its place back', async () => {
    const limit = limitConcurrency(1);
    await expect(limit(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await limit(async () => 'next')).toBe('next');
  });

  test('a task that has waited too long is refused, and takes no place later', async () => {
    const limit = limitConcurrency(1, { waitMs: 5, error: () => new Error('too many') });
    const first = Promise.withResolvers<string>();
    const running = limit(() => first.promise);
    await expect(limit(async () => 'late')).rejects.toThrow('too many');
    first.resolve('first');
    expect(await running).toBe('first');
    expect(await limit(async () => 'next')).toBe('next');
  });
});
