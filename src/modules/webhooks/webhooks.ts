import type { OrgContext } from '../../context.ts';
import { checkAddress } from '../../providers/egress/port.ts';
import { AppError, invalidInput, notFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { createWebhookSecret } from '../../shared/webhook-signature.ts';
import type { Tx } from '../../storage/postgres.ts';
import { failPending } from './deliveries-queries.ts';
import { EVENT_RECEIVED } from './events.ts';
import * as model from './model.ts';
import * as queries from './queries.ts';

export const webhookSecretScope = (orgId: string) => ({ orgId, purpose: 'webhook' });

export async function listWebhooks({ deps, orgId }: OrgContext<'sql'>): Promise<model.Webhook[]> {
  return queries.selectWebhooks(deps.sql, orgId);
}

async function checkNames(tx: Tx, orgId: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const known = new Set(await queries.selectNamesOfOrganization(tx, orgId, names));
  const place = names.findIndex((name) => !known.has(name));
  if (place === -1) return;
  throw invalidInput(
    `entitlements[${place}]`,
    'must be the name of an entitlement of an app of the organization',
  );
}

/** Throws to undo the transaction. */
function checkEventNames(webhook: model.Webhook | null): model.Webhook | null {
  const isAsked = webhook?.events.includes(EVENT_RECEIVED);
  if (!isAsked || webhook?.eventNames !== undefined) return webhook;
  throw invalidInput('eventNames', `must name an event where events has ${EVENT_RECEIVED}`);
}

export async function createWebhook(
  { deps, orgId }: OrgContext<'clock' | 'egress' | 'secrets' | 'sql'>,
  input: model.CreateWebhookInput,
): Promise<model.CreatedWebhook> {
  checkAddress(deps.egress, input.url, 'url');
  const secret = createWebhookSecret();
  const hook = {
    id: newId('whk'),
    orgId,
    url: input.url,
    events: input.events,
    entitlements: input.entitlements ?? [],
    eventNames: input.eventNames ?? [],
    eventOneIn: input.eventOneIn ?? 1,
    sealedSecret: deps.secrets.seal(webhookSecretScope(orgId), secret),
    at: deps.clock(),
  };
  const webhook = await deps.sql.begin(async (tx) => {
    await queries.lockWebhooks(tx, orgId);
    await checkNames(tx, orgId, hook.entitlements);
    return checkEventNames(await queries.insertWebhook(tx, hook, model.MAX_WEBHOOKS));
  });
  if (webhook) return { webhook, secret };
  throw new AppError('conflict', 'The organization has reached its limit of webhooks.', {
    hint: `Remove a webhook first; an organization may have ${model.MAX_WEBHOOKS}.`,
  });
}

/** Runs under way end at their next step. */
export async function deleteWebhook(
  { deps, orgId }: OrgContext<'sql'>,
  input: { webhookId: string },
): Promise<void> {
  if (!(await queries.deleteWebhookRow(deps.sql, { orgId }, input.webhookId))) throw notFound();
}

/** Switched off, deliveries fail and can be sent again. */
export async function changeWebhook(
  { deps, orgId }: OrgContext<'clock' | 'egress' | 'sql'>,
  { webhookId, enabled, ...wish }: model.ChangeWebhookInput & { webhookId: string },
): Promise<model.Webhook> {
  const { url, events, entitlements, eventNames, eventOneIn } = wish;
  if (url !== undefined) checkAddress(deps.egress, url, 'url');
  const at = deps.clock();
  const webhook = await deps.sql.begin(async (tx) => {
    if (entitlements !== undefined) await queries.lockWebhooks(tx, orgId);
    const present = await queries.lockWebhook(tx, orgId, webhookId);
    if (!present) return null;
    await checkNames(tx, orgId, entitlements ?? []);
    if (enabled === false) await failPending(tx, orgId, webhookId, at);
    const changed = await queries.updateWebhook(tx, orgId, webhookId, {
      ...(url !== undefined && { url }),
      ...(events !== undefined && { events }),
      ...(entitlements !== undefined && { entitlements }),
      ...(eventNames !== undefined && { eventNames }),
      ...(eventOneIn !== undefined && { eventOneIn }),
      disabledAt: (enabled ?? present.disabledAt === null) ? null : (present.disabledAt ?? at),
    });
    return checkEventNames(changed);
  });
  if (!webhook) throw notFound();
  return webhook;
}

/** Returned once; deliveries carry both signatures for `overlapSeconds`. */
export async function rotateWebhookSecret(
  { deps, orgId }: OrgContext<'clock' | 'secrets' | 'sql'>,
  {
    webhookId,
    overlapSeconds = model.OVERLAP_SECONDS,
  }: { webhookId: string; overlapSeconds?: number | undefined },
): Promise<model.CreatedWebhook> {
  const secret = createWebhookSecret();
  const sealedSecret = deps.secrets.seal(webhookSecretScope(orgId), secret);
  const until = new Date(deps.clock().getTime() + overlapSeconds * SECOND_MS);
  const webhook = await deps.sql.begin(async (tx) => {
    const present = await queries.lockWebhook(tx, orgId, webhookId);
    if (!present) return null;
    const overlaps = overlapSeconds > 0;
    return queries.updateWebhook(tx, orgId, webhookId, {
      sealedSecret,
      sealedPreviousSecret: overlaps ? present.sealedSecret : null,
      previousSecretUntil: overlaps ? until : null,
    });
  });
  if (!webhook) throw notFound();
  return { webhook, secret };
}
