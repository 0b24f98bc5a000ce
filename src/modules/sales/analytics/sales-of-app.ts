import type { AppContext } from '../../../context.ts';
import { selectAppNames } from '../collection/apps-queries.ts';
import { selectAccount } from '../collection/connection-queries.ts';
import { getAnalytics } from './get.ts';
import type { Analytics, AnalyticsQuery } from './model.ts';

export type NoSales = 'app_not_linked' | 'store_not_connected';

/** What the store's reports say of one app; the reason where they cannot. */
export async function readSalesOfApp(
  ctx: AppContext<'clock' | 'rates' | 'salesFigures' | 'sql'>,
  query: Omit<AnalyticsQuery, 'storeAppId'>,
): Promise<Analytics | NoSales> {
  const { deps, orgId, app } = ctx;
  if (!(await selectAccount(deps.sql, orgId))) return 'store_not_connected';
  const apps = await selectAppNames(deps.sql, orgId);
  const linked = apps.find(({ appId }) => appId === app.id);
  if (!linked) return 'app_not_linked';
  return getAnalytics(ctx, { ...query, storeAppId: linked.storeAppId });
}
