import type { StoreEnvironment } from '../../shared/environment.ts';
import type { Actor } from '../../shared/principal.ts';
import { parser } from '../../shared/schema.ts';
import { toIso } from '../../shared/time.ts';
import type { Db, Tx } from '../../storage/postgres.ts';
import { type ChainKey, isChain } from './facts-queries.ts';
import { AuditEntry } from './model.ts';
import type { Link, OwnershipAction } from './ownership.ts';

type AuditRow = {
  audit_id: number;
  environment: StoreEnvironment;
  original_transaction_id: string;
  action: string;
  from_kind: string | null;
  from_id: string | null;
  to_kind: string | null;
  to_id: string | null;
  actor: unknown;
  at: Date;
};

const entryParser = parser(AuditEntry, 'purchase_audit row');
const holder = (kind: string | null, id: string | null) => (kind === null ? null : { kind, id });

export type OwnershipChange = {
  action: OwnershipAction;
  from: Link | null;
  to: Link | null;
  actor: Extract<Actor, { kind: 'device' | 'store' }>;
  at: Date;
};

/** Records a change; a refusal (`kept`) only once for each person. */
export async function insertAudit(tx: Tx, key: ChainKey, change: OwnershipChange): Promise<void> {
  const actor = {
    kind: change.actor.kind,
    id: 'keyId' in change.actor ? change.actor.keyId : null,
  };
  await tx`
    INSERT INTO purchase_audit (app_id, org_id, environment, original_transaction_id, action,
      from_kind, from_id, to_kind, to_id, actor, at)
    SELECT ${key.appId}, ${key.orgId}, ${key.environment}, ${key.originalTransactionId},
      ${change.action}, ${change.from?.kind ?? null}, ${change.from?.personId ?? null},
      ${change.to?.kind ?? null}, ${change.to?.personId ?? null},
      ${JSON.stringify(actor)}::text::jsonb, ${change.at}
    WHERE ${change.action} <> 'kept' OR NOT EXISTS (
      SELECT FROM purchase_audit WHERE ${isChain(tx, key)} AND action = 'kept' AND to_id = ${change.to?.personId ?? null})`;
}

export type AuditScope = {
  orgId: string;
  appId: string;
  originalTransactionId: string | null;
  beforeId: number | null;
  limit: number;
};

/** Newest first. */
export async function selectAudit(db: Db, scope: AuditScope): Promise<AuditEntry[]> {
  const rows = await db<AuditRow[]>`
    SELECT audit_id, environment, original_transaction_id, action, from_kind, from_id, to_kind,
      to_id, actor, at
    FROM purchase_audit
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId}
      AND (${scope.originalTransactionId}::text IS NULL
        OR original_transaction_id = ${scope.originalTransactionId})
      AND (${scope.beforeId}::bigint IS NULL OR audit_id < ${scope.beforeId})
    ORDER BY audit_id DESC LIMIT ${scope.limit}`;
  return rows.map((row) =>
    entryParser.parse({
      id: String(row.audit_id),
      at: toIso(row.at),
      environment: row.environment,
      originalTransactionId: row.original_transaction_id,
      action: row.action,
      from: holder(row.from_kind, row.from_id),
      to: holder(row.to_kind, row.to_id),
      actor: row.actor,
    }),
  );
}
