import type { Deps } from '../../context.ts';
import { Round } from '../../shared/round.ts';
import { deleteOldRows } from '../../storage/old-rows.ts';
import { webhookDeliveryContract } from '../../temporal/contracts/webhooks.ts';
import { ensureAll, ensureMissing } from '../../temporal/ensure.ts';
import * as queries from './deliveries-queries.ts';
import { KEEP_DELIVERIES_DAYS } from './model.ts';
import { fillAllSlots } from './slots.ts';

const BATCH = 2_000;

const pending = new WeakMap<Deps['sql'], Round<queries.PendingDelivery>>();

export async function ensureMissingDeliveryRuns(
  deps: Pick<Deps, 'sql' | 'temporal'>,
): Promise<boolean> {
  await fillAllSlots(deps.sql);
  return ensureMissing(deps, {
    select: queries.selectDeliveriesWithoutRun,
    ensure: (temporal, delivery) => temporal.ensure(webhookDeliveryContract, delivery),
    markEnsured: queries.markRunsEnsured,
  });
}

export async function reconcileWebhooks({ sql, temporal }: Pick<Deps, 'sql' | 'temporal'>) {
  const round = pending.get(sql) ?? new Round<queries.PendingDelivery>(BATCH);
  pending.set(sql, round);
  const part = await round.next((after, limit) =>
    queries.selectPendingDeliveries(sql, { after, limit }),
  );
  await ensureAll(part, ({ orgId, deliveryId }) =>
    temporal.ensure(webhookDeliveryContract, { orgId, deliveryId }),
  );
  await deleteOldRows(sql, 'webhook_deliveries', KEEP_DELIVERIES_DAYS);
}
