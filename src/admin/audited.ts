import type { SystemContext } from '../context.ts';
import { findOrganizationOfApp } from '../modules/app-settings/index.ts';
import { newId } from '../shared/ids.ts';
import { beginAudit, endAudit, inAuditHolder } from '../storage/audit.ts';

/** What of a command is in the audit: the rows that it changes, or that it was run. */
export type Audited = 'rows' | 'act';

type Given = { app?: unknown; dryRun?: unknown };

/** `work` as the operator's. */
export function asOperator<T>(
  { deps }: Pick<SystemContext<'clock' | 'sql'>, 'deps'>,
  { name, audited, given }: { name: string; audited: Audited; given: Given },
  work: () => Promise<T>,
): Promise<T> {
  return inAuditHolder(async () => {
    if (given.dryRun === true) return work();
    const appId = typeof given.app === 'string' ? given.app : null;
    const orgId = appId === null ? undefined : await findOrganizationOfApp(deps.sql, appId);
    const scope = {
      actor: { kind: 'operator' as const, id: null },
      orgId: orgId ?? null,
      appId,
      operation: name,
      address: null,
      userAgent: null,
      requestId: newId('req'),
      at: deps.clock(),
      isOver: false,
      isWritten: false,
    };
    // Else each of its many statements would be a transaction with triggers.
    if (audited === 'rows') beginAudit(scope);
    const result = await work();
    if (audited === 'act') beginAudit(scope);
    await endAudit(audited === 'act' ? deps.sql : null);
    return result;
  });
}
