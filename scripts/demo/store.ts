import { Type } from '@sinclair/typebox';
import { Analytics } from '../../src/modules/sales/analytics/model.ts';
import { Connected } from '../../src/modules/sales/collection/model.ts';
import { parser } from '../../src/shared/schema.ts';
import { type StoreSimulator, startStoreSimulator } from '../../test/simulators/store/server.ts';
import type { DemoApi } from './api.ts';

const connected = parser(Connected, 'connection');
const synced = parser(Type.Object({ daysRemaining: Type.Integer() }), 'sync');
const analytics = parser(Analytics, 'analytics');

const COLLECTED_WITHIN_MS = 120_000;
/** Enough for a chart; the simulated store has dropped what is older. */
const DAYS = 60;

/** A store that only looks like Apple's, for a service that the demo starts itself. */
export async function startDemoStore(): Promise<StoreSimulator> {
  const store = await startStoreSimulator({ seed: 20, retentionDays: DAYS });
  Bun.env.STORE_API_URL = store.url;
  return store;
}

async function untilCollected(api: DemoApi): Promise<void> {
  const end = performance.now() + COLLECTED_WITHIN_MS;
  for (;;) {
    const { daysRemaining } = await api.post('/v1/analytics/sync', {}, synced.parse);
    if (daysRemaining === 0) return;
    if (performance.now() > end) throw new Error('The sales are still being collected.');
  }
}

const dollars = (minor: number) => `$${(minor / 100).toFixed(2)}`;

/** Connects the simulated account through the real routes and shows what was collected. */
export async function showStore(
  api: DemoApi,
  { account }: StoreSimulator,
  say: (text: string) => void,
): Promise<void> {
  const [key] = account.keys;
  if (!key) throw new Error('The simulated account has no key.');
  const { issuerId, keyId, privateKey } = key;
  const body = { issuerId, keyId, privateKey, vendorNumber: account.vendorNumber };
  const { discoveredApps } = await api.post('/v1/store/connection', body, connected.parse);
  say(`\nA SIMULATED store account (not Apple's) is connected: ${discoveredApps} apps.`);
  await untilCollected(api);
  const { window, totals, byApp, unconverted } = await api.get('/v1/analytics', analytics.parse);
  say(`Simulated sales from ${window.from} to ${window.to}:\n`);
  for (const app of byApp) {
    const downloads = String(app.downloads).padStart(7);
    say(
      `  ${app.label.padEnd(24)} ${downloads} downloads  ${dollars(app.proceedsMinor).padStart(12)}`,
    );
  }
  say(`\n  ${totals.trials} trials, ${totals.refunds} refunds.`);
  const left = unconverted.map(({ currency }) => currency).join(', ');
  if (left !== '') say(`  Without an exchange rate, so not in the dollars: ${left}.`);
}
