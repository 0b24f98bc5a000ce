import type { AppScope } from '../../shared/app.ts';
import { parser } from '../../shared/schema.ts';
import { lock } from '../../storage/locks.ts';
import { type Db, hasRows, type Tx, firstValue, done, singleRow } from '../../storage/postgres.ts';
import { rowParser } from '../../storage/row-parser.ts';
import { markEnsured } from '../../storage/wanted-runs.ts';
import { PreviewPhase, PreviewSession, RUNNING_PHASES } from './model.ts';
import type { RunnerMessage } from './runner/protocol.ts';

export type SessionScope = AppScope & { sessionId: string };

const toSession = rowParser(PreviewSession, 'stored preview session');
const phases = parser(PreviewPhase, 'phase of a preview session');

const NO_SESSION = {
  phase: 'stopped',
  ready: false,
  webUrl: null,
  expoUrl: null,
  version: null,
  error: null,
  startedAt: null,
} as const;

export const selectCommand = (db: Db, { orgId, appId }: AppScope) =>
  firstValue(db<{ command: string }[]>`
    SELECT command FROM preview_runners WHERE org_id = ${orgId} AND app_id = ${appId}`);

export const upsertCommand = (db: Db, appId: string, command: string, now: Date) =>
  hasRows(db`
    INSERT INTO preview_runners (app_id, org_id, command, updated_at)
    SELECT app_id, org_id, ${command}, ${now}::timestamptz FROM apps
    WHERE app_id = ${appId} AND deleted_at IS NULL
    ON CONFLICT (app_id) DO UPDATE SET command = EXCLUDED.command,
      updated_at = EXCLUDED.updated_at
    RETURNING 1`);

export const deleteCommand = (db: Db, appId: string) =>
  done(db`DELETE FROM preview_runners WHERE app_id = ${appId}`);

export async function selectSession(db: Db, scope: AppScope): Promise<PreviewSession> {
  const { orgId, appId } = scope;
  const available = (await selectCommand(db, scope)) !== null;
  const [row] = await db`
    SELECT phase, phase = 'ready' AS ready, web_url, expo_url, version, errors, error, started_at
    FROM preview_sessions WHERE org_id = ${orgId} AND app_id = ${appId}`;
  if (!row) return { available, ...NO_SESSION, errors: [] };
  return toSession({ available, ...row });
}

/** Serializes starts, so that limits hold. */
export function lockPreviews(tx: Tx): Promise<void> {
  return lock(tx, 'previews');
}

export const countRunning = (db: Db, orgId: string) =>
  singleRow(db<{ ofOrganization: number; inAll: number }[]>`
    SELECT count(*) AS "inAll", count(*) FILTER (WHERE org_id = ${orgId}) AS "ofOrganization"
    FROM preview_sessions WHERE phase IN ${db(RUNNING_PHASES)}`);

export async function replaceSession(
  tx: Tx,
  { orgId, appId, sessionId }: SessionScope,
  now: Date,
): Promise<void> {
  await tx`DELETE FROM preview_sessions WHERE org_id = ${orgId} AND app_id = ${appId}`;
  await tx`
    INSERT INTO preview_sessions (app_id, org_id, session_id, phase, started_at, updated_at)
    VALUES (${appId}, ${orgId}, ${sessionId}, 'starting', ${now}, ${now})`;
}

export const requestStop = (db: Db, { orgId, appId }: AppScope, now: Date) =>
  done(db`
    UPDATE preview_sessions SET updated_at = ${now},
      phase = CASE WHEN phase IN ${db(RUNNING_PHASES)} THEN 'stopping' ELSE 'stopped' END,
      error = NULL, errors = '[]', web_url = NULL, expo_url = NULL
    WHERE org_id = ${orgId} AND app_id = ${appId} AND phase <> 'stopped'`);

/** Heartbeat. Returns the phase, null for a replaced session. */
export async function touchSession(
  db: Db,
  { orgId, appId, sessionId }: SessionScope,
  now: Date,
): Promise<PreviewPhase | null> {
  const [row] = await db<{ phase: string }[]>`
    UPDATE preview_sessions SET updated_at = ${now}
    WHERE org_id = ${orgId} AND app_id = ${appId} AND session_id = ${sessionId}
    RETURNING phase`;
  return row ? phases.parse(row.phase) : null;
}

/** No-op while stopping. */
export async function saveMessage(
  db: Db,
  { orgId, appId, sessionId }: SessionScope,
  message: RunnerMessage,
): Promise<void> {
  const { phase, webUrl, expoUrl, version, errors } = message;
  await db`
    UPDATE preview_sessions SET
      phase = coalesce(${phase ?? null}, phase),
      web_url = CASE WHEN ${webUrl !== undefined} THEN ${webUrl ?? null} ELSE web_url END,
      expo_url = CASE WHEN ${expoUrl !== undefined} THEN ${expoUrl ?? null} ELSE expo_url END,
      version = CASE WHEN ${version !== undefined} THEN ${version ?? null}::int ELSE version END,
      errors = coalesce(${errors === undefined ? null : JSON.stringify(errors)}::text::jsonb, errors)
    WHERE org_id = ${orgId} AND app_id = ${appId} AND session_id = ${sessionId}
      AND phase IN ('starting', 'installing', 'ready')`;
}

const ended = (db: Db, error: string) => db`
  web_url = NULL, expo_url = NULL,
  error = CASE WHEN phase = 'stopping' THEN NULL ELSE ${error} END,
  phase = CASE WHEN phase = 'stopping' THEN 'stopped' ELSE 'error' END`;

/** `stopped` after a stop request, else `error`. */
export const finishSession = (
  db: Db,
  { orgId, appId, sessionId }: SessionScope,
  error: string,
  now: Date,
) =>
  done(db`
    UPDATE preview_sessions SET updated_at = ${now}, ${ended(db, error)}
    WHERE org_id = ${orgId} AND app_id = ${appId} AND session_id = ${sessionId}
      AND phase IN ${db(RUNNING_PHASES)}`);

export const isReportedOn = (db: Db, { orgId, appId, sessionId }: SessionScope, after: Date) =>
  hasRows(db`
    SELECT 1 FROM preview_sessions
    WHERE org_id = ${orgId} AND app_id = ${appId} AND session_id = ${sessionId}
      AND phase IN ${db(RUNNING_PHASES)} AND updated_at >= ${after}`);

/** Ends sessions without a heartbeat since `before`. */
export async function finishSilent(db: Db, before: Date, error: string): Promise<number> {
  const rows = await db`
    UPDATE preview_sessions SET ${ended(db, error)}
    WHERE phase IN ${db(RUNNING_PHASES)} AND updated_at < ${before}
    RETURNING 1`;
  return rows.length;
}

export const selectSessionsWithoutRun = async (db: Db, limit: number) => db<SessionScope[]>`
    SELECT org_id AS "orgId", app_id AS "appId", session_id AS "sessionId" FROM preview_sessions
    WHERE run_ensured_at IS NULL AND phase = 'starting' ORDER BY started_at LIMIT ${limit}`;

export const markRunsEnsured = markEnsured('preview_sessions', 'orgId', 'sessionId');
