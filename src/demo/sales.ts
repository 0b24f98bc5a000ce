import { Type } from '@sinclair/typebox';
import type { OrgContext } from '../context.ts';
import { Analytics } from '../modules/sales/analytics/model.ts';
import { connectKey } from '../modules/sales/collection/connect.ts';
import { SIMULATED_APPS } from '../providers/store/simulated/market.ts';
import { simulatedKey } from '../providers/store/simulated/store.ts';
import { pacificDay } from '../shared/pacific.ts';
import { parser } from '../shared/schema.ts';
import type { DemoApi } from './api.ts';

const synced = parser(Type.Object({ daysRemaining: Type.Integer() }), 'sync');
const analytics = parser(Analytics, 'analytics');
const linked = parser(Type.Object({}), 'link');

const COLLECTED_WITHIN_MS = 120_000;

/** Connects the simulated store, which answers inside the service and asks nobody. */
export async function connectSimulatedStore(
  ctx: OrgContext<'clock' | 'secrets' | 'sql' | 'temporal'>,
  seed: number,
): Promise<void> {
  const now = ctx.deps.clock();
  await connectKey(ctx, {
    issuerId: '00000000-0000-0000-0000-000000000000',
    keyId: 'SIMULATED0',
    vendorNumber: '80000000',
    privateKey: simulatedKey({ seed, madeOn: pacificDay(now), madeAtMs: now.getTime() }),
  });
}

export async function linkStoreApps(api: DemoApi, appIds: readonly string[]): Promise<void> {
  for (const [index, { storeAppId }] of SIMULATED_APPS.entries()) {
    await api.post('/v1/store/apps/link', { storeAppId, appId: appIds[index] }, linked.parse);
  }
}

/** Waits until the service has asked for every day; those that the store has late stay gaps. */
export async function untilCollected(api: DemoApi, lateDays: number): Promise<void> {
  const end = performance.now() + COLLECTED_WITHIN_MS;
  for (;;) {
    const { daysRemaining } = await api.post('/v1/analytics/sync', {}, synced.parse);
    if (daysRemaining <= lateDays) return;
    if (performance.now() > end) throw new Error('The sales are still being collected.');
  }
}

const dollars = (minor: number) => `$${(minor / 100).toFixed(2)}`;

/** The figures of the month as lines of text. */
export async function drawSales(api: DemoApi): Promise<string> {
  const answer = await api.get('/v1/analytics', analytics.parse);
  const { window, byApp, totals, freshness } = answer;
  const rows = byApp.map(
    ({ label, downloads, proceedsMinor }) =>
      `  ${label.padEnd(16)} ${String(downloads).padStart(7)} downloads ${dollars(proceedsMinor).padStart(12)}`,
  );
  return [
    `Sales of ${window.from} to ${window.to}, from a simulated store`,
    '',
    ...rows,
    '',
    `  ${totals.trials} trials, ${totals.refunds} refunds; ${freshness.gaps} days are late at the store: POST /v1/analytics/sync in 20 minutes fills them, else they come within a day.`,
  ].join('\n');
}
