import type { AppContext } from '../../../context.ts';
import { calendarBoundaries, startOfDate } from '../../../shared/calendar.ts';
import type { Store } from '../../../shared/stores.ts';
import { eachDay, PACIFIC } from '../../../shared/pacific.ts';
import { countryOfStorefront } from '../../../shared/storefront.ts';
import { type Analytics, readSalesOfApp } from '../../sales/index.ts';
import { isReported } from '../overview/terms.ts';
import type { NOT_REPORTED, ReportedRevenue } from './model.ts';
import { type Filters, NO_COUNTRY } from './tally.ts';

type Context = AppContext<'clock' | 'rates' | 'salesFigures' | 'sql'>;
type Days = { from: string; to: string };

export const storeDaysOf = ({ from, to }: Days): number[] =>
  calendarBoundaries(
    { fromMs: startOfDate(from, PACIFIC), toMs: startOfDate(to, PACIFIC, 1) },
    'day',
    PACIFIC,
  );

/** Paid apps have no transactions. */
const IN_APP: readonly string[] = ['iap', 'subscription'];

export type StoreSales = Days & {
  spendMinor: number;
  proceedsMinor: number;
  spendByProduct: ReadonlyMap<string, number>;
  missing: ReadonlySet<string>;
};

export type Reading =
  | { sales: StoreSales; missing: null }
  | { sales: null; missing: (typeof NOT_REPORTED)[number] };

function toSales({ byKind, products, missing }: Analytics, { from, to }: Days): StoreSales {
  const inApp = byKind.filter(({ key }) => IN_APP.includes(key));
  const spendByProduct = new Map<string, number>();
  for (const { sku, kind, customerSpendMinor } of products) {
    if (!IN_APP.includes(kind)) continue;
    spendByProduct.set(sku, (spendByProduct.get(sku) ?? 0) + customerSpendMinor);
  }
  return {
    ...{ from, to, spendByProduct },
    spendMinor: inApp.reduce((sum, { customerSpendMinor }) => sum + customerSpendMinor, 0),
    proceedsMinor: inApp.reduce((sum, { proceedsMinor }) => sum + proceedsMinor, 0),
    missing: new Set(missing.days),
  };
}

type Asked = Days & {
  currency: string;
  filters: Filters;
  store: Store | undefined;
  isReal: boolean;
};

export async function readStoreSales(ctx: Context, asked: Asked): Promise<Reading> {
  const { from, to, currency, filters, store, isReal } = asked;
  const { product, country, offer, kind } = filters;
  if (!isReal) return { sales: null, missing: 'sandbox' };
  if (!isReported(store)) return { sales: null, missing: 'not_of_this_store' };
  if (offer !== undefined || kind !== undefined) {
    return { sales: null, missing: 'not_by_offer_or_kind' };
  }
  const land = country === undefined ? null : (countryOfStorefront(country) ?? NO_COUNTRY);
  if (land === NO_COUNTRY) return { sales: null, missing: 'not_by_offer_or_kind' };
  const model = await readSalesOfApp(ctx, {
    ...{ from, to, currency },
    ...(product !== undefined && { sku: product }),
    ...(land !== null && { country: land }),
  });
  if (typeof model === 'string') return { sales: null, missing: model };
  return { sales: toSales(model, asked), missing: null };
}

type OurDays = { netMinor: number; storeDays: readonly ReadonlyMap<string, number>[] };

/** The parts add up to the difference. */
export function explain(sales: StoreSales, { netMinor, storeDays }: OurDays): ReportedRevenue {
  const { from, to, spendMinor, proceedsMinor, spendByProduct, missing } = sales;
  const days = eachDay(from, to);
  const signed = new Map<string, number>();
  const sums = { all: 0, notReported: 0, onlySigned: 0, onlyReported: 0 };
  for (const [index, byProduct] of storeDays.entries()) {
    const isMissing = missing.has(days[index] ?? '');
    for (const [product, minor] of byProduct) {
      sums.all += minor;
      if (isMissing) sums.notReported += minor;
      else signed.set(product, (signed.get(product) ?? 0) + minor);
    }
  }
  for (const [product, minor] of signed) {
    if (!spendByProduct.has(product)) sums.onlySigned += minor;
  }
  for (const [product, minor] of spendByProduct) {
    if (!signed.has(product)) sums.onlyReported -= minor;
  }
  const differenceMinor = netMinor - spendMinor;
  const explained = {
    daysMinor: netMinor - sums.all,
    notReportedMinor: sums.notReported,
    onlySignedMinor: sums.onlySigned,
    onlyReportedMinor: sums.onlyReported + 0,
  };
  const told = Object.values(explained).reduce((sum, minor) => sum + minor, 0);
  return {
    ...{ from, to, customerSpendMinor: spendMinor, proceedsMinor },
    commissionAndTaxMinor: spendMinor - proceedsMinor,
    daysMissing: days.filter((day) => missing.has(day)).length,
    differenceMinor,
    explained: { ...explained, restMinor: differenceMinor - told },
  };
}
