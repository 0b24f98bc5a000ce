import type { OrgContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { type AuditSettings, DEFAULT_KEPT_DAYS } from './model.ts';
import { selectKeptDays, upsertKeptDays } from './queries.ts';

export async function getAuditSettings({ deps, orgId }: OrgContext<'sql'>): Promise<AuditSettings> {
  return { keptDays: (await selectKeptDays(deps.sql, orgId)) ?? DEFAULT_KEPT_DAYS };
}

/** After a shortening, older entries go within the hour. */
export async function setAuditSettings(
  ctx: OrgContext<'clock' | 'log' | 'sql'>,
  { keptDays }: AuditSettings,
): Promise<AuditSettings> {
  const { deps, orgId, actor, requestId } = ctx;
  if (ctx.role !== 'owner' && keptDays < (await getAuditSettings(ctx)).keptDays) {
    throw new AppError('permission_denied', 'You may not do this.', {
      hint: 'Only an owner who is signed in shortens the time.',
    });
  }
  await upsertKeptDays(deps.sql, orgId, { keptDays, at: deps.clock() });
  const audit = 'audit_retention_set';
  deps.log.info({ audit, requestId, orgId, by: actor, keptDays }, 'retention of an audit set');
  return { keptDays };
}
