import type { Deps, OrgContext } from '../../../context.ts';
import { scaleExactly, toDecimal } from '../../../shared/decimal.ts';
import { minorExponent } from '../../../shared/money.ts';
import { addDays, eachDay, pacificDay } from '../../../shared/pacific.ts';
import type { Sql } from '../../../storage/postgres.ts';
import { freshness, lastRun, NEVER_RUN } from '../analytics/freshness.ts';
import { countryLabel } from '../analytics/read-model.ts';
import { resolveWindow } from '../analytics/window.ts';
import { selectAppNames, selectStoreApp } from '../collection/apps-queries.ts';
import { selectAccount } from '../collection/connection-queries.ts';
import { storeAppNotFound } from '../collection/import-app.ts';
import { selectSync } from '../collection/syncs-queries.ts';
import { type DayState, isCovered } from '../days/day-state.ts';
import { HISTORY_DAYS } from '../days/plan.ts';
import { selectDayStates, selectUnreadable } from '../days/queries.ts';
import type { SubscriptionCounts, Subscriptions, SubscriptionsQuery } from './model.ts';
import * as queries from './queries.ts';

/** Oldest usable report. */
const OLDEST_DAYS = 35;

/** Null without a connection, link or report of the last five weeks. */
export async function readReportedSubscribers(
  { sql }: Pick<Deps, 'sql'>,
  { orgId, appId, to }: { orgId: string; appId: string; to: string },
): Promise<{ day: string; paid: number } | null> {
  const [account, apps] = await Promise.all([
    selectAccount(sql, orgId),
    selectAppNames(sql, orgId),
  ]);
  const app = apps.find((one) => one.appId === appId);
  if (!account || !app) return null;
  const { vendorNumber } = account;
  const scope = { orgId, vendorNumber, storeAppId: app.storeAppId };
  return queries.selectNewestPaid(sql, scope, { from: addDays(to, -OLDEST_DAYS), to });
}

const SKU_DAYS = 35;
const ONE = toDecimal('1');
const NOBODY: SubscriptionCounts = {
  paid: 0,
  trials: 0,
  marketingOptIns: 0,
  gracePeriod: 0,
  billingRetry: 0,
};

const toMinor = (amount: string, currency: string) =>
  scaleExactly(toDecimal(amount), ONE, ONE, minorExponent(currency));

function newestDay(days: readonly string[], states: ReadonlyMap<string, DayState>): string | null {
  return (
    days.findLast((day) => states.get(day) === 'reported') ??
    days.findLast((day) => isCovered(states.get(day))) ??
    null
  );
}

async function breakdowns(sql: Sql, part: queries.Part, day: string) {
  const [products, countries, prices, offers, skus] = await Promise.all([
    queries.selectByProduct(sql, part, day),
    queries.selectByCountry(sql, part, day),
    queries.selectByPrice(sql, part, day),
    queries.selectByOffer(sql, part, day),
    queries.selectSkus(sql, part, { from: addDays(day, -SKU_DAYS), to: day }),
  ]);
  const found = (prices[0]?.found ?? 0) + (offers[0]?.found ?? 0);
  return {
    byProduct: products.map((row) => ({ ...row, sku: skus.get(row.subscriptionId) ?? null })),
    byCountry: countries.map(({ country, ...row }) => ({
      ...row,
      key: country,
      label: countryLabel(country),
    })),
    byPrice: prices.map(({ found: _, customerPrice, proceeds, ...row }) => ({
      ...row,
      customerPriceMinor: toMinor(customerPrice, row.currency),
      proceedsMinor: toMinor(proceeds, row.proceedsCurrency),
    })),
    byOffer: offers.map(({ found: _, ...row }) => row),
    omitted: found - prices.length - offers.length,
  };
}

const NO_BREAKDOWNS = { byProduct: [], byCountry: [], byPrice: [], byOffer: [], omitted: 0 };

/**
 * Daily snapshots do not add up over days; the store's counts may overlap. Throws `invalid_input`,
 * `store_app_not_found`.
 */
export async function getSubscriptions(
  { deps, orgId }: OrgContext<'clock' | 'sql'>,
  { storeAppId, country, subscriptionId, ...asked }: SubscriptionsQuery,
): Promise<Subscriptions> {
  const { sql } = deps;
  const now = deps.clock();
  const yesterday = addDays(pacificDay(now), -1);
  const { from, to, days } = resolveWindow(asked, yesterday);
  const window = { from, to, days };
  if (storeAppId !== undefined && !(await selectStoreApp(sql, orgId, storeAppId))) {
    throw storeAppNotFound();
  }
  const dates = eachDay(from, to);
  const account = await selectAccount(sql, orgId);
  if (!account) {
    const series = dates.map((day) => ({ ...NOBODY, day, covered: false }));
    const never = freshness(now, new Map(), NEVER_RUN);
    return { window, freshness: never, through: null, latest: null, series, ...NO_BREAKDOWNS };
  }
  const part = {
    orgId,
    vendorNumber: account.vendorNumber,
    storeAppId: storeAppId ?? null,
    country: country?.toUpperCase() ?? null,
    subscriptionId: subscriptionId ?? null,
  };
  const [states, sync, unreadable, byDay] = await Promise.all([
    selectDayStates(sql, account, 'SUBSCRIPTION'),
    selectSync(sql, account),
    selectUnreadable(sql, account, ['SUBSCRIPTION'], addDays(yesterday, -HISTORY_DAYS)),
    queries.selectSubscriptionDays(sql, part, window),
  ]);
  const series = dates.map((day) => ({
    ...(byDay.get(day) ?? NOBODY),
    day,
    covered: isCovered(states.get(day)),
  }));
  const through = newestDay(dates, states);
  return {
    window,
    freshness: freshness(now, states, lastRun(sync, unreadable)),
    through,
    latest: through === null ? null : (byDay.get(through) ?? NOBODY),
    series,
    ...(through === null ? NO_BREAKDOWNS : await breakdowns(sql, part, through)),
  };
}
