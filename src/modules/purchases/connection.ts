import type { OrgContext } from '../../context.ts';
import { deleteConnection, selectConnection } from './connection-queries.ts';
import type { PurchaseConnection } from './model.ts';

export function getPurchaseConnection({
  deps,
  orgId,
}: OrgContext): Promise<PurchaseConnection | null> {
  return selectConnection(deps.sql, orgId);
}

/** Deletes the key; what was learnt with it stays. Nothing happens when none is connected. */
export async function disconnectPurchaseKey({ deps, orgId }: OrgContext): Promise<void> {
  await deleteConnection(deps.sql, orgId);
  deps.purchaseProfiles.forget();
}
