import type { OrgContext } from '../../context.ts';
import { EgressError } from '../../providers/egress/port.ts';
import { AppError, invalidInput, notFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { createWebhookSecret } from '../../shared/webhook-signature.ts';
import {
  type CreatedWebhook,
  type CreateWebhookInput,
  MAX_WEBHOOKS,
  type Webhook,
} from './model.ts';
import { deleteWebhookRow, insertWebhook, selectWebhooks } from './queries.ts';

export const webhookSecretScope = (orgId: string) => ({ orgId, purpose: 'webhook' });

export async function listWebhooks({ deps, orgId }: OrgContext<'sql'>): Promise<Webhook[]> {
  return selectWebhooks(deps.sql, orgId);
}

/** Returns the secret this once. Throws `conflict` at the limit of webhooks. */
export async function createWebhook(
  { deps, orgId }: OrgContext<'clock' | 'egress' | 'secrets' | 'sql'>,
  input: CreateWebhookInput,
): Promise<CreatedWebhook> {
  try {
    deps.egress.check(input.url);
  } catch (thrown) {
    if (thrown instanceof EgressError) throw invalidInput('url', thrown.message);
    throw thrown;
  }
  const secret = createWebhookSecret();
  const hook = {
    id: newId('whk'),
    orgId,
    url: input.url,
    events: input.events,
    sealedSecret: deps.secrets.seal(webhookSecretScope(orgId), secret),
    at: deps.clock(),
  };
  const webhook = await deps.sql.begin((tx) => insertWebhook(tx, hook, MAX_WEBHOOKS));
  if (webhook) return { webhook, secret };
  throw new AppError('conflict', 'The organization has reached its limit of webhooks.', {
    hint: `Remove a webhook first; an organization may have ${MAX_WEBHOOKS}.`,
  });
}

/** Deletes the webhook with its deliveries and their log; runs under way end at their next step. */
export async function deleteWebhook(
  { deps, orgId }: OrgContext<'sql'>,
  input: { webhookId: string },
): Promise<void> {
  if (!(await deleteWebhookRow(deps.sql, orgId, input.webhookId))) throw notFound();
}
