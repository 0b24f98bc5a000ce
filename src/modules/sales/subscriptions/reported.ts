import type { Deps } from '../../../context.ts';
import { addDays } from '../../../shared/pacific.ts';
import { selectAppNames } from '../collection/apps-queries.ts';
import { selectAccount } from '../collection/connection-queries.ts';
import { selectNewestPaid } from './queries.ts';

/** Oldest usable report. */
const OLDEST_DAYS = 35;

/** Null without a connection, link or report of the last five weeks. */
export async function readReportedSubscribers(
  { sql }: Pick<Deps, 'sql'>,
  { orgId, appId, to }: { orgId: string; appId: string; to: string },
): Promise<{ day: string; paid: number } | null> {
  const [account, apps] = await Promise.all([
    selectAccount(sql, orgId),
    selectAppNames(sql, orgId),
  ]);
  const app = apps.find((one) => one.appId === appId);
  if (!account || !app) return null;
  const { vendorNumber } = account;
  const scope = { orgId, vendorNumber, storeAppId: app.storeAppId };
  return selectNewestPaid(sql, scope, { from: addDays(to, -OLDEST_DAYS), to });
}
