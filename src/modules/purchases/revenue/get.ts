import type { AppContext } from '../../../context.ts';
import { at } from '../../../shared/assert.ts';
import { limitConcurrency } from '../../../shared/concurrency.ts';
import { isReal, REAL_PURCHASES } from '../../../shared/environment.ts';
import { toIso } from '../../../shared/time.ts';
import { resolveTimezone } from '../../app-settings/index.ts';
import { currencyOfAnswer, readSubscriptionTerms } from '../../sales/index.ts';
import { countUnreadHistories, selectFirstPurchase } from '../overview/queries.ts';
import { forEachPacked, foldChains } from '../overview/read-folds.ts';
import { toTerms } from '../overview/terms.ts';
import { readAmounts } from './amounts.ts';
import { toRevenue } from './answer.ts';
import type { PurchaseRevenue, RevenueInput } from './model.ts';
import { explain, readStoreSales, storeDaysOf } from './reported.ts';
import { type Filters, RevenueTally } from './tally.ts';
import { resolveRevenueWindow } from './window.ts';

type RevenueContext = AppContext<'clock' | 'rates' | 'salesFigures' | 'sql'>;

const limited = limitConcurrency(2);

const toFilters = ({ productId, country, offer, kind }: RevenueInput): Filters => ({
  ...(productId !== undefined && { product: productId }),
  ...(country !== undefined && { country }),
  ...(offer !== undefined && { offer }),
  ...(kind !== undefined && { kind }),
});

/** Paid transactions by their own days; own purchases, also what does not renew. */
export async function getPurchaseRevenue(
  ctx: RevenueContext,
  input: RevenueInput,
): Promise<PurchaseRevenue> {
  const { deps, orgId, app } = ctx;
  const now = deps.clock();
  const timezone = await resolveTimezone(ctx, input.timezone);
  const window = resolveRevenueWindow(input, timezone, now);
  const { from, to, boundariesMs, nowMs } = window;
  const currency = await currencyOfAnswer(ctx, input.currency);
  const environment = input.environment ?? REAL_PURCHASES;
  const scope = { orgId, appId: app.id, environment };
  const filters = toFilters(input);
  const { store } = input;
  const asked = { from, to, currency, filters, store, isReal: isReal(environment) };
  const { sales, missing } = await readStoreSales(ctx, asked);
  const storeDaysMs = sales ? storeDaysOf(window) : [];
  const bounds = [at(boundariesMs, 0), at(boundariesMs, boundariesMs.length - 1), ...storeDaysMs];
  const fromMs = Math.min(...bounds);
  const endMs = Math.max(...bounds);
  const { tally, historyPending } = await limited(async () => {
    await foldChains(deps, scope);
    const firstMs = (await selectFirstPurchase(deps.sql, scope)) ?? fromMs;
    const amounts = await readAmounts(deps, currency, firstMs);
    const reported = await readSubscriptionTerms(deps, { orgId, appId: app.id, to });
    const { shareOf } = toTerms(reported, [], environment);
    const counted = new RevenueTally({ boundariesMs, storeDaysMs, amounts, shareOf, filters });
    await forEachPacked(deps.sql, scope, { fromMs, endMs, store, holders: false }, (fold, row) =>
      counted.addChain(fold, row.store),
    );
    return { tally: counted, historyPending: await countUnreadHistories(deps.sql, scope, store) };
  });
  const revenue = toRevenue(tally, window);
  const ours = { netMinor: tally.reportedNet(), storeDays: tally.storeDays };
  return {
    appId: app.id,
    ...{ from, to, timezone, interval: input.interval ?? 'day' },
    asOf: toIso(new Date(Math.min(at(boundariesMs, boundariesMs.length - 1), nowMs))),
    ...{ currency, environment, source: 'transactions' as const },
    ...revenue,
    historyPending,
    reported: sales && explain(sales, ours),
    reportedMissing: missing,
    computedAt: toIso(now),
  };
}
