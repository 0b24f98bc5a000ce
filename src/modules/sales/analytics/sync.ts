import type { OrgContext } from '../../../context.ts';
import type { SyncResult } from '../../../temporal/contracts/store.ts';
import { askActor } from '../collection/actor.ts';
import { selectKey } from '../collection/connection-queries.ts';
import { notConnected } from '../collection/list.ts';

/**
 * Collects what is due now; with `force` also missing days and the last week. Answers within 20 s
 * with what is done by then; the rest goes on. Throws `store_not_connected`.
 */
export async function syncAnalytics(
  { deps, orgId }: OrgContext<'sql' | 'temporal'>,
  { force = false }: { force?: boolean },
): Promise<SyncResult> {
  if (!(await selectKey(deps.sql, orgId))) throw notConnected();
  const { running: _, ...done } = await askActor(deps, orgId, { force });
  return done;
}
