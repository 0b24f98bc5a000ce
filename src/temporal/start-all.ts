import { limitConcurrency } from '../shared/concurrency.ts';

/** Starts are small, but each waits for the server's answer. */
const STARTS_AT_ONCE = 20;

/**
 * Starts a run for each, so many at a time. All are tried; throws the first fault of those that
 * failed.
 */
export async function startAll<T>(
  items: readonly T[],
  start: (item: T) => Promise<unknown>,
): Promise<void> {
  const limited = limitConcurrency(STARTS_AT_ONCE);
  const started = await Promise.allSettled(items.map((item) => limited(() => start(item))));
  const failed = started.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
