import type { OrgContext } from '../../context.ts';
import { EgressError } from '../../providers/egress/port.ts';
import { AppError, invalidInput } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { createWebhookSecret } from '../../shared/webhook-signature.ts';
import { type CreatedWebhook, type CreateWebhookInput, MAX_WEBHOOKS } from './model.ts';
import { insertWebhook } from './queries.ts';
import { webhookSecretScope } from './secret.ts';

/** The secret is in this answer and nowhere else. Throws `conflict` at the limit of webhooks. */
export async function createWebhook(
  { deps, orgId }: OrgContext,
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
  throw new AppError('conflict', 'The organization has as many webhooks as it may.', {
    hint: `At most ${MAX_WEBHOOKS} webhooks.`,
  });
}
