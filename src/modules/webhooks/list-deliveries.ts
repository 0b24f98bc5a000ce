import type { OrgContext } from '../../context.ts';
import { DELIVERIES_PAGE, type Deliveries } from './model.ts';
import { selectDeliveries } from './queries.ts';

/** A page, newest first, each delivery with every attempt. */
export async function listDeliveries(
  { deps, orgId }: OrgContext,
  input: { webhookId: string; cursor?: string | undefined; limit?: number | undefined },
): Promise<Deliveries> {
  const limit = input.limit ?? DELIVERIES_PAGE;
  const page = { orgId, webhookId: input.webhookId, before: input.cursor ?? null };
  const found = await selectDeliveries(deps.sql, { ...page, limit: limit + 1 });
  const deliveries = found.slice(0, limit);
  return { deliveries, nextCursor: found.length > limit ? (deliveries.at(-1)?.id ?? null) : null };
}
