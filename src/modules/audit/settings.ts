import type { OrgContext } from '../../context.ts';
import { type AuditSettings, DEFAULT_KEPT_DAYS } from './model.ts';
import { selectKeptDays, upsertKeptDays } from './queries.ts';

export async function getAuditSettings({ deps, orgId }: OrgContext<'sql'>): Promise<AuditSettings> {
  return { keptDays: (await selectKeptDays(deps.sql, orgId)) ?? DEFAULT_KEPT_DAYS };
}

/** Of a shorter time, older entries go within the hour. */
export async function setAuditSettings(
  { deps, orgId, actor, requestId }: OrgContext<'clock' | 'log' | 'sql'>,
  { keptDays }: AuditSettings,
): Promise<AuditSettings> {
  await upsertKeptDays(deps.sql, orgId, { keptDays, at: deps.clock() });
  const audit = 'audit_retention_set';
  deps.log.info({ audit, requestId, orgId, by: actor, keptDays }, 'retention of an audit set');
  return { keptDays };
}
