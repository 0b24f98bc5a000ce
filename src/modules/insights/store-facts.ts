import type { AppContext } from '../../context.ts';
import { addDays, pacificDay, pacificInstant } from '../../shared/pacific.ts';
import { countTrials } from '../purchases/index.ts';
import { type Analytics, type ByApp, getAnalytics, type Keyed } from '../sales/index.ts';
import type { StoreFacts } from './facts.ts';
import type { StoreFigures } from './model.ts';

export type StoreSide = { figures: StoreFigures; facts: StoreFacts };

const ratio = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

const sold = (row: Pick<ByApp, 'iapUnits' | 'subscriptionUnits'>): number =>
  row.iapUnits + row.subscriptionUnits;

/** Countries are those of the whole organization, so they tell something of one app only when it sells alone. */
function purchasesByCountry(read: Analytics): ReadonlyMap<string, number> | null {
  if (read.byApp.filter((row) => sold(row) > 0).length !== 1) return null;
  return new Map(read.byCountry.map((row: Keyed) => [row.key, sold(row)]));
}

/** What the store says of this app; null when it is not linked or has no row in the window. */
export async function readStoreSide(ctx: AppContext, days: number): Promise<StoreSide | null> {
  const { deps, orgId, app } = ctx;
  if (app.storeAppId === null) return null;
  const read = await getAnalytics(ctx, { days });
  const row = read.byApp.find((one) => one.storeAppId === app.storeAppId);
  if (!row) return null;
  const previous = read.previousByApp.find((one) => one.key === app.storeAppId);
  const noticed = await countTrials(deps.sql, {
    orgId,
    appId: app.id,
    from: pacificInstant(read.window.from, 0),
    to: pacificInstant(addDays(read.window.to, 1), 0),
  });
  // The subscription report does not always exist; server notifications see trials too.
  const trials = Math.max(row.trials, noticed.started);
  return {
    figures: {
      downloads: row.downloads,
      trials,
      subscriptionUnits: row.subscriptionUnits,
      iapUnits: row.iapUnits,
      proceedsMinor: row.proceedsMinor,
      currency: read.currency,
      downloadToTrial: ratio(trials, row.downloads),
      downloadToPaid: ratio(sold(row), row.downloads),
    },
    facts: {
      units: sold(row),
      refunds: row.refunds,
      trials,
      subscriptionUnits: row.subscriptionUnits,
      previousUnits: previous ? sold(previous) : 0,
      previousRefunds: previous?.refunds ?? 0,
      gaps: read.freshness.gaps,
      purchasesByCountry: purchasesByCountry(read),
    },
  };
}

/** The last `days` Pacific days up to yesterday, as dates. */
export function pacificWindow(now: Date, days: number): { from: string; to: string; days: number } {
  const to = addDays(pacificDay(now), -1);
  return { from: addDays(to, 1 - days), to, days };
}
