import type { SystemContext } from '../../../context.ts';
import { StoreFault } from '../../../providers/store/fault.ts';
import { MINUTE_MS } from '../../../shared/time.ts';
import { selectKey } from './connection-queries.ts';
import { refreshApps } from './discover.ts';
import { selectSync } from './syncs-queries.ts';

const EVERY_MS = 20 * 60 * MINUTE_MS;
const TIME_MS = 3 * MINUTE_MS;

/** Refreshes states and icons of the apps once a day; after a store fault they stay as they are. */
export async function refreshAppsDaily(
  ctx: SystemContext,
  { orgId }: { orgId: string },
): Promise<void> {
  const { deps } = ctx;
  const record = await selectKey(deps.sql, orgId);
  if (!record) return;
  const now = deps.clock();
  const sync = await selectSync(deps.sql, { orgId, vendorNumber: record.vendorNumber });
  if (sync.appsCheckedAt && now.getTime() - sync.appsCheckedAt.getTime() < EVERY_MS) return;
  try {
    await refreshApps(ctx, { orgId, deadline: new Date(now.getTime() + TIME_MS) });
  } catch (thrown) {
    if (!(thrown instanceof StoreFault)) throw thrown;
    deps.log.warn(
      { orgId, err: thrown },
      'store apps could not be refreshed; tomorrow tries again',
    );
  }
}
