import type { Deps } from '../../../context.ts';
import { minorExponent } from '../../../shared/money.ts';
import { addDays } from '../../../shared/pacific.ts';
import { selectAppNames } from '../collection/apps-queries.ts';
import { selectAccount } from '../collection/connection-queries.ts';
import type { RateTable } from '../rates/rate-table.ts';
import * as queries from './queries.ts';

const SHARE_DAYS = 35;
/** Reach for product ids of subscriptions not sold lately. */
const NAMED_DAYS = 400;

export type NoTerms = 'store_not_connected' | 'app_not_linked' | 'no_report';

export type SubscriptionTerms = {
  missing: NoTerms | null;
  /** As the store writes it (`1 Month`); null for an unreported product. */
  durationOf: (productId: string) => string | null;
  /** Proceeds ÷ customer price; country is alpha-2; null without a report. */
  shareOf: (productId: string, country: string, currency: string) => number | null;
};

const nothing = (missing: NoTerms): SubscriptionTerms => ({
  missing,
  durationOf: () => null,
  shareOf: () => null,
});

function crossRate(rates: RateTable, from: string, to: string, day: string): number | null {
  const minor = rates.unitRate(from, to, day);
  return minor === null ? null : minor / 10 ** minorExponent(to);
}

type Sum = { spent: number; proceeds: number };
const toKey = (productId: string, country: string, currency: string) =>
  `${productId}\t${country}\t${currency}`;

function sumShares(
  rows: readonly queries.PaidOut[],
  skus: ReadonlyMap<string, string>,
  rate: (from: string, to: string) => number | null,
): Map<string, number> {
  const sums = new Map<string, Sum>();
  for (const row of rows) {
    const productId = row.sku ?? skus.get(row.storeId);
    const worth = rate(row.proceedsCurrency, row.currency);
    if (productId === undefined || worth === null) continue;
    const key = toKey(productId, row.country, row.currency);
    const sum = sums.get(key) ?? { spent: 0, proceeds: 0 };
    sum.spent += Number(row.spent);
    sum.proceeds += Number(row.proceeds) * worth;
    sums.set(key, sum);
  }
  return new Map([...sums].map(([key, { spent, proceeds }]) => [key, proceeds / spent]));
}

/** For ids that recent sales do not name. */
async function selectNames(
  sql: Deps['sql'],
  scope: queries.TermsScope,
  rows: readonly Pick<queries.PaidOut, 'storeId'>[],
  to: string,
): Promise<Map<string, string>> {
  const ids = [...new Set(rows.map(({ storeId }) => storeId))];
  const late = await queries.selectSkusOf(sql, scope, ids, { from: addDays(to, -SHARE_DAYS), to });
  const others = ids.filter((id) => !late.has(id));
  const early = await queries.selectSkusOf(sql, scope, others, {
    from: addDays(to, -NAMED_DAYS),
    to,
  });
  return new Map([...late, ...early]);
}

/** After any report. */
const FOREVER = '9999-12-31';

async function readDurations(
  sql: Deps['sql'],
  scope: queries.TermsScope,
): Promise<ReadonlyMap<string, string>> {
  const rows = await queries.selectReportedDurations(sql, scope);
  if (rows.length === 0) return new Map();
  const { sales } = await queries.selectReportDays(sql, scope, FOREVER);
  const skus = sales === null ? new Map() : await selectNames(sql, scope, rows, sales);
  return new Map(
    rows.flatMap(({ storeId, duration }) => {
      const sku = skus.get(storeId);
      return sku === undefined ? [] : [[sku, duration] as const];
    }),
  );
}

type Shares = Pick<SubscriptionTerms, 'missing' | 'shareOf'>;

async function readShares(
  { sql, rates }: Pick<Deps, 'rates' | 'sql'>,
  scope: queries.TermsScope,
  to: string,
): Promise<Shares> {
  const newest = await queries.selectReportDays(sql, scope, to);
  const last = [newest.sales, newest.subscriptions].flatMap((day) => day ?? []).toSorted();
  const through = last.at(-1);
  if (through === undefined) return nothing('no_report');
  const daysTo = (day: string | null) => {
    const end = day ?? through;
    return { from: addDays(end, 1 - SHARE_DAYS), to: end };
  };
  const [subscribed, sold, table] = await Promise.all([
    queries.selectSubscribedTerms(sql, scope, daysTo(newest.subscriptions)),
    queries.selectSoldTerms(sql, scope, daysTo(newest.sales)),
    // Whole years: one cached table for many queries.
    rates.load(`${through.slice(0, 4)}-01-01`, through),
  ]);
  if (subscribed.length === 0 && sold.length === 0) return nothing('no_report');
  const skus = await selectNames(sql, scope, subscribed, through);
  const rate = (from: string, currency: string) => crossRate(table, from, currency, through);
  const shares = new Map([...sumShares(sold, skus, rate), ...sumShares(subscribed, skus, rate)]);
  return {
    missing: null,
    shareOf: (productId, country, currency) =>
      shares.get(toKey(productId, country, currency)) ?? null,
  };
}

/**
 * Lengths from all reports, shares of the last 35 report days. Payouts at the newest report day's
 * ECB rate.
 */
export async function readSubscriptionTerms(
  deps: Pick<Deps, 'rates' | 'sql'>,
  { orgId, appId, to }: { orgId: string; appId: string; to: string },
): Promise<SubscriptionTerms> {
  const { sql } = deps;
  const [account, apps] = await Promise.all([
    selectAccount(sql, orgId),
    selectAppNames(sql, orgId),
  ]);
  if (!account) return nothing('store_not_connected');
  const app = apps.find((one) => one.appId === appId);
  if (!app) return nothing('app_not_linked');
  const { vendorNumber } = account;
  const scope = { orgId, vendorNumber, storeAppId: app.storeAppId, sku: app.sku };
  const [durations, shares] = await Promise.all([
    readDurations(sql, scope),
    readShares(deps, scope, to),
  ]);
  return { ...shares, durationOf: (productId) => durations.get(productId) ?? null };
}
