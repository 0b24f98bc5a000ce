import type { AppContext } from '../../context.ts';
import { notFound } from '../../shared/errors.ts';
import type { Funnel, FunnelChange } from './model.ts';
import {
  clearDefault,
  countFunnels,
  findFunnel,
  lockFunnels,
  promoteOldest,
  updateFunnelRow,
} from './queries.ts';

/**
 * Changes what is given and keeps the rest. Making it the default takes that from the other; the
 * default that is not to be it any more hands over to the oldest other, and stays it without one.
 */
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
    const isAlone = (await countFunnels(tx, scope)) === 1;
    const isDefault = isAlone || (change.isDefault ?? current.isDefault);
    const wanted = { ...current, ...change, isDefault };
    const edited = await updateFunnelRow(tx, scope, funnelId, wanted, now);
    if (current.isDefault && !isDefault) await promoteOldest(tx, scope, now, funnelId);
    return edited;
  });
  if (!edited) throw notFound();
  return edited;
}
