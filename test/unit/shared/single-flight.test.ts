import { expect, test } from 'bun:test';
import { singleFlight } from '../../../src/shared/single-flight.ts';

test('callers share the task that runs for their key, and start another once it has ended', async () => {
  const once = singleFlight<number>();
  let started = 0;
  const task = async () => {
    started += 1;
    return started;
  };
  expect(await Promise.all([once('a', task), once('a', task), once('b', task)])).toEqual([1, 1, 2]);
  expect(await once('a', task)).toBe(3);
});

test('a failure reaches every caller and is forgotten', async () => {
  const once = singleFlight<string>();
  const fail = () => Promise.reject(new Error('away'));
  const results = await Promise.allSettled([once('a', fail), once('a', fail)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await once('a', async () => 'back')).toBe('back');
});
