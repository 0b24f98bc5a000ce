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
import * as queries from './queries.ts';
import { runnerFolder } from './runner/isolation.ts';

/** Supervisors report every second. */
const SILENCE_MS = 2 * MINUTE_MS;

export function ensureMissingPreviewRuns(deps: Pick<Deps, 'sql' | 'temporal'>): Promise<boolean> {
  return ensureMissing(deps, {
    select: queries.selectSessionsWithoutRun,
    ensure: (temporal, session) => temporal.ensure(previewSessionContract, session),
    markEnsured: queries.markRunsEnsured,
  });
}

export async function reconcilePreviews({ sql, clock, log }: Pick<Deps, 'sql' | 'clock' | 'log'>) {
  const before = new Date(clock().getTime() - SILENCE_MS);
  const ended = await queries.finishSilent(sql, before, 'The session was lost.');
  if (ended > 0) log.warn({ sessions: ended }, 'preview sessions lost');
}

type PreviewRunner = { appId: string; command: string | null };

/** Shell command; null removes it. */
export async function setPreviewRunner(
  { deps }: SystemContext<'clock' | 'sql'>,
  runner: PreviewRunner,
): Promise<PreviewRunner> {
  const { appId, command } = runner;
  if (command === null) await queries.deleteCommand(deps.sql, appId);
  else if (!(await queries.upsertCommand(deps.sql, appId, command, deps.clock()))) throw notFound();
  return runner;
}

const MAX_OF_ORGANIZATION = 3;
/** Each occupies an activity slot of the worker for hours. */
const MAX_IN_ALL = 20;

export async function getPreview({ deps, scope }: AppContext<'sql'>): Promise<PreviewSession> {
  return queries.selectSession(deps.sql, scope);
}

/** No-op while running or without a runner. */
export async function startPreview({
  deps,
  orgId,
  scope,
}: AppContext<'clock' | 'log' | 'sql' | 'temporal'>): Promise<PreviewSession> {
  const session = await deps.sql.begin(async (tx) => {
    await queries.lockPreviews(tx);
    const { available, phase } = await queries.selectSession(tx, scope);
    if (!available) return null;
    if (phase === 'stopping') throw conflict('The last session is still stopping.');
    if (RUNNING_PHASES.includes(phase)) return null;
    await checkLimits(tx, orgId);
    const started = { ...scope, sessionId: newId('prv') };
    await queries.replaceSession(tx, started, deps.clock());
    return started;
  });
  if (session) ensureSoon(deps, previewSessionContract, session);
  return queries.selectSession(deps.sql, scope);
}

async function checkLimits(tx: Tx, orgId: string): Promise<void> {
  const { ofOrganization, inAll } = await queries.countRunning(tx, orgId);
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
  scope,
}: AppContext<'clock' | 'sql'>): Promise<PreviewSession> {
  await queries.requestStop(deps.sql, scope, deps.clock());
  return queries.selectSession(deps.sql, scope);
}

/** Throws `unavailable` until the runner has ended. */
export async function removePreview(
  { deps }: SystemContext<'clock' | 'config' | 'sql'>,
  scope: AppScope,
): Promise<void> {
  const { phase } = await queries.selectSession(deps.sql, scope);
  if (RUNNING_PHASES.includes(phase)) {
    if (phase !== 'stopping') await queries.requestStop(deps.sql, scope, deps.clock());
    throw new AppError('unavailable', 'The preview is still stopping.', { retryAfterSeconds: 2 });
  }
  await rm(runnerFolder(deps.config, scope.appId), { recursive: true, force: true });
}
