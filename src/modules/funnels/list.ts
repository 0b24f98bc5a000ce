import type { AppContext } from '../../context.ts';
import type { Funnel } from './model.ts';
import { listFunnelRows } from './queries.ts';

/** The default first, then the oldest. */
export async function listFunnels({ deps, orgId, app }: AppContext): Promise<Funnel[]> {
  return listFunnelRows(deps.sql, { orgId, appId: app.id });
}
