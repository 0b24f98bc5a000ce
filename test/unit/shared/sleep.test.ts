import { describe, expect, test } from 'bun:test';
import { getEventListeners } from 'node:events';
import { DAY_MS, sleep } from '../../../src/shared/time.ts';
import { nextTurn } from '../../support/pause.ts';

/** Whether it has settled, once everything that was ready to run has run. */
async function hasSettled(promise: Promise<unknown>): Promise<boolean> {
  await nextTurn();
  return Bun.peek.status(promise) === 'fulfilled';
}

describe('a sleep with a signal', () => {
  test('ends when the signal is aborted', async () => {
    const stopping = new AbortController();
    const sleeping = sleep(DAY_MS, stopping.signal);
    expect(await hasSettled(sleeping)).toBe(false);
    stopping.abort();
    expect(await hasSettled(sleeping)).toBe(true);
  });

  test('does not begin when the signal was aborted before', async () => {
    expect(await hasSettled(sleep(DAY_MS, AbortSignal.abort()))).toBe(true);
  });

  test('leaves nothing on a signal that outlives it', async () => {
    const { signal } = new AbortController();
    for (let round = 0; round < 5; round += 1) await sleep(1, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('needs no signal', async () => {
    await sleep(1);
  });
});
