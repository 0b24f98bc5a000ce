import type { Deps } from '../../context.ts';
import { MINUTE_MS } from '../../shared/time.ts';
import { previewSessionContract } from '../../temporal/contracts/preview.ts';
import { ensureMissing } from '../../temporal/ensure.ts';
import { finishSilent, markRunsEnsured, selectSessionsWithoutRun } from './queries.ts';

/** Supervisors report every second. */
const SILENCE_MS = 2 * MINUTE_MS;

export function ensureMissingPreviewRuns(deps: Pick<Deps, 'sql' | 'temporal'>): Promise<boolean> {
  return ensureMissing(deps, {
    select: selectSessionsWithoutRun,
    ensure: (temporal, session) => temporal.ensure(previewSessionContract, session),
    markEnsured: markRunsEnsured,
  });
}

export async function reconcilePreviews({ sql, clock, log }: Pick<Deps, 'sql' | 'clock' | 'log'>) {
  const before = new Date(clock().getTime() - SILENCE_MS);
  const ended = await finishSilent(sql, before, 'The session was lost.');
  if (ended > 0) log.warn({ sessions: ended }, 'preview sessions lost');
}
