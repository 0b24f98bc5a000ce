import type { OrgContext } from '../../context.ts';
import type { AuditPage, AuditQuery } from './model.ts';
import { selectEntries } from './queries.ts';

/** Newest first. */
export async function listAuditEntries(
  { deps, orgId }: OrgContext<'sql'>,
  query: AuditQuery,
): Promise<AuditPage> {
  const { limit = 50 } = query;
  const found = await selectEntries(deps.sql, orgId, { ...query, limit: limit + 1 });
  const entries = found.slice(0, limit);
  return { entries, nextCursor: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
}
