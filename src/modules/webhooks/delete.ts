import type { OrgContext } from '../../context.ts';
import { notFound } from '../../shared/errors.ts';
import { deleteWebhookRow } from './queries.ts';

/** Its deliveries and their log go with it; attempts under way end at their next step. */
export async function deleteWebhook(
  { deps, orgId }: OrgContext,
  input: { webhookId: string },
): Promise<void> {
  if (!(await deleteWebhookRow(deps.sql, orgId, input.webhookId))) throw notFound();
}
