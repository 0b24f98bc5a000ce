import type { Deps } from '../../context.ts';
import { lockSubject } from '../../storage/locks.ts';
import type { Sql } from '../../storage/postgres.ts';
import { webhookDeliveryContract } from '../../temporal/contracts/webhooks.ts';
import { ensureAll } from '../../temporal/ensure.ts';
import type { DeliveryKey } from './deliveries-queries.ts';
import { isWaiting, selectWaitingOrganizations, takeTurns } from './turns-queries.ts';

/**
 * Attempts of one organization that are due at once: under half of the activities of one worker, so
 * that a backlog towards an address that hangs leaves places for everybody else.
 */
export const DUE_AT_ONCE = 16;

async function takeTurnsOf(sql: Sql, orgId: string): Promise<DeliveryKey[]> {
  // Nearly always there is nothing: no lock for that.
  if (!(await isWaiting(sql, orgId))) return [];
  return sql.begin(async (tx) => {
    await lockSubject(tx, 'deliveryTurns', orgId);
    return takeTurns(tx, orgId, DUE_AT_ONCE);
  });
}

/** Gives every organization as many turns as it has free places. */
export async function takeAllTurns(sql: Sql): Promise<void> {
  for (const orgId of await selectWaitingOrganizations(sql)) await takeTurnsOf(sql, orgId);
}

/**
 * Starts what was just announced, or what waited for the place of an attempt that has ended, without
 * letting the caller wait.
 */
export function deliverSoon(
  { sql, temporal, log }: Pick<Deps, 'log' | 'sql' | 'temporal'>,
  orgId: string,
): void {
  takeTurnsOf(sql, orgId)
    .then((deliveries) =>
      ensureAll(deliveries, (delivery) => temporal.ensure(webhookDeliveryContract, delivery)),
    )
    .catch((err: unknown) => {
      log.warn({ err, orgId }, 'deliveries could not be started; the reconciler will retry');
    });
}
