import type { AppScope } from '../../../shared/app.ts';
import { lockSubject } from '../../../storage/locks.ts';
import type { Fragment, Tx } from '../../../storage/postgres.ts';

export type NameUse = { name: string; what: string };

/** Nothing begins to use a name until the transaction is over. */
export async function lockNameUses(tx: Tx, { orgId, appId }: AppScope): Promise<void> {
  await lockSubject(tx, 'segments', appId);
  await lockSubject(tx, 'webhooks', orgId);
}

export async function selectNameUse(
  tx: Tx,
  { orgId, appId }: AppScope,
  { names, now }: { names: readonly string[]; now: Date },
): Promise<NameUse | null> {
  const isOne = (name: Fragment) => tx`${name} = ANY(${[...names]})`;
  const [use] = await tx<NameUse[]>`
    (SELECT entitlement AS name, 'the running grant of ' || user_id AS what
    FROM purchase_grants
    WHERE org_id = ${orgId} AND app_id = ${appId} AND ${isOne(tx`entitlement`)}
      AND ended_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})
    ORDER BY grant_id LIMIT 1)
    UNION ALL
    (SELECT clause ->> 'entitlement', 'the segment “' || s.name || '”'
    FROM segments s, jsonb_path_query(s.rule, '$.*[*]') AS clause
    WHERE s.org_id = ${orgId} AND s.app_id = ${appId} AND ${isOne(tx`clause ->> 'entitlement'`)}
    ORDER BY s.segment_id LIMIT 1)
    UNION ALL
    (SELECT named, 'the webhook to ' || w.url FROM webhooks w, unnest(w.entitlements) AS named
    WHERE w.org_id = ${orgId} AND ${isOne(tx`named`)} AND NOT EXISTS (
      SELECT FROM purchase_entitlements e
      WHERE e.org_id = ${orgId} AND e.app_id <> ${appId} AND e.name = named)
    ORDER BY w.webhook_id LIMIT 1)
    LIMIT 1`;
  return use ?? null;
}
