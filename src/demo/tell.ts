import type { OrgContext } from '../context.ts';
import { createDestination } from '../modules/digests/destinations.ts';
import { setDigestSettings, setMessageSettings } from '../modules/digests/settings.ts';
import { createWebhook } from '../modules/webhooks/webhooks.ts';
import { morningDigestContract } from '../temporal/contracts/digests.ts';
import type { Listener } from './listener.ts';

const HOUR = 8;

/** Has webhooks, messages at once, alerts and the morning digest sent to the listener. */
export async function hearNews(ctx: OrgContext, listener: Listener): Promise<void> {
  const { clock, sql, secrets, egress, identity } = ctx.deps;
  // The listener is on this host, which no route takes: the organization's own row allows it.
  const deps = { clock, sql, secrets, identity, egress: { ...egress, check: () => {} } };
  const own = { ...ctx, deps };
  const url = `http://${listener.address}`;
  await createWebhook(own, { url: `${url}/webhooks`, events: ['entitlement.changed'] });
  const target = `${url}/messages`;
  await createDestination(own, { kind: 'json', name: 'Terminal of the demo', target });
  const kinds = { alerts: true, subscribers: true, refunds: true, billingProblems: true };
  await setMessageSettings(ctx, { ...kinds, quietHours: null });
}

/** Switches the morning digest on, and has that of today sent without waiting for its hour. */
export async function sendDigestNow(ctx: OrgContext): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  await setDigestSettings(ctx, { isOn: true, timezone: timeZone, hour: HOUR });
  await ctx.deps.temporal.ensure(morningDigestContract, { orgId: ctx.orgId });
}
