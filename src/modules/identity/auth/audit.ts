import type { MemberContext } from '../../../context.ts';

type AuditedAct = 'member_role_changed' | 'member_removed' | 'key_created';

export function audit(
  { deps, requestId, orgId, userId }: MemberContext<'log'>,
  act: AuditedAct,
  details: Record<string, unknown>,
): void {
  deps.log.info({ audit: act, requestId, orgId, by: userId, ...details }, 'access changed');
}
