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

/** Undefined where the store has reported nothing. */
export function appSales(sales: Sales, storeAppId: string | null): AppSales | undefined {
  const own = sales.byApp.find((app) => app.storeAppId === storeAppId);
  if (!own) return undefined;
  const byDay = new Map(
    sales.seriesByApp
      .filter((entry) => entry.storeAppId === storeAppId)
      .map((entry) => [entry.day, entry]),
  );
  const { proceedsMinor, downloads, unconverted } = own;
  return {
    proceedsMinor,
    downloads,
    unconverted,
    currency: sales.currency,
    before: sales.isComparable
      ? (sales.previousByApp.find(({ key }) => key === own.key) ?? NOTHING)
      : null,
    ...ofDays(sales, (day) => byDay.get(day) ?? NOTHING),
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
