import type { AppContext } from '../../context.ts';
import { addDays, pacificDay, pacificInstant } from '../../shared/pacific.ts';
import { countTrials } from '../purchases/index.ts';
import { type Analytics, type PaidUnits, readAppSales } from '../sales/index.ts';
import type { StoreFigures } from './model.ts';

const ratio = (part: number | null, whole: number): number | null =>
  part !== null && whole > 0 ? part / whole : null;

const sold = (row: { iapUnits: number; subscriptionUnits: number }): number =>
  row.iapUnits + row.subscriptionUnits;

function missingDays({ series, freshness }: Analytics): string[] {
  const { coveredFrom, coveredThrough } = freshness;
  if (coveredFrom === null || coveredThrough === null) return [];
  return series
    .filter(({ day, covered }) => !covered && day > coveredFrom && day < coveredThrough)
    .map(({ day }) => day);
}

/** Consumables repeat, renewals were decided long ago. */
function newSubscriptions(totals: Analytics['totals'], paid: PaidUnits): number | null {
  return totals.subscriptionUnits === 0 && totals.iapUnits > 0 ? null : paid.newSubscriptionUnits;
}

/** Null for an unlinked app, or without rows in the window. */
export async function readStoreFigures(
  ctx: AppContext<'clock' | 'rates' | 'salesFigures' | 'sql'>,
  days: number,
): Promise<StoreFigures | null> {
  const { deps, orgId, app } = ctx;
  if (app.storeAppId === null) return null;
  const { model, paid, previousPaid } = await readAppSales(ctx, {
    storeAppId: app.storeAppId,
    days,
  });
  if (model.byApp.length === 0) return null;
  const { totals, window, currency, unconverted, byCountry } = model;
  const notified = await countTrials(deps.sql, {
    orgId,
    appId: app.id,
    store: 'app_store',
    from: pacificInstant(window.from, 0),
    to: pacificInstant(addDays(window.to, 1), 0),
  });
  // Without a subscription report, trials come from server notifications.
  const trials = Math.max(totals.trials, notified.started);
  const { downloads, subscriptionUnits, iapUnits, proceedsMinor } = totals;
  return {
    downloads,
    trials,
    subscriptionUnits,
    newSubscriptionUnits: paid.newSubscriptionUnits,
    iapUnits,
    paidUnits: paid.paidUnits,
    refunds: paid.refunds,
    previousPaidUnits: previousPaid.paidUnits,
    previousRefunds: previousPaid.refunds,
    proceedsMinor,
    currency,
    unconverted,
    missingDays: missingDays(model),
    purchasesByCountry: byCountry
      .filter((row) => sold(row) > 0)
      .map((row) => ({ country: row.key, units: sold(row) })),
    downloadToTrial: ratio(trials, downloads),
    downloadToPaid: ratio(newSubscriptions(totals, paid), downloads),
  };
}

/** Up to yesterday. */
export function pacificWindow(now: Date, days: number): { from: string; to: string; days: number } {
  const to = addDays(pacificDay(now), -1);
  return { from: addDays(to, 1 - days), to, days };
}
