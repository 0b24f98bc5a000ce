import type { Deps } from '../../context.ts';
import { lockSubject } from '../../storage/locks.ts';
import type { Sql } from '../../storage/postgres.ts';
import { webhookDeliveryContract } from '../../temporal/contracts/webhooks.ts';
import { ensureAll } from '../../temporal/ensure.ts';
import type { DeliveryKey } from './deliveries-queries.ts';
import { isWaiting, selectWaitingOrganizations, fillSlots } from './slots-queries.ts';

/** Under half of a worker's activities: a hanging address leaves slots to others. */
export const DUE_AT_ONCE = 16;

async function fillOrganizationSlots(sql: Sql, orgId: string): Promise<DeliveryKey[]> {
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
