import type { Db } from '../storage/postgres.ts';

/** Moves an experiment that has just been started, and perhaps stopped, back into the month. */
export async function backdateExperiment(
  db: Db,
  experiment: { orgId: string; id: string; startedAt: Date; stoppedAt: Date | null },
): Promise<void> {
  const { orgId, id, startedAt, stoppedAt } = experiment;
  await db`
    UPDATE experiments SET created_at = ${startedAt}, started_at = ${startedAt},
      stopped_at = ${stoppedAt}
    WHERE org_id = ${orgId} AND experiment_id = ${id}`;
}

/** Whether the deletion of an organization has removed all that it had. */
export async function isDeletionFinished(db: Db, orgId: string): Promise<boolean> {
  const rows = await db`
    SELECT 1 FROM organization_deletions WHERE org_id = ${orgId} AND finished_at IS NOT NULL`;
  return rows.length > 0;
}

/** Deletes the record of a finished deletion: a demo leaves nothing to account for. */
export async function deleteDeletionRecord(db: Db, orgId: string): Promise<void> {
  await db`
    DELETE FROM organization_deletions WHERE org_id = ${orgId} AND finished_at IS NOT NULL`;
}

/** Deletes the account of a demo unless it belongs to another organization by now. */
export async function deleteDemoAccount(db: Db, userId: string): Promise<void> {
  await db`
    DELETE FROM auth."user" u WHERE u.id = ${userId}
      AND NOT EXISTS (SELECT 1 FROM auth.member m WHERE m."userId" = u.id)`;
}
