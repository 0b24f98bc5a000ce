import type { Deps } from '../../deps.ts';
import { webhookDeliveryContract } from '../../temporal/contracts/webhooks.ts';
import { KEEP_DELIVERIES_DAYS } from './model.ts';
import { deleteOldDeliveries, selectPendingDeliveries } from './store.ts';

const BATCH = 500;

/** Starts the run of every pending delivery that lost its own, and forgets old ones. */
export async function reconcileWebhooks({ sql, temporal }: Pick<Deps, 'sql' | 'temporal'>) {
  for (const input of await selectPendingDeliveries(sql, BATCH)) {
    await temporal.start(webhookDeliveryContract, input, { orgId: input.orgId });
  }
  await deleteOldDeliveries(sql, KEEP_DELIVERIES_DAYS);
}
