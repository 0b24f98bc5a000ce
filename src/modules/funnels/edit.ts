import type { AppContext } from '../../context.ts';
import { notFound } from '../../shared/errors.ts';
import type { Funnel, FunnelChange } from './model.ts';
import { clearDefault, findFunnel, lockFunnels, updateFunnelRow } from './store.ts';

/** Changes what is given and keeps the rest. Making it the default takes that from the other. */
export async function editFunnel(
  { deps, orgId, app }: AppContext,
  { funnelId, change }: { funnelId: string; change: FunnelChange },
): Promise<Funnel> {
  const scope = { orgId, appId: app.id };
  const now = deps.clock();
  const edited = await deps.sql.begin(async (tx) => {
    await lockFunnels(tx, scope);
    const current = await findFunnel(tx, scope, funnelId);
    if (!current) return null;
    if (change.isDefault && !current.isDefault) await clearDefault(tx, scope, now);
    return updateFunnelRow(tx, scope, funnelId, { ...current, ...change }, now);
  });
  if (!edited) throw notFound();
  return edited;
}
