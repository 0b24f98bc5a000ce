import { type Body, iso, productOrder } from './answers.ts';
import { nextNumber, type Scene, type Void } from './subscription.ts';

export type ProductOptions = {
  start: number;
  productId: string;
  quantity: number;
  milliunits: number;
  country: string;
  currency: string;
  isTest: boolean;
  /** By a promo code: without an order. */
  isPromo: boolean;
  isPending: boolean;
};

export const PRODUCT_ACTIONS = ['pay', 'lapse', 'consume', 'void', 'voidOne'] as const;
export type ProductAction = (typeof PRODUCT_ACTIONS)[number];

/** Within which the app hands its purchases over. */
const HANDOVER = 61 * 60_000;

/** A one-time purchase, as Google Play itself has it. */
export class GoogleProduct {
  now: number;
  state: 'PENDING' | 'PURCHASED' | 'CANCELLED';
  isConsumed = false;
  boughtAt: number | null = null;
  voidedAt: number | null = null;
  readonly token = `token-${nextNumber()}`;
  readonly orderId = `GPA.3300-4000-5000-${nextNumber()}`;
  readonly scenes: Scene[] = [];
  readonly orders = new Map<string, Body>();
  readonly voids: Void[] = [];

  constructor(readonly options: ProductOptions) {
    this.now = options.start;
    this.state = options.isPending ? 'PENDING' : 'PURCHASED';
    if (!options.isPending) this.own();
    this.tell();
  }

  /** The price of all of them. */
  get milliunits(): number {
    return this.options.milliunits * this.options.quantity;
  }

  private own(): void {
    this.boughtAt = this.now;
    if (this.options.isPromo) return;
    const { productId, country, currency, quantity, milliunits } = this.options;
    const about = { orderId: this.orderId, purchaseToken: this.token, at: this.now, productId };
    const paid = { milliunits: this.milliunits, listed: milliunits, country, currency };
    this.orders.set(this.orderId, productOrder({ ...about, ...paid }, quantity));
  }

  private tell(): void {
    const { productId, quantity, country, isTest } = this.options;
    const consumed = this.isConsumed ? 'CONSUMED' : 'YET_TO_BE_CONSUMED';
    const answer = {
      kind: 'androidpublisher#productPurchaseV2',
      regionCode: country,
      ...(this.boughtAt !== null && { purchaseCompletionTime: iso(this.boughtAt) }),
      ...(this.orders.has(this.orderId) && { orderId: this.orderId }),
      purchaseStateContext: { purchaseState: this.state },
      acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PENDING',
      ...(isTest && { testPurchaseContext: { fopType: 'TEST' } }),
      productLineItem: [
        {
          productId,
          productOfferDetails: {
            consumptionState: `CONSUMPTION_STATE_${consumed}`,
            ...(quantity > 1 && { quantity }),
          },
        },
      ],
    };
    const { token } = this;
    const answers = new Map([[token, answer]]);
    this.scenes.push({ at: this.now, told: token, answers, current: token });
  }

  act(action: ProductAction, waitMs: number): void {
    this.now += HANDOVER + waitMs;
    this[action]();
  }

  private pay(): void {
    if (this.state !== 'PENDING') return;
    this.state = 'PURCHASED';
    this.own();
    this.tell();
  }

  private lapse(): void {
    if (this.state !== 'PENDING') return;
    this.state = 'CANCELLED';
    this.tell();
  }

  private get isHeld(): boolean {
    return this.state === 'PURCHASED' && this.voidedAt === null;
  }

  private consume(): void {
    if (!this.isHeld) return;
    this.isConsumed = true;
    this.tell();
  }

  private void(quantity?: number): void {
    if (!this.isHeld || this.options.isPromo) return;
    const voidedTimeMillis = String(this.now);
    const row = { purchaseToken: this.token, orderId: this.orderId, voidedTimeMillis };
    const part = quantity === undefined ? {} : { voidedQuantity: quantity };
    this.voids.push({ at: this.now, row: { ...row, voidedSource: 0, voidedReason: 1, ...part } });
    if (quantity !== undefined) return;
    this.voidedAt = this.now;
    // As often as not Google goes on to answer that it is owned.
    if (this.now % 120_000 === 0) return;
    this.state = 'CANCELLED';
    this.tell();
  }

  /** Of several: the rest stays owned. */
  private voidOne(): void {
    if (this.options.quantity > 1) this.void(1);
  }
}
