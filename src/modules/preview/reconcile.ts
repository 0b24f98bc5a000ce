import type { Deps } from '../../context.ts';
import { MINUTE_MS } from '../../shared/time.ts';
import { finishSilent } from './queries.ts';

/** Supervisors report every second; workflows that were lost do not. */
const SILENCE_MS = 2 * MINUTE_MS;

export async function reconcilePreviews({ sql, clock, log }: Pick<Deps, 'sql' | 'clock' | 'log'>) {
  const before = new Date(clock().getTime() - SILENCE_MS);
  const ended = await finishSilent(sql, before, 'The session was lost.');
  if (ended > 0) log.warn({ sessions: ended }, 'Preview sessions were lost');
}
