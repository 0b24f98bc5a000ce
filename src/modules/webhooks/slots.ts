import type { Deps } from '../../context.ts';
import { Round } from '../../shared/round.ts';
import { lockSubject } from '../../storage/locks.ts';
import { deleteOldRows } from '../../storage/old-rows.ts';
import type { Sql } from '../../storage/postgres.ts';
import { webhookDeliveryContract } from '../../temporal/contracts/webhooks.ts';
import { ensureAll, ensureMissing } from '../../temporal/ensure.ts';
import * as queries from './deliveries-queries.ts';
import { KEEP_DELIVERIES_DAYS } from './model.ts';
import { isWaiting, selectWaitingOrganizations, fillSlots } from './slots-queries.ts';

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

/** Under half of a worker's activities: a hanging address leaves slots to others. */
export const DUE_AT_ONCE = 16;

async function fillOrganizationSlots(sql: Sql, orgId: string): Promise<queries.DeliveryKey[]> {
  if (!(await isWaiting(sql, orgId))) return [];
  return sql.begin(async (tx) => {
    await lockSubject(tx, 'deliveryTurns', orgId);
    return fillSlots(tx, orgId, DUE_AT_ONCE);
  });
}

export async function fillAllSlots(sql: Sql): Promise<void> {
  for (const orgId of await selectWaitingOrganizations(sql))
    await fillOrganizationSlots(sql, orgId);
}

export function deliverSoon(
  { sql, temporal, log }: Pick<Deps, 'log' | 'sql' | 'temporal'>,
  orgId: string,
): void {
  fillOrganizationSlots(sql, orgId)
    .then((deliveries) =>
      ensureAll(deliveries, (delivery) => temporal.ensure(webhookDeliveryContract, delivery)),
    )
    .catch((err: unknown) => {
      log.warn({ err, orgId }, 'deliveries could not be started; the reconciler will retry');
    });
}
