import { at } from '../../../shared/assert.ts';
import { DAY_MS } from '../../../shared/time.ts';
import { toStores } from '../overview/terms.ts';
import type { PurchaseRevenue, RevenueFigures } from './model.ts';
import { SALE_KINDS } from './sales.ts';
import { noSums, type OwnSums, type RevenueTally, type Sums } from './tally.ts';
import { dayIn, type RevenueWindow } from './window.ts';

/** `+ 0` removes a negative zero. */
export function toFigures(sums: Sums): RevenueFigures {
  const { purchases, gross, sinceCount, since, refundCount, refunds, proceeds } = sums;
  const isUnknown = proceeds === 0 && sums.withoutShare !== 0;
  return {
    purchases,
    grossMinor: gross,
    refunds: {
      byPurchaseDay: { count: sinceCount, amountMinor: since },
      byRefundDay: { count: refundCount, amountMinor: refunds },
    },
    netMinor: gross - refunds,
    proceedsMinor: isUnknown ? null : proceeds + 0,
    withoutShareMinor: sums.withoutShare + 0,
  };
}

function ranked<T>(parts: ReadonlyMap<string, Sums>, row: (name: string) => T) {
  return [...parts]
    .toSorted(([a, x], [b, y]) => y.gross - y.refunds - (x.gross - x.refunds) || (a < b ? -1 : 1))
    .map(([name, sums]) => ({ ...row(name), ...toFigures(sums) }));
}

const toCurrencies = (sums: ReadonlyMap<string, OwnSums>) =>
  [...sums]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, { purchases, gross, refundCount, refunds }]) => ({
      currency,
      purchases,
      grossMinor: gross,
      refunds: { count: refundCount, amountMinor: refunds },
    }));

/** A day before the end is its last, also of 23 hours. */
export const lastDay = (endMs: number, timezone: string) => dayIn(endMs - DAY_MS / 4, timezone);

export function toPoints(tally: RevenueTally, { boundariesMs, timezone, nowMs }: RevenueWindow) {
  return tally.points.map((sums, index) => {
    const endMs = at(boundariesMs, index + 1);
    return {
      from: dayIn(at(boundariesMs, index), timezone),
      to: lastDay(endMs, timezone),
      isComplete: endMs <= nowMs,
      ...toFigures(sums),
    };
  });
}

type Counted = Pick<
  PurchaseRevenue,
  | 'byCountry'
  | 'byKind'
  | 'byOffer'
  | 'byProduct'
  | 'byStore'
  | 'currencies'
  | 'points'
  | 'totals'
  | 'unconverted'
  | 'withoutPrice'
>;

export function toRevenue(tally: RevenueTally, window: RevenueWindow): Counted {
  const { parts } = tally;
  return {
    totals: toFigures(tally.total),
    points: toPoints(tally, window),
    byProduct: ranked(parts.product, (productId) => ({ productId })),
    byCountry: ranked(parts.country, (country) => ({ country })),
    byOffer: ranked(parts.offer, (offer) => ({ offer })),
    byKind: SALE_KINDS.map((kind) => ({ kind, ...toFigures(parts.kind.get(kind) ?? noSums()) })),
    ...toStores(tally.stores, toFigures),
    currencies: toCurrencies(tally.currencies),
    unconverted: toCurrencies(tally.unconverted),
    withoutPrice: tally.withoutPrice,
  };
}
