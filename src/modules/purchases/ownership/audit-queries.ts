import type { AppScope } from '../../../shared/app.ts';
import { REAL_PURCHASES } from '../../../shared/environment.ts';
import type { Actor } from '../../../shared/principal.ts';
import { parser } from '../../../shared/schema.ts';
import { toIso } from '../../../shared/time.ts';
import type { Db, Tx } from '../../../storage/postgres.ts';
import { isChain } from '../ledger/facts-queries.ts';
import type { ChainKey } from '../model/chain.ts';
import { holderOf, type PurchaseGrant } from '../model/grant.ts';
import { AuditEntry, chainField } from '../model/wire.ts';
import type { Link, OwnershipAction } from './ownership.ts';

type AuditRow = {
  id: number;
  at: Date;
  productId: string | null;
  entitlement: string | null;
  chainId: string | null;
};

const entryParser = parser(AuditEntry, 'purchase_audit row');

export type OwnershipChange = {
  action: OwnershipAction;
  from: Link | null;
  to: Link | null;
  actor: Extract<Actor, { kind: 'device' | 'store' | 'system' }>;
  at: Date;
};

export async function insertAudit(tx: Tx, key: ChainKey, change: OwnershipChange): Promise<void> {
  const actor = {
    kind: change.actor.kind,
    id: 'keyId' in change.actor ? change.actor.keyId : null,
  };
  await tx`
    INSERT INTO purchase_audit (app_id, org_id, environment, original_transaction_id, action,
      from_kind, from_id, to_kind, to_id, actor, at)
    SELECT ${key.appId}, ${key.orgId}, ${key.environment}, ${key.chainId},
      ${change.action}, ${change.from?.kind ?? null}, ${change.from?.personId ?? null},
      ${change.to?.kind ?? null}, ${change.to?.personId ?? null},
      ${JSON.stringify(actor)}::text::jsonb, ${change.at}
    WHERE ${change.action} <> 'kept' OR NOT EXISTS (
      SELECT FROM purchase_audit WHERE ${isChain(tx, key)} AND action = 'kept' AND to_id = ${change.to?.personId ?? null})`;
}

export type GrantAction = 'granted' | 'revoked' | 'expired';

export async function insertGrantAudit(
  tx: Tx,
  scope: AppScope,
  {
    grant,
    action,
    actor,
    at,
  }: {
    grant: PurchaseGrant;
    action: GrantAction;
    /** Null for the sweep of expired grants. */
    actor: PurchaseGrant['grantedBy'] | null;
    at: Date;
  },
): Promise<void> {
  const { kind, id } = holderOf(grant);
  await tx`
    INSERT INTO purchase_grant_audit (app_id, org_id, grant_id, action, product_id, entitlement,
      kind, user_id, actor, at)
    VALUES (${scope.appId}, ${scope.orgId}, ${grant.id}, ${action}, ${grant.productId},
      ${grant.entitlement ?? null}, ${kind}, ${id}, ${JSON.stringify(actor ?? { kind: 'system', id: null })}::text::jsonb, ${at})`;
}

export type AuditScope = {
  orgId: string;
  appId: string;
  chainId: string | null;
  beforeId: number | null;
  limit: number;
};

export async function selectAudit(db: Db, scope: AuditScope): Promise<AuditEntry[]> {
  const page = db`
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND (${scope.beforeId}::bigint IS NULL OR audit_id < ${scope.beforeId})`;
  const newest = db`ORDER BY audit_id DESC LIMIT ${scope.limit}`;
  const rows = await db<AuditRow[]>`
    (SELECT audit_id AS id, environment, original_transaction_id AS "chainId",
      action, NULL AS "productId", NULL AS entitlement, actor, at,
      CASE WHEN from_kind IS NOT NULL
        THEN jsonb_build_object('kind', from_kind, 'id', from_id) END AS "from",
      CASE WHEN to_kind IS NOT NULL
        THEN jsonb_build_object('kind', to_kind, 'id', to_id) END AS "to"
    FROM purchase_audit ${page}
      AND (${scope.chainId}::text IS NULL
        OR original_transaction_id = ${scope.chainId}) ${newest})
    UNION ALL
    (SELECT audit_id, ${REAL_PURCHASES}, NULL, action, product_id, entitlement, actor, at,
      CASE WHEN action <> 'granted' THEN jsonb_build_object('kind', kind, 'id', user_id) END,
      CASE WHEN action = 'granted' THEN jsonb_build_object('kind', kind, 'id', user_id) END
    FROM purchase_grant_audit ${page} AND ${scope.chainId}::text IS NULL ${newest})
    ORDER BY id DESC LIMIT ${scope.limit}`;
  return rows.map(({ id, at, productId, entitlement, chainId, ...row }) =>
    entryParser.parse({
      ...row,
      ...chainField(chainId),
      id: String(id),
      at: toIso(at),
      ...(productId !== null && { productId }),
      ...(entitlement !== null && { entitlement }),
    }),
  );
}
