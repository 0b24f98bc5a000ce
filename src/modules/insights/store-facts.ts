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

/** Null unless one app sells alone: sales by country are those of the whole organization. */
function purchasesByCountry({ byApp, byCountry }: Analytics): ReadonlyMap<string, number> | null {
  if (byApp.filter((row) => sold(row) > 0).length !== 1) return null;
  return new Map(byCountry.map((row: Keyed) => [row.key, sold(row)]));
}

/** Store figures of this app; null when it is not linked or has no row in the window. */
export async function readStoreSide(
  ctx: AppContext<'clock' | 'rates' | 'salesFigures' | 'sql'>,
  days: number,
): Promise<StoreSide | null> {
  const { deps, orgId, app } = ctx;
  if (app.storeAppId === null) return null;
  const analytics = await getAnalytics(ctx, { days });
  const row = analytics.byApp.find((each) => each.storeAppId === app.storeAppId);
  if (!row) return null;
  const previous = analytics.previousByApp.find((each) => each.key === app.storeAppId);
  const notified = await countTrials(deps.sql, {
    orgId,
    appId: app.id,
    from: pacificInstant(analytics.window.from, 0),
    to: pacificInstant(addDays(analytics.window.to, 1), 0),
  });
  // The subscription report does not always exist; server notifications report trials too.
  const trials = Math.max(row.trials, notified.started);
  return {
    figures: {
      downloads: row.downloads,
      trials,
      subscriptionUnits: row.subscriptionUnits,
      iapUnits: row.iapUnits,
      proceedsMinor: row.proceedsMinor,
      currency: analytics.currency,
      downloadToTrial: ratio(trials, row.downloads),
      downloadToPaid: ratio(sold(row), row.downloads),
    },
    facts: {
      downloads: row.downloads,
      units: sold(row),
      refunds: row.refunds,
      trials,
      subscriptionUnits: row.subscriptionUnits,
      previousUnits: previous ? sold(previous) : 0,
      previousRefunds: previous?.refunds ?? 0,
      gaps: analytics.freshness.gaps,
      purchasesByCountry: purchasesByCountry(analytics),
    },
  };
}

/** The last `days` Pacific days up to yesterday, as dates. */
export function pacificWindow(now: Date, days: number): { from: string; to: string; days: number } {
  const to = addDays(pacificDay(now), -1);
  return { from: addDays(to, 1 - days), to, days };
}
