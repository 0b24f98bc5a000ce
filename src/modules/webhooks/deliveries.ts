import type { OrgContext } from '../../context.ts';
import { notFound } from '../../shared/errors.ts';
import { deliverNowSignal, webhookDeliveryContract } from '../../temporal/contracts/webhooks.ts';
import { DELIVERIES_PAGE, type Deliveries } from './model.ts';
import { reopenDelivery, selectDeliveries } from './queries.ts';

/** One page, newest first, each delivery with every attempt. */
export async function listDeliveries(
  { deps, orgId }: OrgContext<'sql'>,
  input: { webhookId: string; cursor?: string | undefined; limit?: number | undefined },
): Promise<Deliveries> {
  const limit = input.limit ?? DELIVERIES_PAGE;
  const page = { orgId, webhookId: input.webhookId, before: input.cursor ?? null };
  const rows = await selectDeliveries(deps.sql, { ...page, limit: limit + 1 });
  const deliveries = rows.slice(0, limit);
  return { deliveries, nextCursor: rows.length > limit ? (deliveries.at(-1)?.id ?? null) : null };
}

/** Delivers again, under the same id and with all attempts anew. */
export async function redeliver(
  { deps, orgId }: OrgContext<'log' | 'sql' | 'temporal'>,
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
