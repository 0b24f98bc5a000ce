import { STORE_FACTS, type Store, STORES } from '../../../shared/stores.ts';
import { isReal, type StoreEnvironment } from '../../../shared/environment.ts';
import { countryOfStorefront } from '../../../shared/storefront.ts';
import type { readSubscriptionTerms } from '../../sales/index.ts';
import type { Sold } from './chain.ts';
import * as periods from './period-length.ts';

/** None where all of it is of the store whose reports are read. */
export function toStores<Part, Row>(
  parts: ReadonlyMap<string, Part>,
  toRow: (part: Part) => Row,
): { byStore?: (Row & { store: Store })[] } {
  if (STORES.every((store) => isReported(store) || !parts.has(store))) return {};
  const byStore = STORES.flatMap((store) => {
    const part = parts.get(store);
    return part ? [{ ...toRow(part), store }] : [];
  });
  return { byStore };
}

/** Left out: both. */
export const isReported = (store: Store | undefined): boolean =>
  store === undefined || STORE_FACTS[store].reportsTerms;

type Reported = Awaited<ReturnType<typeof readSubscriptionTerms>>;

export const NO_PROCEEDS = [
  'sandbox',
  'store_not_connected',
  'app_not_linked',
  'no_report',
  'not_in_reports',
] as const;
export type NoProceeds = (typeof NO_PROCEEDS)[number];

export type Terms = {
  missing: NoProceeds | null;
  lengthOf: (productId: string) => periods.PeriodLength | null;
  commonLengthOf: (productId: string, billedMonthly: boolean) => periods.PeriodLength | null;
  shareOf: (sold: Pick<Sold, 'country' | 'currency' | 'productId'>) => number | null;
};

export const NO_TERMS: Terms = {
  missing: 'no_report',
  lengthOf: () => null,
  commonLengthOf: () => null,
  shareOf: () => null,
};

/** The sandbox has no payouts, but the products of the reports. */
export function toTerms(
  reported: Reported,
  counts: readonly periods.LengthCount[],
  environment: StoreEnvironment,
): Terms {
  const lengths = new Map<string, periods.PeriodLength | null>();
  return {
    missing: isReal(environment) ? reported.missing : 'sandbox',
    lengthOf: (productId) => {
      const known = lengths.get(productId);
      if (known !== undefined) return known;
      const length = periods.lengthOfReport(reported.durationOf(productId));
      lengths.set(productId, length);
      return length;
    },
    commonLengthOf: periods.commonLengths(counts),
    shareOf: ({ productId, country, currency }) => {
      const land = countryOfStorefront(country);
      return land === null || currency === null || !isReal(environment)
        ? null
        : reported.shareOf(productId, land, currency);
    },
  };
}
