import { rm } from 'node:fs/promises';
import type { AppContext, Deps, SystemContext } from '../../context.ts';
import type { AppScope } from '../../shared/app.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { MINUTE_MS } from '../../shared/time.ts';
import type { Tx } from '../../storage/postgres.ts';
import { previewSessionContract } from '../../temporal/contracts/preview.ts';
import { ensureMissing, ensureSoon } from '../../temporal/ensure.ts';
import { type PreviewSession, RUNNING_PHASES } from './model.ts';
import {
  countRunning,
  deleteCommand,
  finishSilent,
  lockPreviews,
  markRunsEnsured,
  replaceSession,
  requestStop,
  selectSession,
  selectSessionsWithoutRun,
  upsertCommand,
} from './queries.ts';
import { runnerFolder } from './runner/isolation.ts';

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

type PreviewRunner = { appId: string; command: string | null };

/** Shell command; null removes it. */
export async function setPreviewRunner(
  { deps }: SystemContext<'clock' | 'sql'>,
  runner: PreviewRunner,
): Promise<PreviewRunner> {
  const { appId, command } = runner;
  if (command === null) await deleteCommand(deps.sql, appId);
  else if (!(await upsertCommand(deps.sql, appId, command, deps.clock()))) throw notFound();
  return runner;
}

const MAX_OF_ORGANIZATION = 3;
/** Each occupies an activity slot of the worker for hours. */
const MAX_IN_ALL = 20;

export async function getPreview({ deps, orgId, app }: AppContext<'sql'>): Promise<PreviewSession> {
  return selectSession(deps.sql, { orgId, appId: app.id });
}

/** No-op while running or without a runner. */
export async function startPreview({
  deps,
  orgId,
  app,
}: AppContext<'clock' | 'log' | 'sql' | 'temporal'>): Promise<PreviewSession> {
  const scope = { orgId, appId: app.id };
  const session = await deps.sql.begin(async (tx) => {
    await lockPreviews(tx);
    const { available, phase } = await selectSession(tx, scope);
    if (!available) return null;
    if (phase === 'stopping') throw conflict('The last session is still stopping.');
    if (RUNNING_PHASES.includes(phase)) return null;
    await checkLimits(tx, orgId);
    const started = { ...scope, sessionId: newId('prv') };
    await replaceSession(tx, started, deps.clock());
    return started;
  });
  if (session) ensureSoon(deps, previewSessionContract, session);
  return selectSession(deps.sql, scope);
}

async function checkLimits(tx: Tx, orgId: string): Promise<void> {
  const { ofOrganization, inAll } = await countRunning(tx, orgId);
  if (ofOrganization >= MAX_OF_ORGANIZATION) {
    throw conflict(`At most ${MAX_OF_ORGANIZATION} previews of an organization run at once.`);
  }
  if (inAll >= MAX_IN_ALL) {
    throw conflict('The service has reached its limit of previews; try again later.');
  }
}

function conflict(hint: string): AppError {
  return new AppError('conflict', 'The preview cannot be started now.', { hint });
}

export async function stopPreview({
  deps,
  orgId,
  app,
}: AppContext<'clock' | 'sql'>): Promise<PreviewSession> {
  const scope = { orgId, appId: app.id };
  await requestStop(deps.sql, scope, deps.clock());
  return selectSession(deps.sql, scope);
}

/** Throws `unavailable` until the runner has ended. */
export async function removePreview(
  { deps }: SystemContext<'clock' | 'config' | 'sql'>,
  scope: AppScope,
): Promise<void> {
  const { phase } = await selectSession(deps.sql, scope);
  if (RUNNING_PHASES.includes(phase)) {
    if (phase !== 'stopping') await requestStop(deps.sql, scope, deps.clock());
    throw new AppError('unavailable', 'The preview is still stopping.', { retryAfterSeconds: 2 });
  }
  await rm(runnerFolder(deps.config, scope.appId), { recursive: true, force: true });
}
