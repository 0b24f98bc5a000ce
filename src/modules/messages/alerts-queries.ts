import { type Db, type Tx, done } from '../../storage/postgres.ts';

export type OpenAlert = { code: string; beganAt: Date; absentSince: Date | null };
type Scope = { orgId: string; appId: string };

export const lockOpenAlerts = async (tx: Tx, { orgId, appId }: Scope) => tx<OpenAlert[]>`
    SELECT code, began_at AS "beganAt", absent_since AS "absentSince" FROM alerts
    WHERE org_id = ${orgId} AND app_id = ${appId} FOR UPDATE`;

export const insertAlert = (
  tx: Tx,
  { orgId, appId }: Scope,
  { code, at }: { code: string; at: Date },
) =>
  done(tx`
    INSERT INTO alerts (org_id, app_id, code, began_at)
    VALUES (${orgId}, ${appId}, ${code}, ${at})`);

export async function setAbsent(
  tx: Tx,
  { orgId, appId }: Scope,
  { codes, since }: { codes: readonly string[]; since: Date | null },
): Promise<void> {
  if (codes.length === 0) return;
  await tx`
    UPDATE alerts SET absent_since = ${since}
    WHERE org_id = ${orgId} AND app_id = ${appId} AND code = ANY(${[...codes]}::text[])`;
}

export async function deleteAlerts(
  tx: Tx,
  { orgId, appId }: Scope,
  codes: readonly string[],
): Promise<void> {
  if (codes.length === 0) return;
  await tx`
    DELETE FROM alerts
    WHERE org_id = ${orgId} AND app_id = ${appId} AND code = ANY(${[...codes]}::text[])`;
}

/** So that present alerts begin anew. */
export const forgetAlerts = (db: Db, orgId: string) =>
  done(db`DELETE FROM alerts WHERE org_id = ${orgId}`);
