import { AppError } from '../../../shared/errors.ts';
import { parseId } from '../../../shared/ids.ts';
import { deleteOwned } from '../../../storage/dump/owned-rows.ts';
import { type Db, type Sql, done, column } from '../../../storage/postgres.ts';

export type Named = { id: string; name: string; slug: string };

export async function lockOrganization(db: Db, orgId: string): Promise<Named | undefined> {
  const rows = await db<Named[]>`
    SELECT id, name, slug FROM auth.organization WHERE id = ${orgId} FOR UPDATE`;
  return rows[0];
}

export async function deleteOrganizationRow(db: Db, orgId: string): Promise<void> {
  await db`DELETE FROM auth.organization WHERE id = ${orgId}`;
  await db`
    UPDATE auth.session SET "activeOrganizationId" = NULL WHERE "activeOrganizationId" = ${orgId}`;
}

export const insertDeletion = (
  db: Db,
  { id, name, slug }: Named,
  requested: { by: string; at: Date },
) =>
  done(db`
    INSERT INTO organization_deletions (org_id, name, slug, requested_by, requested_at)
    VALUES (${id}, ${name}, ${slug}, ${requested.by}, ${requested.at})`);

export const hideApps = (db: Db, orgId: string, at: Date) =>
  done(db`UPDATE apps SET deleted_at = ${at} WHERE org_id = ${orgId} AND deleted_at IS NULL`);

export const listAppIds = (db: Db, orgId: string) =>
  column(db<{ app_id: string }[]>`
    SELECT app_id FROM apps WHERE org_id = ${orgId} ORDER BY app_id`);

export const markFinished = (db: Db, orgId: string, at: Date) =>
  done(db`
    UPDATE organization_deletions SET finished_at = ${at}, name = '', slug = ''
    WHERE org_id = ${orgId} AND finished_at IS NULL`);

/** Throws `conflict` without a deletion. */
export async function isUnfinished(db: Db, orgId: string): Promise<boolean> {
  const [deletion] = await db<{ unfinished: boolean }[]>`
    SELECT finished_at IS NULL AS unfinished FROM organization_deletions
    WHERE org_id = ${parseId(orgId, 'orgId')}`;
  if (deletion) return deletion.unfinished;
  throw new AppError('conflict', 'Nobody has deleted this organization.');
}

/** Oldest request first; `without` a run: those not ensured yet. */
export const listUnfinished = (db: Db, limit: number, without?: 'run') =>
  column(db<{ org_id: string }[]>`
    SELECT org_id FROM organization_deletions
    WHERE finished_at IS NULL ${without ? db`AND run_ensured_at IS NULL` : db``}
    ORDER BY requested_at LIMIT ${limit}`);

export const markRunsEnsured = (db: Db, orgIds: readonly string[]) =>
  done(db`
    UPDATE organization_deletions SET run_ensured_at = now() WHERE org_id IN ${db(orgIds)}`);

/** Each app's deletion needs the event tables. */
const KEPT = /^(event_|organization_deletions$)/;

export const deleteRows = (sql: Sql, orgId: string) =>
  deleteOwned(sql, { org_id: orgId }, (table) => KEPT.test(table));
