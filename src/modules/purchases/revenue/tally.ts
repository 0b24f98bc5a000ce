import { at } from '../../../shared/assert.ts';
import type { Store } from '../../../shared/purchase.ts';
import type { Sold } from '../overview/chain.ts';
import { isReported, REPORTED } from '../overview/terms.ts';
import type { Amounts, Valued } from './amounts.ts';
import { type Sale, SALE_KINDS, type SaleKind } from './sales.ts';
import { intervalOf } from './window.ts';

/** Minor units; `since` are refunds of what was bought here, `refunds` those given back here. */
export type Sums = {
  purchases: number;
  gross: number;
  sinceCount: number;
  since: number;
  refundCount: number;
  refunds: number;
  proceeds: number;
  /** Net money without a reported share. */
  withoutShare: number;
};
export const noSums = (): Sums => ({
  ...{ purchases: 0, gross: 0, sinceCount: 0, since: 0, refundCount: 0, refunds: 0 },
  ...{ proceeds: 0, withoutShare: 0 },
});

export type OwnSums = Pick<Sums, 'gross' | 'purchases' | 'refundCount' | 'refunds'>;
const noOwn = (): OwnSums => ({ purchases: 0, gross: 0, refundCount: 0, refunds: 0 });

export const NO_OFFER = 'none';
export const NO_COUNTRY = 'unknown';
export const OTHER = 'other';
const MAX_PARTS = 5_000;

export const DIMENSIONS = ['product', 'country', 'offer', 'kind'] as const;
export type DimensionName = (typeof DIMENSIONS)[number];
export type Parts = Record<DimensionName, string>;

export const partsOf = ({ sold, kind }: { sold: Sold; kind: SaleKind }): Parts => ({
  product: sold.productId,
  country: sold.country ?? NO_COUNTRY,
  offer: sold.offer ?? NO_OFFER,
  kind,
});

export type Filters = Partial<Parts>;

function sumsIn<T>(parts: Map<string, T>, name: string, make: () => T): T {
  const key = parts.has(name) || parts.size < MAX_PARTS ? name : OTHER;
  const known = parts.get(key) ?? make();
  parts.set(key, known);
  return known;
}

export type TallyInput = {
  boundariesMs: readonly number[];
  /** Bounds of Pacific days, for what the store reports. */
  storeDaysMs: readonly number[];
  amounts: Amounts;
  shareOf: (sold: Sold) => number | null;
  filters: Filters;
};

type Counted = { sold: Sold; store: Store; valued: Valued };

export class RevenueTally {
  readonly total = noSums();
  readonly points: Sums[];
  readonly parts = {
    product: new Map<string, Sums>(),
    country: new Map<string, Sums>(),
    offer: new Map<string, Sums>(),
    kind: new Map<string, Sums>(SALE_KINDS.map((kind) => [kind, noSums()])),
  };
  readonly stores = new Map<Store, Sums>();
  readonly currencies = new Map<string, OwnSums>();
  readonly unconverted = new Map<string, OwnSums>();
  withoutPrice = 0;
  /** Net by the store's day and product. */
  readonly storeDays: Map<string, number>[];

  constructor(private readonly input: TallyInput) {
    this.points = Array.from({ length: input.boundariesMs.length - 1 }, noSums);
    this.storeDays = Array.from({ length: Math.max(0, input.storeDaysMs.length - 1) }, () => {
      return new Map<string, number>();
    });
  }

  addSales(sales: readonly Sale[], store: Store): void {
    for (const sale of sales) this.addSale(sale, store);
  }

  /** Of the store whose reports stand beside it. */
  reportedNet(): number {
    const { gross, refunds } = this.stores.get(REPORTED) ?? noSums();
    return gross - refunds;
  }

  private isAsked(parts: Parts): boolean {
    const { filters } = this.input;
    return DIMENSIONS.every((name) => filters[name] === undefined || filters[name] === parts[name]);
  }

  private addSale(sale: Sale, store: Store): void {
    const { sold, refundedAt } = sale;
    const bought = this.pointAt(sold.purchasedAt);
    const given = refundedAt === null ? null : this.pointAt(refundedAt);
    const isCompared = isReported(store) && this.input.storeDaysMs.length > 0;
    if (!bought && !given && !isCompared) return;
    const parts = partsOf(sale);
    if (!this.isAsked(parts)) return;
    const valued = this.input.amounts(sold);
    if (isCompared) this.addStoreDays(sale, valued);
    if (!bought && !given) return;
    const into = DIMENSIONS.map((name) => sumsIn(this.parts[name], parts[name], noSums));
    into.push(this.ofStore(store));
    const counted = { sold, store, valued };
    if (bought) this.addBought([this.total, bought, ...into], counted, refundedAt);
    if (given) this.addRefund([this.total, given, ...into], counted);
    if (!valued.own && bought) this.withoutPrice += 1;
  }

  private ofStore(store: Store): Sums {
    const known = this.stores.get(store) ?? noSums();
    this.stores.set(store, known);
    return known;
  }

  private pointAt(ms: number): Sums | null {
    const { boundariesMs } = this.input;
    const index = intervalOf(boundariesMs, ms);
    return index < 0 || index >= this.points.length ? null : at(this.points, index);
  }

  private addBought(into: readonly Sums[], counted: Counted, refundedAt: number | null): void {
    const { valued } = counted;
    const { gross = 0, refund = 0 } = valued.converted ?? {};
    for (const sums of into) {
      sums.purchases += 1;
      sums.gross += gross;
      if (refundedAt === null) continue;
      sums.sinceCount += 1;
      sums.since += refund;
    }
    this.addProceeds(into, counted, gross);
    for (const own of this.ownSums(valued)) {
      own.purchases += 1;
      own.gross += valued.own?.gross ?? 0;
    }
  }

  private addRefund(into: readonly Sums[], counted: Counted): void {
    const { valued } = counted;
    const { refund = 0 } = valued.converted ?? {};
    for (const sums of into) {
      sums.refundCount += 1;
      sums.refunds += refund;
    }
    this.addProceeds(into, counted, -refund);
    for (const own of this.ownSums(valued)) {
      own.refundCount += 1;
      own.refunds += valued.own?.refund ?? 0;
    }
  }

  private ownSums({ own, converted }: Valued): OwnSums[] {
    if (!own) return [];
    const all = sumsIn(this.currencies, own.currency, noOwn);
    return converted ? [all] : [all, sumsIn(this.unconverted, own.currency, noOwn)];
  }

  private addProceeds(into: readonly Sums[], { sold, store }: Counted, net: number): void {
    if (net === 0) return;
    const share = isReported(store) ? this.input.shareOf(sold) : null;
    for (const sums of into) {
      if (share === null) sums.withoutShare += net;
      else sums.proceeds += Math.round(net * share);
    }
  }

  private addStoreDays({ sold, refundedAt }: Sale, { converted }: Valued): void {
    if (!converted) return;
    this.addStoreDay(sold, sold.purchasedAt, converted.gross);
    if (refundedAt !== null) this.addStoreDay(sold, refundedAt, -converted.refund);
  }

  private addStoreDay({ productId }: Sold, ms: number, minor: number): void {
    const index = intervalOf(this.input.storeDaysMs, ms);
    if (index < 0 || index >= this.storeDays.length) return;
    const day = at(this.storeDays, index);
    day.set(productId, (day.get(productId) ?? 0) + minor);
  }
}
