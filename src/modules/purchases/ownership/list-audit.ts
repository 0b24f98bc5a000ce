import type { AppContext } from '../../../context.ts';
import { at } from '../../../shared/assert.ts';
import { AUDIT_PAGE, type AuditInput, type AuditPage, namedChain } from '../model/wire.ts';
import { selectAudit } from './audit-queries.ts';

export async function listPurchaseAudit(
  { deps, orgId, app }: AppContext<'sql'>,
  input: AuditInput,
): Promise<AuditPage> {
  const limit = input.limit ?? AUDIT_PAGE;
  const rows = await selectAudit(deps.sql, {
    orgId,
    appId: app.id,
    chainId: namedChain(input),
    beforeId: input.cursor === undefined ? null : Number(input.cursor),
    limit: limit + 1,
  });
  const entries = rows.slice(0, limit);
  return { entries, nextCursor: rows.length > limit ? at(entries, limit - 1).id : null };
}
