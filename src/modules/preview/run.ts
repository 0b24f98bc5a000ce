import type { SystemContext } from '../../context.ts';
import { AppError, errorMessage } from '../../shared/errors.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS, sleep } from '../../shared/time.ts';
import { isDatabaseUnavailable } from '../../storage/postgres.ts';
import * as queries from './queries.ts';
import { chooseIsolation, runnerFolder } from './runner/isolation.ts';
import { type Runner, startRunner } from './runner/process.ts';
import type { RunnerMessage } from './runner/protocol.ts';

export type RunLimits = {
  untilReadyMs: number;
  wholeMs: number;
  outputBytes: number;
  pollMs: number;
};

const LIMITS: RunLimits = {
  untilReadyMs: 10 * MINUTE_MS,
  wholeMs: 4 * HOUR_MS,
  outputBytes: 64 * 1024 * 1024,
  pollMs: SECOND_MS,
};

export type RunInput = queries.SessionScope & {
  heartbeat: () => void;
  signal: AbortSignal;
  limits?: RunLimits;
};

export async function runSession(
  { deps }: SystemContext<'clock' | 'config' | 'log' | 'sql'>,
  input: RunInput,
): Promise<void> {
  const { orgId, appId, sessionId, limits = LIMITS } = input;
  const scope = { orgId, appId, sessionId };
  const finish = (reason: string) => queries.finishSession(deps.sql, scope, reason, deps.clock());
  const command = await queries.selectCommand(deps.sql, scope);
  const phase = await queries.touchSession(deps.sql, scope, deps.clock());
  if (phase === 'installing' || phase === 'ready') {
    throw new AppError('conflict', 'This session runs already.');
  }
  if (command === null || phase !== 'starting') return finish('There is no runner for this app.');
  const isolation = chooseIsolation(deps.config);
  if (typeof isolation === 'string') return finish(isolation);
  let isReady = false;
  let saving = Promise.resolve();
  const onMessage = (message: RunnerMessage) => {
    isReady ||= message.phase === 'ready';
    // Sequential: an earlier message must not overwrite a later one.
    saving = saving
      .then(() => queries.saveMessage(deps.sql, scope, message))
      .catch((thrown) => deps.log.warn({ err: thrown, appId }, 'preview message lost'));
  };
  const runner = await startRunner({
    command,
    appId,
    sessionId,
    folder: runnerFolder(deps.config, appId),
    isolation,
    maxOutputBytes: limits.outputBytes,
    onMessage,
  });
  const startedAt = performance.now();
  const lookAgain = async (): Promise<string | null> => {
    input.heartbeat();
    if (input.signal.aborted) return 'The service was restarted.';
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs > limits.wholeMs) return 'The session reached its time limit.';
    if (!isReady && elapsedMs > limits.untilReadyMs) return 'The runner did not get ready in time.';
    const current = await queries.touchSession(deps.sql, scope, deps.clock()).catch((thrown) => {
      if (isDatabaseUnavailable(thrown)) return 'ready' as const;
      throw thrown;
    });
    return current === null || current === 'stopping' ? 'The session was stopped.' : null;
  };
  const reason = await superviseUntilEnd(runner, lookAgain, limits.pollMs);
  await saving;
  await finish(withTail(reason, runner));
}

async function superviseUntilEnd(
  runner: Runner,
  look: () => Promise<string | null>,
  pollMs: number,
): Promise<string> {
  let reason: string | null = null;
  let hasEnded = false;
  const ended = runner.ended.then(() => {
    hasEnded = true;
  });
  try {
    while (!hasEnded && reason === null) {
      await Promise.race([ended, sleep(pollMs)]);
      if (!hasEnded) reason = await look();
    }
  } catch (thrown) {
    reason = `The session could not be watched: ${errorMessage(thrown)}`;
  }
  await runner.stop();
  const { code, tooMuchOutput } = await runner.ended;
  if (tooMuchOutput) return 'The runner wrote too much output.';
  if (reason !== null) return reason;
  return code === null ? 'The runner was killed.' : `The runner ended with code ${code}.`;
}

function withTail(reason: string, runner: Runner): string {
  const tail = runner.tail();
  return tail === '' ? reason : `${reason}\n${tail}`;
}

/** Ten missed heartbeats. */
const SILENT_MS = 10 * LIMITS.pollMs;

/** Ends a session of a dead worker, or one never started. Throws `unavailable` during heartbeats. */
export async function finishPreview(
  { deps }: SystemContext<'clock' | 'sql'>,
  scope: queries.SessionScope,
): Promise<void> {
  const after = new Date(deps.clock().getTime() - SILENT_MS);
  if (await queries.isReportedOn(deps.sql, scope, after)) {
    const retryAfterSeconds = SILENT_MS / SECOND_MS;
    throw new AppError('unavailable', 'The session is being watched.', { retryAfterSeconds });
  }
  await queries.finishSession(deps.sql, scope, 'The host of the runner went away.', deps.clock());
}
