import type { BackendHealth } from '../../providers/backend/port.ts';
import type { AppScope } from '../../shared/app.ts';
import { newId } from '../../shared/ids.ts';
import { lockSubject } from '../../storage/locks.ts';
import { type Db, hasRows, type Tx, firstRow, done, firstValue } from '../../storage/postgres.ts';

export type BackendRecord = {
  appId: string | null;
  name: string;
  sealedPassword: string | null;
  attemptedAt: Date | null;
  health: string | null;
  /** Null before the project exists. */
} & ({ projectRef: string; url: string } | { projectRef: null; url: null });

const columns = (db: Db) => db`
  app_id AS "appId", name, project_ref AS "projectRef", url,
  sealed_database_password AS "sealedPassword", attempted_at AS "attemptedAt", health`;

export function lockBackend(tx: Tx, { appId }: AppScope): Promise<void> {
  return lockSubject(tx, 'backend', appId);
}

export const selectOfApp = (db: Db, { orgId, appId }: AppScope) =>
  firstRow(db<BackendRecord[]>`
    SELECT ${columns(db)} FROM backend_projects
    WHERE org_id = ${orgId} AND app_id = ${appId}`);

export const selectByRef = (db: Db, orgId: string, projectRef: string) =>
  firstRow(db<BackendRecord[]>`
    SELECT ${columns(db)} FROM backend_projects
    WHERE org_id = ${orgId} AND project_ref = ${projectRef}`);

export const insertWanted = (
  db: Db,
  { orgId, appId }: AppScope,
  wanted: { name: string; sealedPassword: string; now: Date },
) =>
  done(db`
    INSERT INTO backend_projects
      (backend_project_id, org_id, app_id, origin, name, sealed_database_password, created_at)
    VALUES (${newId('bkp')}, ${orgId}, ${appId}, 'created', ${wanted.name},
      ${wanted.sealedPassword}, ${wanted.now})`);

/** Throws the unique violation for a recorded project. */
export const insertAssigned = (
  db: Db,
  orgId: string,
  project: { ref: string; name: string; url: string; now: Date },
) =>
  done(db`
    INSERT INTO backend_projects
      (backend_project_id, org_id, origin, name, project_ref, url, created_at)
    VALUES (${newId('bkp')}, ${orgId}, 'assigned', ${`assigned:${project.ref}`}, ${project.ref},
      ${project.url}, ${project.now})`);

export const deleteUnmade = (db: Db, { orgId, appId }: AppScope) =>
  done(db`
    DELETE FROM backend_projects
    WHERE org_id = ${orgId} AND app_id = ${appId} AND project_ref IS NULL
      AND attempted_at IS NULL`);

/** At most one creation at a time. */
export const noteAttempt = (db: Db, { orgId, appId }: AppScope, now: Date) =>
  hasRows(db`
    UPDATE backend_projects SET attempted_at = ${now}
    WHERE org_id = ${orgId} AND app_id = ${appId} AND project_ref IS NULL
      AND attempted_at IS NULL
    RETURNING 1`);

export const deleteRefused = (db: Db, { orgId, appId }: AppScope) =>
  done(db`
    DELETE FROM backend_projects
    WHERE org_id = ${orgId} AND app_id = ${appId} AND project_ref IS NULL`);

export async function wantAttached(
  tx: Tx,
  { orgId, appId }: AppScope,
  projectRef: string,
): Promise<boolean> {
  await tx`
    UPDATE backend_projects SET wanted_app_id = NULL
    WHERE org_id = ${orgId} AND wanted_app_id = ${appId} AND project_ref <> ${projectRef}`;
  return hasRows(tx`
    UPDATE backend_projects SET wanted_app_id = ${appId}
    WHERE org_id = ${orgId} AND project_ref = ${projectRef}
      AND (app_id IS NULL OR app_id = ${appId})
    RETURNING 1`);
}

export const selectWantedRef = (db: Db, { orgId, appId }: AppScope) =>
  firstValue(db<{ ref: string | null }[]>`
    SELECT project_ref AS ref FROM backend_projects
    WHERE org_id = ${orgId} AND wanted_app_id = ${appId}`);

export async function saveMade(
  tx: Tx,
  { orgId, appId }: AppScope,
  project: { ref: string; url: string; now: Date },
): Promise<void> {
  await tx`
    UPDATE backend_projects SET project_ref = ${project.ref}, url = ${project.url},
      connected_at = ${project.now}
    WHERE org_id = ${orgId} AND app_id = ${appId} AND project_ref IS NULL`;
  await showOnApp(tx, { orgId, appId }, project.ref);
}

export async function saveAttached(
  tx: Tx,
  { orgId, appId }: AppScope,
  project: { ref: string; url: string; now: Date },
): Promise<boolean> {
  const rows = await tx`
    UPDATE backend_projects SET app_id = ${appId}, wanted_app_id = NULL, url = ${project.url},
      connected_at = ${project.now}, health = NULL
    WHERE org_id = ${orgId} AND project_ref = ${project.ref} AND wanted_app_id = ${appId}
      AND (app_id IS NULL OR app_id = ${appId})
    RETURNING 1`;
  if (rows.length === 0) return false;
  await showOnApp(tx, { orgId, appId }, project.ref);
  return true;
}

const showOnApp = (tx: Tx, { orgId, appId }: AppScope, projectRef: string) =>
  done(tx`
    UPDATE apps SET backend_project_ref = ${projectRef}, backend_connected = true
    WHERE org_id = ${orgId} AND app_id = ${appId}`);

export const saveHealth = (db: Db, { orgId, appId }: AppScope, health: BackendHealth, now: Date) =>
  done(db`
    UPDATE backend_projects SET health = ${health}, health_checked_at = ${now}
    WHERE org_id = ${orgId} AND app_id = ${appId}`);

/** The customer's project stays. */
export async function detachBackend(db: Db, { orgId, appId }: AppScope): Promise<void> {
  await db`
    DELETE FROM backend_projects
    WHERE org_id = ${orgId} AND app_id = ${appId} AND project_ref IS NULL`;
  await db`
    UPDATE backend_projects SET app_id = NULL WHERE org_id = ${orgId} AND app_id = ${appId}`;
  await db`
    UPDATE backend_projects SET wanted_app_id = NULL
    WHERE org_id = ${orgId} AND wanted_app_id = ${appId}`;
}

/** Uncertain creation, or recent connection without health. */
export const selectUnfinished = async (db: Db, limit: number) => db<AppScope[]>`
    SELECT org_id AS "orgId", app_id AS "appId" FROM backend_projects
    WHERE app_id IS NOT NULL AND (
      (project_ref IS NULL AND attempted_at IS NOT NULL)
      OR (connected_at > now() - interval '1 hour' AND health IS DISTINCT FROM 'healthy'))
    ORDER BY created_at LIMIT ${limit}`;
