import type { MemberContext } from '../../../context.ts';

/** What is told apart later: who changed who may do what. */
type AuditedAct = 'member_role_changed' | 'member_removed' | 'key_created';

/** One line of the log, found by its field `audit`. */
export function audit(
  { deps, requestId, orgId, userId }: MemberContext,
  act: AuditedAct,
  details: Record<string, unknown>,
): void {
  deps.log.info({ audit: act, requestId, orgId, by: userId, ...details }, 'Access was changed');
}
