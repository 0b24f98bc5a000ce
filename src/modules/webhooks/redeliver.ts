import type { OrgContext } from '../../context.ts';
import { notFound } from '../../shared/errors.ts';
import { deliverNowSignal, webhookDeliveryContract } from '../../temporal/contracts/webhooks.ts';
import { reopenDelivery } from './queries.ts';

/** Posts it again, under the same id, with all its attempts anew. */
export async function redeliver(
  { deps, orgId }: OrgContext,
  input: { webhookId: string; deliveryId: string },
): Promise<void> {
  if (!(await reopenDelivery(deps.sql, { orgId, ...input }))) throw notFound();
  const delivery = { orgId, deliveryId: input.deliveryId };
  // A run that waits for its next attempt makes it now, one that is ending goes on, one that has
  // just begun ignores the signal.
  await deps.temporal
    .signalWithStart(webhookDeliveryContract, delivery, deliverNowSignal)
    .catch((err: unknown) => {
      deps.log.warn({ err, ...delivery }, 'redelivery not started; the reconciler will retry');
    });
}
