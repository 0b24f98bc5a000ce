import {
  type Body,
  contextOf,
  iso,
  money,
  OFFER_PHASES,
  pendingPurchase,
  type Phase,
  type Plan,
  type State,
  subscriptionOrder,
} from './answers.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const GRACE = 7 * DAY;
const TRIAL = 7 * DAY;

export const PLANS = {
  weekly: {
    ...{ productId: 'basic', basePlanId: 'weekly', period: 'P1W' },
    ...{ lengthMs: 7 * DAY, milliunits: 2_990 },
  },
  monthly: {
    ...{ productId: 'pro', basePlanId: 'monthly', period: 'P1M' },
    ...{ lengthMs: 30 * DAY, milliunits: 9_990 },
  },
  yearly: {
    ...{ productId: 'max', basePlanId: 'yearly', period: 'P1Y' },
    ...{ lengthMs: 365 * DAY, milliunits: 59_990 },
  },
} satisfies Readonly<Record<string, Plan>>;
export const ADD_ON: Plan = {
  ...{ productId: 'extra', basePlanId: 'addon', lengthMs: 0, period: 'P1M', milliunits: 1_990 },
};
export const PLAN_NAMES = ['weekly', 'monthly', 'yearly'] as const;

/** A paid period. */
export type Paid = {
  orderId: string;
  productId: string;
  from: number;
  /** Without the time that Google gives while it waits for the money. */
  to: number;
  graceTo: number | null;
  /** On the day of the charge. */
  paidAt: number;
  milliunits: number;
  /** Of a whole period. */
  listed: number;
  isTrial: boolean;
  /** With the purchase. */
  refundedAt: number | null;
  /** Money only. */
  givenBack: { at: number; milliunits: number } | null;
  token: string;
};

/** From then on Google answers so about each token. */
export type Scene = {
  at: number;
  told: string;
  answers: ReadonlyMap<string, Body>;
  /** Of the purchase in force. */
  current: string;
};
export type Void = { at: number; row: Body };

export type Options = {
  start: number;
  plan: (typeof PLAN_NAMES)[number];
  beginning: 'paid' | 'trial' | 'pending';
  isTest: boolean;
  isPrepaid: boolean;
  /** Payments that its customer is committed to; 0 of none. */
  commitment: number;
  country: string;
  currency: string;
};

let numbers = 0;
export const nextNumber = (): string => {
  numbers += 1;
  return String(numbers).padStart(5, '0');
};
/** The same life has the same names. */
export const restartNumbers = (): void => {
  numbers = 0;
};
/** Now this, now that. */
export const isOdd = (): boolean => numbers % 2 === 1;
const newToken = () => `token-${nextNumber()}`;

/**
 * One subscription as Google Play itself has it. Every action moves its clock, changes its state and
 * says what Google answers from then on; one that makes no sense now does nothing.
 */
export class SubscriptionState {
  now: number;
  state: State = 'PENDING';
  token = newToken();
  autoRenew: boolean;
  expiry = 0;
  plan: Plan;
  isRefunded = false;
  readonly scenes: Scene[] = [];
  readonly periods: Paid[] = [];
  readonly orders = new Map<string, Body>();
  /** As they were. */
  readonly orderLog: { at: number; orderId: string; body: Body }[] = [];
  readonly voids: Void[] = [];
  /** Renews with the plan. */
  addOn: { orderId: string; isLeaving: boolean; phase: Phase } | null = null;
  readonly addOns: Paid[] = [];
  protected readonly olds = new Map<string, Body>();
  protected linked: string | null = null;
  protected pending: { token: string; plan: Plan } | null = null;
  protected deferred: Plan | null = null;
  protected isCancellationPending = false;
  private replacement: Body | null | '' = null;
  protected milliunits: number;
  private startedAt: number;
  private order = { base: '', renewals: -1, id: '' };
  private phase: Phase = 'base';

  constructor(readonly options: Options) {
    this.now = options.start;
    this.startedAt = options.start;
    this.plan = PLANS[options.plan];
    this.milliunits = this.plan.milliunits;
    this.autoRenew = !options.isPrepaid;
    if (options.beginning === 'pending') this.tell();
    else this.begin(options.beginning === 'trial' && !options.isPrepaid);
  }

  get newest(): Paid | null {
    return this.periods.at(-1) ?? null;
  }

  protected setOrder(orderId: string, body: Body): void {
    this.orders.set(orderId, body);
    this.orderLog.push({ at: this.now, orderId, body });
  }

  protected begin(isTrial: boolean): void {
    this.state = 'ACTIVE';
    this.startedAt = this.now;
    this.newOrder();
    this.buy({
      from: this.now,
      lasts: isTrial ? TRIAL : this.plan.lengthMs,
      phase: isTrial ? 'trial' : 'base',
    });
    this.tell();
  }

  protected newOrder(): void {
    const base = `GPA.3300-1000-2000-${nextNumber()}`;
    this.order = { base, renewals: -1, id: base };
  }

  protected nextOrder(): void {
    const renewals = this.order.renewals + 1;
    this.order = { ...this.order, renewals, id: `${this.order.base}..${renewals}` };
  }

  protected buy({
    from,
    lasts = this.plan.lengthMs,
    phase = 'base',
    milliunits = this.milliunits,
  }: {
    from: number;
    lasts?: number;
    phase?: Phase;
    milliunits?: number;
  }): void {
    const { id: orderId } = this.order;
    const { token, milliunits: listed } = this;
    const { productId, basePlanId } = this.plan;
    const { country, currency } = this.options;
    const isTrial = phase === 'trial' || phase === 'trialProration';
    const [paid, to] = [isTrial ? 0 : milliunits, from + lasts];
    this.expiry = to;
    this.phase = phase;
    this.periods.push({
      ...{ orderId, productId, from, to, graceTo: null, paidAt: this.now, token, listed },
      ...{ milliunits: paid, isTrial, refundedAt: null, givenBack: null },
    });
    const about = { orderId, purchaseToken: token, at: this.now, productId };
    const order = { ...about, milliunits: paid, listed, country, currency };
    this.setOrder(orderId, subscriptionOrder(order, { basePlanId, from, to, phase }));
    if (this.addOn?.isLeaving) this.addOn = null;
    if (this.addOn) this.buyAddOn(orderId, from, ADD_ON.milliunits, 'base');
  }

  protected buyAddOn(orderId: string, from: number, milliunits: number, phase: Phase): void {
    const { productId, basePlanId, milliunits: listed } = ADD_ON;
    const { country, currency } = this.options;
    const { expiry: to, now: at, token } = this;
    this.addOn = { orderId, isLeaving: false, phase };
    const bought = { orderId, productId, from, to, graceTo: null, paidAt: at, token, listed };
    const kept = { isTrial: false, refundedAt: null, givenBack: null };
    this.addOns.push({ ...bought, ...kept, milliunits });
    const paid = { orderId, purchaseToken: token, at, productId, milliunits, country, currency };
    const order = subscriptionOrder({ ...paid, listed }, { basePlanId, from, to, phase });
    const plan = this.orders.get(orderId);
    const lines = [plan, order].flatMap((one) => (one?.lineItems as Body[] | undefined) ?? []);
    const planPaid = this.periods.find((one) => one.orderId === orderId)?.milliunits ?? 0;
    const total = money(planPaid + milliunits, currency);
    this.setOrder(orderId, { ...order, ...plan, total, lineItems: lines });
  }

  /** Another token takes the place of this one, which may go on answering. */
  protected replaceToken(replacementMode: string | null, token = newToken()): void {
    const old = this.answer();
    const ended = {
      ...old,
      subscriptionState: 'SUBSCRIPTION_STATE_EXPIRED',
      canceledStateContext: { replacementCancellation: {} },
    };
    this.olds.set(this.token, isOdd() ? ended : old);
    this.linked = this.token;
    this.token = token;
    this.startedAt = this.now;
    const { productId, basePlanId } = this.plan;
    this.replacement = replacementMode && { productId, basePlanId, replacementMode };
  }

  /** Payments of the commitment that are left. */
  protected get left(): number {
    const paid = this.periods.filter(({ isTrial }) => !isTrial).length;
    return Math.max(0, this.options.commitment - paid);
  }

  private planBody(): Body {
    const { commitment, isPrepaid, currency } = this.options;
    if (isPrepaid) return { prepaidPlan: { allowExtendAfterTime: iso(this.startedAt) } };
    const installmentDetails = {
      initialCommittedPaymentsCount: commitment,
      ...(this.left > 0 ? { remainingCommittedPaymentsCount: this.left } : {}),
      ...(this.isCancellationPending ? { pendingCancellation: {} } : {}),
    };
    return {
      autoRenewingPlan: {
        ...(this.autoRenew ? { autoRenewEnabled: true } : {}),
        recurringPrice: money(this.milliunits, currency),
        ...(commitment > 0 ? { installmentDetails } : {}),
      },
    };
  }

  private line(): Body {
    const { newest, deferred } = this;
    const { productId, basePlanId } = this.plan;
    return {
      ...{ productId, offerDetails: { basePlanId } },
      ...(newest && {
        expiryTime: iso(this.expiry),
        latestSuccessfulOrderId: this.order.id,
        offerPhase: OFFER_PHASES[this.phase],
        ...(this.replacement && { itemReplacement: this.replacement }),
      }),
      ...(deferred && { deferredItemReplacement: { productId: deferred.productId } }),
      ...this.planBody(),
    };
  }

  private addOnLine({ orderId, isLeaving, phase }: NonNullable<SubscriptionState['addOn']>): Body {
    const { productId, basePlanId, milliunits } = ADD_ON;
    const isRenewing = this.autoRenew && !isLeaving;
    return {
      ...{ productId, offerDetails: { basePlanId }, expiryTime: iso(this.expiry) },
      ...{ latestSuccessfulOrderId: orderId, offerPhase: OFFER_PHASES[phase] },
      ...(isLeaving && { deferredItemRemoval: {} }),
      autoRenewingPlan: {
        ...(isRenewing && { autoRenewEnabled: true }),
        recurringPrice: money(milliunits, this.options.currency),
      },
    };
  }

  private answer(): Body {
    const { isTest, country } = this.options;
    const next = this.deferred && { productId: this.deferred.productId };
    const lines = [this.line(), ...(next ? [next] : [])];
    if (this.addOn) lines.push(this.addOnLine(this.addOn));
    return {
      kind: 'androidpublisher#subscriptionPurchaseV2',
      regionCode: country,
      ...(this.newest && { startTime: iso(this.startedAt) }),
      subscriptionState: `SUBSCRIPTION_STATE_${this.state}`,
      // Of the token as it begins; the service acknowledges it.
      acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PENDING',
      ...(this.linked !== null && { linkedPurchaseToken: this.linked }),
      // In no fixed order.
      lineItems: isOdd() ? lines.toReversed() : lines,
      etag: nextNumber(),
      ...(isTest && { testPurchase: {} }),
      ...contextOf(this.state, this),
    };
  }

  protected pendingAnswer({ plan }: { plan: Plan }, state: State): Body {
    const { country, isTest } = this.options;
    return pendingPurchase(plan, state, { linked: this.token, country, isTest });
  }

  /** About the token that has news. */
  protected tell(about = this.token): void {
    const answers = new Map([...this.olds, [this.token, this.answer()]]);
    if (this.pending) answers.set(this.pending.token, this.pendingAnswer(this.pending, 'PENDING'));
    this.scenes.push({ at: this.now, told: about, answers, current: this.token });
  }

  get isRunning(): boolean {
    const { state, isRefunded, expiry, now } = this;
    return (state === 'ACTIVE' || state === 'CANCELED') && !isRefunded && now < expiry;
  }

  /** Until when the present state lasts by itself. */
  get lastsUntil(): number {
    if (this.isRunning || this.state === 'IN_GRACE_PERIOD') return this.expiry;
    const end = this.newest?.to ?? this.now;
    if (this.state === 'ON_HOLD') return end + 59 * DAY;
    if (this.state === 'PAUSED') return end + 30 * DAY;
    return this.now + (this.state === 'PENDING' ? 3 : 20) * DAY;
  }

  /** Moves the clock within the present state; `share` of the time that is left. */
  wait(share: number): void {
    const left = this.lastsUntil - this.now - 2 * HOUR;
    if (left > 0) this.now += HOUR + Math.floor((left * share) / HOUR) * HOUR;
  }
}

export { GRACE, HOUR };
