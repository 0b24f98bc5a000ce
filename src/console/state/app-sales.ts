import type { Sales } from './app-figures.ts';

type Figure = number | null;
type Amounts = { proceedsMinor: number; downloads: number };

export type AppSales = Amounts & {
  currency: string;
  /** Where the days before are not known well enough. */
  before: Amounts | null;
  unconverted: Sales['unconverted'];
  days: readonly string[];
  proceedsByDay: readonly Figure[];
  downloadsByDay: readonly Figure[];
};

const NOTHING: Amounts = { proceedsMinor: 0, downloads: 0 };

function ofDays(sales: Sales, on: (day: string) => Amounts) {
  const { series } = sales;
  return {
    days: series.map(({ day }) => day),
    proceedsByDay: series.map(({ day, covered }) => (covered ? on(day).proceedsMinor : null)),
    downloadsByDay: series.map(({ day, covered }) => (covered ? on(day).downloads : null)),
  };
}

type StoreRow = Sales['byApp'][number];

function addAmounts(rows: readonly Amounts[]): Amounts {
  const sum = { ...NOTHING };
  for (const { proceedsMinor, downloads } of rows) {
    sum.proceedsMinor += proceedsMinor;
    sum.downloads += downloads;
  }
  return sum;
}

function addUnconverted(rows: readonly StoreRow[]): Sales['unconverted'] {
  const sums = new Map<string, number>();
  for (const { currency, proceedsMinor } of rows.flatMap(({ unconverted }) => unconverted)) {
    sums.set(currency, (sums.get(currency) ?? 0) + proceedsMinor);
  }
  return [...sums].map(([currency, proceedsMinor]) => ({ currency, proceedsMinor }));
}

/** Of all stores, a row of each. Undefined where none has reported anything. */
export function appSales(sales: Sales, appId: string): AppSales | undefined {
  const own = sales.byApp.filter((row) => row.appId === appId);
  if (own.length === 0) return undefined;
  const ids = new Set(own.map(({ storeAppId }) => storeAppId));
  const byDay = Map.groupBy(
    sales.seriesByApp.filter(({ storeAppId }) => ids.has(storeAppId)),
    ({ day }) => day,
  );
  return {
    ...addAmounts(own),
    unconverted: addUnconverted(own),
    currency: sales.currency,
    before: sales.isComparable
      ? addAmounts(sales.previousByApp.filter(({ key }) => ids.has(key)))
      : null,
    ...ofDays(sales, (day) => addAmounts(byDay.get(day) ?? [])),
  };
}

/** Undefined while the store has told about no day. */
export function allSales(sales: Sales): AppSales | undefined {
  if (sales.freshness.coveredThrough === null) return undefined;
  const byDay = new Map(sales.series.map((entry) => [entry.day, entry]));
  const { proceedsMinor, downloads } = sales.totals;
  return {
    proceedsMinor,
    downloads,
    unconverted: sales.unconverted,
    currency: sales.currency,
    before: sales.isComparable ? sales.previous : null,
    ...ofDays(sales, (day) => byDay.get(day) ?? NOTHING),
  };
}

export function salesChange({ before, ...now }: AppSales, of: keyof Amounts): Figure {
  if (before === null || before[of] === 0) return null;
  return (now[of] - before[of]) / before[of];
}

export function lateDays({ missing, freshness }: Sales): string[] {
  const { coveredThrough } = freshness;
  return missing.days.filter((day) => coveredThrough !== null && day < coveredThrough);
}
