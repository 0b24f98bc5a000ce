import { at } from '../../../shared/assert.ts';
import { type Store, STORES } from '../../../shared/stores.ts';
import type { PackedFold } from '../overview/pack.ts';
import type { PackedReader } from '../overview/packed-reader.ts';
import { isReported, type Terms } from '../overview/terms.ts';
import type { Amounts, Valued } from './amounts.ts';
import { SALE_KINDS, type SaleKind, SaleReader } from './sales.ts';
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
  shareOf: Terms['shareOf'];
  filters: Filters;
};

type Amounted = { gross: number; refund: number };
const NO_AMOUNT: Amounted = { gross: 0, refund: 0 };

/** Goods of a sale: the next one of a chain is often of the same. */
type Goods = Parts & {
  currency: string | null;
  store: Store;
  isAsked: boolean;
  share: number | null;
  /** Their places in the counts, from the first sale within the window. */
  sums: readonly Sums[] | null;
};

function addNet(sums: Sums, net: number, share: number | null): void {
  if (share === null) sums.withoutShare += net;
  else sums.proceeds += Math.round(net * share);
}

function addBought(sums: Sums, { gross, refund }: Amounted, isRefunded: boolean): void {
  sums.purchases += 1;
  sums.gross += gross;
  if (!isRefunded) return;
  sums.sinceCount += 1;
  sums.since += refund;
}

function addRefund(sums: Sums | OwnSums, { refund }: Amounted): void {
  sums.refundCount += 1;
  sums.refunds += refund;
}

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
  private readonly reader = new SaleReader();
  private goods: Goods | null = null;

  constructor(private readonly input: TallyInput) {
    this.points = Array.from({ length: input.boundariesMs.length - 1 }, noSums);
    this.storeDays = Array.from({ length: Math.max(0, input.storeDaysMs.length - 1) }, () => {
      return new Map<string, number>();
    });
  }

  addChain(packed: PackedFold, store: Store): void {
    const { reader } = this;
    reader.open(packed);
    while (reader.next()) this.addSale(reader.sold, reader.kind, store);
  }

  reportedNet(): number {
    const reported = STORES.filter(isReported).map((store) => this.stores.get(store) ?? noSums());
    return reported.reduce((net, { gross, refunds }) => net + gross - refunds, 0);
  }

  private addSale(sold: PackedReader, kind: SaleKind, store: Store): void {
    const { refundedAt } = sold;
    const bought = this.pointAt(sold.purchasedAt);
    const given = refundedAt === null ? null : this.pointAt(refundedAt);
    const isCompared = isReported(store) && this.input.storeDaysMs.length > 0;
    if (!bought && !given && !isCompared) return;
    const goods = this.goodsOf(sold, kind, store);
    if (!goods.isAsked) return;
    const valued = this.input.amounts(sold);
    if (isCompared) this.addStoreDays(sold, valued);
    if (bought) this.addBought(goods, bought, valued, refundedAt !== null);
    if (given) this.addRefund(goods, given, valued);
  }

  private goodsOf(sold: PackedReader, kind: SaleKind, store: Store): Goods {
    const { currency, productId: product } = sold;
    const country = sold.country ?? NO_COUNTRY;
    const offer = sold.offer ?? NO_OFFER;
    const last = this.goods;
    const isSame =
      last?.product === product &&
      last.kind === kind &&
      last.country === country &&
      last.currency === currency &&
      last.offer === offer &&
      last.store === store;
    if (isSame) return last;
    const parts = { product, country, offer, kind };
    const { filters, shareOf } = this.input;
    const isAsked = DIMENSIONS.every(
      (name) => filters[name] === undefined || filters[name] === parts[name],
    );
    const share = isReported(store) ? shareOf(sold) : null;
    this.goods = { ...parts, currency, store, isAsked, share, sums: null };
    return this.goods;
  }

  private sumsOf(goods: Goods): readonly Sums[] {
    goods.sums ??= [
      this.total,
      this.ofStore(goods.store),
      ...DIMENSIONS.map((name) => sumsIn(this.parts[name], goods[name], noSums)),
    ];
    return goods.sums;
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

  private addBought(goods: Goods, point: Sums, valued: Valued, isRefunded: boolean): void {
    const { converted, own } = valued;
    const amount = converted ?? NO_AMOUNT;
    addBought(point, amount, isRefunded);
    for (const sums of this.sumsOf(goods)) addBought(sums, amount, isRefunded);
    this.addNet(goods, point, amount.gross);
    if (!own) this.withoutPrice += 1;
    for (const sums of this.ownSums(valued)) {
      sums.purchases += 1;
      sums.gross += own?.gross ?? 0;
    }
  }

  private addRefund(goods: Goods, point: Sums, valued: Valued): void {
    const { converted, own } = valued;
    const amount = converted ?? NO_AMOUNT;
    addRefund(point, amount);
    for (const sums of this.sumsOf(goods)) addRefund(sums, amount);
    this.addNet(goods, point, -amount.refund);
    if (own) for (const sums of this.ownSums(valued)) addRefund(sums, own);
  }

  private addNet(goods: Goods, point: Sums, net: number): void {
    if (net === 0) return;
    addNet(point, net, goods.share);
    for (const sums of this.sumsOf(goods)) addNet(sums, net, goods.share);
  }

  private ownSums({ own, converted }: Valued): OwnSums[] {
    if (!own) return [];
    const all = sumsIn(this.currencies, own.currency, noOwn);
    return converted ? [all] : [all, sumsIn(this.unconverted, own.currency, noOwn)];
  }

  private addStoreDays(sold: PackedReader, { converted }: Valued): void {
    if (!converted) return;
    const { productId, purchasedAt, refundedAt } = sold;
    this.addStoreDay(productId, purchasedAt, converted.gross);
    if (refundedAt !== null) this.addStoreDay(productId, refundedAt, -converted.refund);
  }

  private addStoreDay(productId: string, ms: number, minor: number): void {
    const index = intervalOf(this.input.storeDaysMs, ms);
    if (index < 0 || index >= this.storeDays.length) return;
    const day = at(this.storeDays, index);
    day.set(productId, (day.get(productId) ?? 0) + minor);
  }
}
