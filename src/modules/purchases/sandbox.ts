import type { PurchaseSettings } from './model.ts';
import type { PersonIds } from './people-queries.ts';

/** Whether sandbox purchases entitle this person: store reviewers and testers buy there. */
export function isSandboxAllowed(
  settings: Pick<PurchaseSettings, 'sandboxAccess' | 'sandboxListed'>,
  ids: PersonIds,
): boolean {
  if (settings.sandboxAccess !== 'listed') return settings.sandboxAccess === 'anybody';
  const listed = new Set(settings.sandboxListed.map((id) => id.toLowerCase()));
  const own = [ids.userId, ids.anonymousId, ids.appAccountToken];
  return own.some((id) => id !== null && listed.has(id.toLowerCase()));
}
