import type { Deps } from '../../context.ts';
import { Round } from '../../shared/round.ts';
import { webhookDeliveryContract } from '../../temporal/contracts/webhooks.ts';
import { startAll } from '../../temporal/start-all.ts';
import { KEEP_DELIVERIES_DAYS } from './model.ts';
import { deleteOldDeliveries, type PendingDelivery, selectPendingDeliveries } from './queries.ts';

/** Of one round: at twenty starts at a time some seconds. */
const BATCH = 2_000;

const pending = new WeakMap<Deps['sql'], Round<PendingDelivery>>();

/** Starts the run of every pending delivery that lost its own, and forgets old ones. */
export async function reconcileWebhooks({ sql, temporal }: Pick<Deps, 'sql' | 'temporal'>) {
  const round = pending.get(sql) ?? new Round<PendingDelivery>(BATCH);
  pending.set(sql, round);
  const part = await round.next((after, limit) => selectPendingDeliveries(sql, { after, limit }));
  await startAll(part, ({ orgId, deliveryId }) =>
    temporal.ensure(webhookDeliveryContract, { orgId, deliveryId }),
  );
  await deleteOldDeliveries(sql, KEEP_DELIVERIES_DAYS);
}
