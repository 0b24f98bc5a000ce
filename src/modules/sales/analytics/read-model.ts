import { eachDay } from '../../../shared/pacific.ts';
import type { StoreAppName } from '../collection/apps-queries.ts';
import { type DayState, isCovered } from '../days/day-state.ts';
import { type Figures, UNATTRIBUTED } from './fold.ts';
import type { Freshness } from './freshness.ts';
import { addUp, type Metrics, type SumsByKey, toMetrics } from './metrics.ts';
import type { Analytics, Keyed, SeriesDay } from './model.ts';
import { productType } from './product-types.ts';
import type { WindowFigures } from './sales-figures.ts';
import type { Window } from './window.ts';

const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' });

export function countryLabel(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? code) : 'Unknown';
}

type AppLabel = Pick<StoreAppName, 'name' | 'bundleId' | 'appId'>;

export type ReadInput = WindowFigures & {
  window: Window;
  currency: string;
  freshness: Freshness;
  connected: boolean;
  states: ReadonlyMap<string, DayState>;
  apps: ReadonlyMap<string, AppLabel>;
};

const KIND_LABELS: Readonly<Record<string, string>> = {
  app: 'Apps',
  iap: 'In-app purchases',
  subscription: 'Subscriptions',
  other: 'Other',
};
function ranked<T extends Metrics>(rows: T[], name: (row: T) => string): T[] {
  return rows.toSorted(
    (a, b) =>
      b.proceedsMinor - a.proceedsMinor ||
      b.downloads - a.downloads ||
      (name(a) < name(b) ? -1 : Number(name(a) > name(b))),
  );
}

function keyed(byKey: SumsByKey, label: (key: string) => string): Keyed[] {
  const rows = [...byKey].map(([key, sums]) => ({ ...toMetrics(sums), key, label: label(key) }));
  return ranked(rows, ({ key }) => key);
}

const byCurrency = <T>(money: Map<string, number>, row: (currency: string, minor: number) => T) =>
  [...money].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([code, minor]) => row(code, minor));
const proceeds = (currency: string, proceedsMinor: number) => ({ currency, proceedsMinor });
const spend = (currency: string, customerSpendMinor: number) => ({ currency, customerSpendMinor });

function toLabel(id: string, { titles }: Figures, apps: ReadInput['apps']): AppLabel {
  const app = apps.get(id);
  const title = id === UNATTRIBUTED ? 'Not attributed to an app' : (titles.get(id) ?? id);
  return { name: app?.name || title, bundleId: app?.bundleId ?? '', appId: app?.appId ?? null };
}

function breakdowns(figures: Figures, apps: ReadInput['apps']) {
  return {
    byApp: keyed(figures.apps, (key) => toLabel(key, figures, apps).name).map((row) => ({
      ...row,
      storeAppId: row.key,
      unconverted: byCurrency(figures.unconvertedByApp.get(row.key) ?? new Map(), proceeds),
      ...toLabel(row.key, figures, apps),
    })),
    byCountry: keyed(figures.countries, countryLabel),
    byDevice: keyed(figures.devices, (key) => (key === 'unknown' ? 'Unknown' : key)),
    byKind: keyed(figures.kinds, (key) => KIND_LABELS[key] ?? key),
    byProductType: keyed(figures.productTypes, (key) => productType(key).label),
    products: ranked(
      [...figures.products.values()].map(({ sums, storeAppId, sku, title, kind, storeId }) => ({
        ...toMetrics(sums),
        storeAppId,
        sku: sku || storeId,
        title,
        kind,
      })),
      ({ storeAppId, sku }) => `${storeAppId} ${sku}`,
    ),
    currencies: byCurrency(figures.currencies, proceeds),
    unconverted: byCurrency(figures.unconverted, proceeds),
    unconvertedSpend: byCurrency(figures.unconvertedSpend, spend),
    daysMissingRates: figures.daysMissingRates.size,
  };
}

function findMissing(days: readonly string[], figures: Figures, states: ReadInput['states']) {
  return {
    days: days.filter((day) => !isCovered(states.get(day))),
    unconverted: byCurrency(figures.unconverted, proceeds),
    unconvertedSpend: byCurrency(figures.unconvertedSpend, spend),
  };
}

export function readModel(input: ReadInput): Analytics {
  const { window, current, previous, apps, freshness, states } = input;
  const days = eachDay(window.from, window.to);
  const daysBefore = eachDay(window.previousFrom, window.previousTo);
  const previousMissing = findMissing(daysBefore, previous, states);
  const seriesDay = (day: string, byApp: SumsByKey | undefined): SeriesDay => ({
    ...toMetrics(addUp(byApp)),
    day,
    covered: isCovered(states.get(day)),
  });
  return {
    window,
    currency: input.currency,
    freshness,
    totals: toMetrics(addUp(current.apps)),
    missing: findMissing(days, current, states),
    previous: toMetrics(addUp(previous.apps)),
    previousMissing,
    isComparable: 2 * previousMissing.days.length < daysBefore.length,
    yesterday: input.connected ? seriesDay(freshness.yesterday, input.yesterday) : null,
    series: days.map((day) => seriesDay(day, current.days.get(day))),
    seriesByApp: days.flatMap((day) =>
      [...(current.days.get(day) ?? [])].map(([storeAppId, sums]) => ({
        ...toMetrics(sums),
        day,
        storeAppId,
      })),
    ),
    previousByApp: keyed(previous.apps, (key) => toLabel(key, previous, apps).name),
    ...breakdowns(current, apps),
  };
}
