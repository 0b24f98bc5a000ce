import { productType } from '../../../providers/store/report/product-types.ts';
import { daysOf } from '../../../shared/pacific.ts';
import { type DayState, isCovered } from '../collection/day-state.ts';
import { UNATTRIBUTED } from './fold.ts';
import type { Freshness } from './freshness.ts';
import { type Metrics, noSums, toMetrics } from './metrics.ts';
import type { Analytics, ByApp, Keyed, Money, SeriesDay, Spend } from './model.ts';
import { type DayPartial, sumPartials } from './partial.ts';
import type { Window } from './window.ts';

/** What is known of a store app beside its figures. */
export type AppLabel = { name: string; bundleId: string; appId: string | null };

export type ReadInput = {
  window: Window;
  currency: string;
  freshness: Freshness;
  connected: boolean;
  states: ReadonlyMap<string, DayState>;
  /** Days with rows, of the window, the previous one and yesterday. */
  partials: ReadonlyMap<string, DayPartial>;
  apps: ReadonlyMap<string, AppLabel>;
};

const KIND_LABELS: Readonly<Record<string, string>> = {
  app: 'Apps',
  iap: 'In-app purchases',
  subscription: 'Subscriptions',
  other: 'Other',
};
const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' });

function countryLabel(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? code) : 'Unknown';
}

/** Most money first, then most downloads, then by name, so that the order is always the same. */
function ranked<T extends Metrics>(rows: T[], name: (row: T) => string): T[] {
  return rows.toSorted(
    (a, b) =>
      b.proceedsMinor - a.proceedsMinor ||
      b.downloads - a.downloads ||
      (name(a) < name(b) ? -1 : Number(name(a) > name(b))),
  );
}

function keyed(by: Record<string, number[]>, label: (key: string) => string): Keyed[] {
  const rows = Object.entries(by).map(([key, sums]) => ({
    ...toMetrics(sums),
    key,
    label: label(key),
  }));
  return ranked(rows, ({ key }) => key);
}

const byCurrency = (by: Record<string, number>): [string, number][] =>
  Object.entries(by).toSorted(([a], [b]) => (a < b ? -1 : 1));
const money = (by: Record<string, number>): Money[] =>
  byCurrency(by).map(([currency, proceedsMinor]) => ({ currency, proceedsMinor }));
const spend = (by: Record<string, number>): Spend[] =>
  byCurrency(by).map(([currency, customerSpendMinor]) => ({ currency, customerSpendMinor }));

const missesRates = ({ unconverted, unconvertedSpend }: DayPartial): boolean =>
  Object.keys(unconverted).length > 0 || Object.keys(unconvertedSpend).length > 0;

function labelOf(id: string, sum: DayPartial, apps: ReadInput['apps']): AppLabel {
  const known = apps.get(id);
  const title = id === UNATTRIBUTED ? 'Not attributed to an app' : (sum.titles[id] ?? id);
  return {
    name: known?.name || title,
    bundleId: known?.bundleId ?? '',
    appId: known?.appId ?? null,
  };
}

function byApp(sum: DayPartial, apps: ReadInput['apps']): ByApp[] {
  const rows = Object.entries(sum.apps).map(([key, sums]) => {
    const label = labelOf(key, sum, apps);
    return { ...toMetrics(sums), key, label: label.name, storeAppId: key, ...label };
  });
  return ranked(rows, ({ key }) => key);
}

function seriesDay(input: ReadInput, day: string): SeriesDay {
  return {
    ...toMetrics(input.partials.get(day)?.totals ?? noSums()),
    day,
    covered: isCovered(input.states.get(day)),
  };
}

function breakdowns(sum: DayPartial) {
  return {
    byCountry: keyed(sum.countries, countryLabel),
    byDevice: keyed(sum.devices, (key) => (key === 'unknown' ? 'Unknown' : key)),
    byKind: keyed(sum.kinds, (key) => KIND_LABELS[key] ?? key),
    byProductType: keyed(sum.productTypes, (key) => productType(key).label),
    products: ranked(
      sum.products.map(({ sums, storeAppId, sku, title, kind, storeId }) => ({
        ...toMetrics(sums),
        storeAppId,
        sku: sku || storeId,
        title,
        kind,
      })),
      ({ storeAppId, sku }) => `${storeAppId} ${sku}`,
    ),
    currencies: money(sum.currencies),
    unconverted: money(sum.unconverted),
    unconvertedSpend: spend(sum.unconvertedSpend),
  };
}

/** The read model of the contract, out of the sums of its days. */
export function readModel(input: ReadInput): Analytics {
  const { window, partials, apps, freshness } = input;
  const days = daysOf(window.from, window.to);
  const daysPresent = (from: string, to: string) =>
    daysOf(from, to)
      .toReversed()
      .map((day) => partials.get(day))
      .filter((partial) => partial !== undefined);
  const inWindow = daysPresent(window.from, window.to);
  const sum = sumPartials(inWindow);
  const previous = sumPartials(daysPresent(window.previousFrom, window.previousTo));
  return {
    window,
    currency: input.currency,
    freshness,
    totals: toMetrics(sum.totals),
    previous: toMetrics(previous.totals),
    yesterday: input.connected ? seriesDay(input, freshness.yesterday) : null,
    series: days.map((day) => seriesDay(input, day)),
    seriesByApp: days.flatMap((day) =>
      Object.entries(partials.get(day)?.apps ?? {}).map(([storeAppId, sums]) => ({
        ...toMetrics(sums),
        day,
        storeAppId,
      })),
    ),
    byApp: byApp(sum, apps),
    previousByApp: keyed(previous.apps, (key) => labelOf(key, previous, apps).name),
    ...breakdowns(sum),
    daysMissingRates: inWindow.filter(missesRates).length,
  };
}
