import { rm } from 'node:fs/promises';
import type { SystemContext } from '../../context.ts';
import type { AppScope } from '../../shared/app.ts';
import { AppError } from '../../shared/errors.ts';
import { RUNNING_PHASES } from './model.ts';
import { deletePreview, requestStop, selectSession } from './queries.ts';
import { runnerFolder } from './runner/isolation.ts';

/** Cleanup step of the app's deletion. Throws `unavailable`, to be retried, until the runner is gone. */
export async function removePreview(
  { deps }: SystemContext<'clock' | 'config' | 'sql'>,
  scope: AppScope,
): Promise<void> {
  const { phase } = await selectSession(deps.sql, scope);
  if (RUNNING_PHASES.includes(phase)) {
    if (phase !== 'stopping') await requestStop(deps.sql, scope, deps.clock());
    throw new AppError('unavailable', 'The preview is still stopping.', { retryAfterSeconds: 2 });
  }
  await deletePreview(deps.sql, scope);
  await rm(runnerFolder(deps.config, scope.appId), { recursive: true, force: true });
}
