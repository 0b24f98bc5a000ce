import type { OrgContext } from '../../context.ts';
import { AppError, invalidInput, notFound, orNotFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { readPage } from '../../shared/page.ts';
import { DAY_MS, toIso, toIsoOrNull } from '../../shared/time.ts';
import type { Tx } from '../../storage/postgres.ts';
import { deliverNowSignal, webhookDeliveryContract } from '../../temporal/contracts/webhooks.ts';
import * as queries from './deliveries-queries.ts';
import type { WebhookEventType } from './events.ts';
import { EVENT_EXAMPLES } from './examples.ts';
import * as model from './model.ts';
import { lockWebhook } from './queries.ts';
import { deliverSoon } from './slots.ts';

export async function listDeliveries(
  { deps, orgId }: OrgContext<'sql'>,
  input: { webhookId: string; cursor?: string | undefined; limit?: number | undefined },
): Promise<model.Deliveries> {
  const page = { orgId, webhookId: input.webhookId, before: input.cursor ?? null };
  const select = (limit: number) => queries.selectDeliveries(deps.sql, { ...page, limit });
  const { rows, nextCursor } = await readPage(
    input.limit ?? model.DELIVERIES_PAGE,
    select,
    ({ id }) => id,
  );
  return { deliveries: rows, nextCursor };
}

export async function redeliver(
  { deps, orgId }: OrgContext<'log' | 'sql' | 'temporal'>,
  input: { webhookId: string; deliveryId: string },
): Promise<void> {
  await deps.sql.begin(async (tx) => {
    await checkEnabled(tx, orgId, input.webhookId);
    if (!(await queries.reopenDelivery(tx, { orgId, ...input }))) throw notFound();
  });
  const delivery = { orgId, deliveryId: input.deliveryId };
  await deps.temporal
    .signalWithStart(webhookDeliveryContract, delivery, deliverNowSignal)
    .catch((err: unknown) => {
      deps.log.warn({ err, ...delivery }, 'redelivery not started; the reconciler will retry');
    });
}

export async function testWebhook(
  { deps, orgId }: OrgContext<'clock' | 'log' | 'sql' | 'temporal'>,
  {
    webhookId,
    event = 'webhook.test',
  }: { webhookId: string; event?: WebhookEventType | undefined },
): Promise<{ deliveryId: string }> {
  const deliveryId = newId('dlv');
  const createdAt = deps.clock();
  const data = event === 'webhook.test' ? { webhookId } : EVENT_EXAMPLES[event];
  const body = JSON.stringify({ type: event, timestamp: toIso(createdAt), test: true, data });
  await deps.sql.begin(async (tx) => {
    await checkEnabled(tx, orgId, webhookId);
    await queries.insertDeliveries(tx, [
      { deliveryId, orgId, webhookId, eventType: event, body, createdAt },
    ]);
  });
  deliverSoon(deps, orgId);
  return { deliveryId };
}

async function checkEnabled(tx: Tx, orgId: string, webhookId: string): Promise<void> {
  const webhook = orNotFound(await lockWebhook(tx, orgId, webhookId));
  if (webhook.disabledAt === null) return;
  throw new AppError('conflict', 'The webhook is switched off.', {
    hint: 'Switch it on with PATCH /v1/webhooks/{id} and enabled: true.',
  });
}

export async function resendDeliveries(
  { deps, orgId }: OrgContext<'clock' | 'sql'>,
  { webhookId, status = 'failed', ...range }: model.ResendInput & { webhookId: string },
): Promise<model.Resent> {
  const from = new Date(range.from);
  const to = range.to === undefined ? deps.clock() : new Date(range.to);
  if (from >= to) throw invalidInput('from', 'must be before to');
  if (to.getTime() - from.getTime() > model.KEEP_DELIVERIES_DAYS * DAY_MS) {
    throw invalidInput(
      'from',
      `at most ${model.KEEP_DELIVERIES_DAYS} days lie between from and to`,
    );
  }
  const statuses = status === 'any' ? ['failed', 'delivered'] : [status];
  return deps.sql.begin(async (tx) => {
    await checkEnabled(tx, orgId, webhookId);
    const scope = { orgId, webhookId, from, to, statuses, limit: model.RESEND_MAX };
    const { reopened, nextFrom } = await queries.reopenDeliveries(tx, scope);
    return { accepted: reopened, nextFrom: toIsoOrNull(nextFrom) };
  });
}
