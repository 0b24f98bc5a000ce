import type { AppScope } from '../../../shared/app.ts';
import type { Tx } from '../../../storage/postgres.ts';

export type NameUse = { name: string; what: string };

/** What needs one of the names. */
export async function selectNameUse(
  tx: Tx,
  { orgId, appId }: AppScope,
  { names, now }: { names: readonly string[]; now: Date },
): Promise<NameUse | null> {
  const [use] = await tx<NameUse[]>`
    SELECT entitlement AS name, 'the running grant of ' || user_id AS what
    FROM purchase_grants
    WHERE org_id = ${orgId} AND app_id = ${appId} AND entitlement = ANY(${[...names]})
      AND ended_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})
    ORDER BY grant_id LIMIT 1`;
  return use ?? null;
}
