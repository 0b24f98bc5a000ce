import { AsyncLocalStorage } from 'node:async_hooks';
import type postgres from 'postgres';
import { newId } from '../shared/ids.ts';

/** Scope of one request or command; `null` members are filled when known. */
export type AuditScope = {
  actor: { kind: 'user' | 'orgKey' | 'operator' | 'visitor'; id: string | null };
  orgId: string | null;
  appId: string | null;
  operation: string;
  address: string | null;
  userAgent: string | null;
  requestId: string;
  at: Date;
  /** After the answer, work in the background is nobody's. */
  isOver: boolean;
  isWritten: boolean;
};

/** A written entry, as its columns are named, within its transaction. */
export type OnEntry = (tx: postgres.TransactionSql, entry: postgres.Row) => Promise<void>;

const listeners = new WeakMap<postgres.Sql, OnEntry>();

export function listenForEntries(sql: postgres.Sql, onEntry: OnEntry): void {
  listeners.set(sql, onEntry);
}

type Holder = { scope: AuditScope | null };
const holders = new AsyncLocalStorage<Holder>();

export const inAuditHolder = <T>(work: () => T): T => holders.run({ scope: null }, work);

export function beginAudit(scope: AuditScope): void {
  const holder = holders.getStore();
  if (holder) holder.scope = scope;
}

export function currentAudit(): AuditScope | null {
  const scope = holders.getStore()?.scope ?? null;
  return scope?.isOver ? null : scope;
}

/** Collects by triggers what `work` changes, and writes its entry before the commit. */
export async function audited<T>(
  tx: postgres.TransactionSql,
  { scope, onEntry }: { scope: AuditScope; onEntry: OnEntry | undefined },
  work: () => T | Promise<T>,
) {
  await tx`SELECT set_config('audit.on', 'on', true)`;
  const result = await work();
  const written = await tx`
    WITH collected AS (
      SELECT nullif(current_setting('audit.changes', true), '')::jsonb AS changes,
        coalesce(nullif(current_setting('audit.people', true), ''), '[]')::jsonb AS people)
    INSERT INTO audit_entries (entry_id, org_id, app_id, at, actor_kind, actor_id, operation,
      changes, people, address, user_agent, request_id)
    SELECT ${newId('aud')},
      coalesce((SELECT c ->> 'org' FROM jsonb_array_elements(changes) AS c
        WHERE c ->> 'org' IS NOT NULL LIMIT 1), ${scope.orgId}),
      coalesce(${scope.appId}, (SELECT c ->> 'app' FROM jsonb_array_elements(changes) AS c
        WHERE c ->> 'app' IS NOT NULL LIMIT 1)),
      ${scope.at}, ${scope.actor.kind}, ${scope.actor.id}, ${scope.operation},
      (SELECT jsonb_agg(c - '{org,app}'::text[]) FROM jsonb_array_elements(changes) AS c),
      ARRAY(SELECT DISTINCT jsonb_array_elements_text(people)),
      ${scope.address}, ${scope.userAgent}, ${scope.requestId}
    FROM collected WHERE changes IS NOT NULL
    RETURNING *`;
  for (const entry of written) {
    scope.isWritten = true;
    await onEntry?.(tx, entry);
  }
  return result;
}

/** Entry for an act that changed no watched row. */
export async function writeAct(sql: postgres.Sql, scope: AuditScope): Promise<void> {
  if (scope.isWritten) return;
  scope.isWritten = true;
  await sql.begin(async (tx) => {
    const [entry] = await tx`
    INSERT INTO audit_entries (entry_id, org_id, app_id, at, actor_kind, actor_id, operation,
      changes, people, address, user_agent, request_id)
    VALUES (${newId('aud')}, ${scope.orgId}, ${scope.appId}, ${scope.at}, ${scope.actor.kind},
      ${scope.actor.id}, ${scope.operation}, '[]', '{}', ${scope.address}, ${scope.userAgent},
      ${scope.requestId})
    RETURNING *`;
    if (entry) await listeners.get(sql)?.(tx, entry);
  });
}

export async function endAudit(sql: postgres.Sql | null): Promise<void> {
  const scope = currentAudit();
  if (!scope) return;
  scope.isOver = true;
  if (sql) await writeAct(sql, scope);
}
