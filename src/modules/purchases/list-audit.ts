import type { AppContext } from '../../context.ts';
import { selectAudit } from './audit-queries.ts';
import { AUDIT_PAGE, type AuditInput, type AuditPage } from './model.ts';

/** Who held which purchase when, newest first. */
export async function listPurchaseAudit(
  { deps, orgId, app }: AppContext,
  input: AuditInput,
): Promise<AuditPage> {
  const limit = input.limit ?? AUDIT_PAGE;
  const found = await selectAudit(deps.sql, {
    orgId,
    appId: app.id,
    originalTransactionId: input.originalTransactionId ?? null,
    beforeId: input.cursor === undefined ? null : Number(input.cursor),
    limit: limit + 1,
  });
  const entries = found.slice(0, limit);
  return { entries, nextCursor: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
}
