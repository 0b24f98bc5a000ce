import type { AppContext } from '../../context.ts';
import { notFound } from '../../shared/errors.ts';
import { deleteFunnelRow, lockFunnels, promoteOldest } from './queries.ts';

/** Deleting the default makes the oldest other one the default. */
export async function deleteFunnel(
  { deps, orgId, app }: AppContext,
  { funnelId }: { funnelId: string },
): Promise<void> {
  const scope = { orgId, appId: app.id };
  const deleted = await deps.sql.begin(async (tx) => {
    await lockFunnels(tx, scope);
    const row = await deleteFunnelRow(tx, scope, funnelId);
    if (row?.wasDefault) await promoteOldest(tx, scope, deps.clock());
    return row;
  });
  if (!deleted) throw notFound();
}
