import { type Api, ApiError } from '../../clients/api/src/index.ts';
import type { OrgContext } from '../context.ts';
import { morningDigestContract } from '../temporal/contracts/digests.ts';
import type { Listener } from './listener.ts';

const HOUR = 8;

async function sendToListener(api: Api, { address }: Listener): Promise<boolean> {
  const url = `http://${address}`;
  try {
    await api.createWebhook({ body: { url: `${url}/webhooks`, events: ['entitlement.changed'] } });
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.is('invalid_input')) return false;
    throw thrown;
  }
  const target = `${url}/messages`;
  const body = { kind: 'json' as const, name: 'Terminal of the demo', target };
  await api.createDigestDestination({ body });
  return true;
}

export async function subscribe(api: Api, listener: Listener): Promise<{ isHeard: boolean }> {
  const isHeard = await sendToListener(api, listener);
  const kinds = { alerts: true, subscribers: true, refunds: true, billingProblems: true };
  await api.setMessageSettings({ body: { ...kinds, quietHours: null } });
  return { isHeard };
}

export async function sendDigestNow(
  { deps, orgId }: OrgContext<'temporal'>,
  api: Api,
): Promise<void> {
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
  await api.setDigestSettings({ body: { isOn: true, timezone, hour: HOUR } });
  await deps.temporal.ensure(morningDigestContract, { orgId });
}
