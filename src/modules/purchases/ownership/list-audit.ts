import type { AppContext } from '../../../context.ts';
import { readPage } from '../../../shared/page.ts';
import { AUDIT_PAGE, type AuditInput, type AuditPage, namedChain } from '../model/wire.ts';
import { selectAudit } from './audit-queries.ts';

export async function listPurchaseAudit(
  { deps, orgId, app }: AppContext<'sql'>,
  input: AuditInput,
): Promise<AuditPage> {
  const page = {
    orgId,
    appId: app.id,
    chainId: namedChain(input),
    beforeId: input.cursor === undefined ? null : Number(input.cursor),
  };
  const select = (limit: number) => selectAudit(deps.sql, { ...page, limit });
  const { rows, nextCursor } = await readPage(input.limit ?? AUDIT_PAGE, select, ({ id }) => id);
  return { entries: rows, nextCursor };
}
