import type { OrgContext } from '../../context.ts';
import { notFound } from '../../shared/errors.ts';
import { deliverNowSignal, webhookDeliveryContract } from '../../temporal/contracts/webhooks.ts';
import { dispatch, enqueue } from '../outbox/index.ts';
import { reopenDelivery } from './queries.ts';

/** Posts it again, under the same id, with all its attempts anew. */
export async function redeliver(
  { deps, orgId }: OrgContext,
  input: { webhookId: string; deliveryId: string },
): Promise<void> {
  const delivery = { orgId, deliveryId: input.deliveryId };
  const run = await deps.sql.begin(async (tx) => {
    if (!(await reopenDelivery(tx, { orgId, ...input }))) return null;
    return enqueue(tx, webhookDeliveryContract, delivery, { orgId });
  });
  if (!run) throw notFound();
  // A run that waits for its next attempt is woken, and one that is ending goes on; one that has
  // just begun is not hurt by it.
  if (!(await dispatch(deps, run))) return;
  await deps.temporal
    .signalWithStart(webhookDeliveryContract, delivery, deliverNowSignal)
    .catch((thrown: unknown) => {
      deps.log.warn({ err: thrown, workflowId: run.workflowId }, 'A delivery could not be woken');
    });
}
