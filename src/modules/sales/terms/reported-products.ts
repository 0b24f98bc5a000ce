import type { AppScope } from '../../../shared/app.ts';
import type { Db } from '../../../storage/postgres.ts';
import { selectAppNames } from '../collection/apps-queries.ts';
import { selectAccount } from '../collection/connection-queries.ts';
import { selectReportedProducts } from './queries.ts';

export async function readReportedProducts(
  db: Db,
  { orgId, appId }: AppScope,
  limit: number,
): Promise<string[]> {
  const [account, apps] = await Promise.all([selectAccount(db, orgId), selectAppNames(db, orgId)]);
  const app = apps.find((one) => one.appId === appId);
  if (!account || !app) return [];
  const { vendorNumber } = account;
  const scope = { orgId, vendorNumber, storeAppId: app.storeAppId, sku: app.sku };
  return selectReportedProducts(db, scope, limit);
}
