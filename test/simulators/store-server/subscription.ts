import { randomUUID } from 'node:crypto';
import {
  type NotificationPayload,
  nextTransactionId,
  type RenewalPayload,
  type SimEnvironment,
  type TransactionPayload,
  transactionPayload,
} from './payloads.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const GRACE_MS = 16 * DAY;

export type Told = {
  type: string;
  subtype?: string;
  uuid: string;
  signedDate: number;
  transaction: TransactionPayload;
  renewal: RenewalPayload;
  status: 1 | 2 | 3 | 4 | 5;
};

export type Truth = {
  status: 'active' | 'billing_grace' | 'billing_retry' | 'expired' | 'revoked';
  productId: string;
  expiresAt: number;
  graceExpiresAt: number | null;
  willRenew: boolean;
  ownership: 'purchased' | 'family_shared';
  originalTransactionId: string;
};

export type SubscriptionOptions = {
  bundleId: string;
  environment: SimEnvironment;
  start: number;
  family?: boolean;
  trial?: boolean;
  appAccountToken?: string;
  periodMs?: number;
  /** Calendar months, in place of `periodMs`. */
  periodMonths?: number;
  productId?: string;
  /** Of the first period and those after it, until they are changed. */
  terms?: Partial<TransactionPayload>;
  /** Periods, billed one by one, of a commitment; another one follows unless the customer leaves. */
  commitmentPeriods?: number;
};

/** The same day of the month, or the last one of a shorter month. */
function monthsAfter(ms: number, months: number): number {
  const [from, to] = [new Date(ms), new Date(ms)];
  to.setUTCMonth(to.getUTCMonth() + months);
  if (to.getUTCDate() !== from.getUTCDate()) to.setUTCDate(0);
  return to.getTime();
}

export const ACTIONS = [
  'renew',
  'renewEarly',
  'failIntoGrace',
  'failIntoRetry',
  'endGrace',
  'recover',
  'cancel',
  'resume',
  'expire',
  'refund',
  'refundEarlier',
  'reverseRefund',
  'upgrade',
  'crossgradeAtRenewal',
  'extend',
  'resubscribe',
  'revokeShare',
] as const;
export type Action = (typeof ACTIONS)[number];

const STATUS_CODE = {
  active: 1,
  expired: 2,
  billing_retry: 3,
  billing_grace: 4,
  revoked: 5,
} as const;

/**
 * One subscription as the store itself sees it. Every action moves its clock, changes its true state
 * and says what the store would tell; an action that makes no sense now does nothing.
 */
export class SimulatedSubscription {
  now: number;
  readonly told: Told[] = [];
  readonly periods: TransactionPayload[] = [];
  phase: Truth['status'] = 'active';
  /** What the store signs of a period from now on: its price, its offer. */
  terms: Partial<TransactionPayload>;
  private product: string;
  private autoRenew: 0 | 1 = 1;
  /** Another commitment follows this one. */
  private commitsAgain: 0 | 1 = 1;
  private endedByBilling = false;
  private graceExpiresAt: number | null = null;
  private readonly periodMs: number;

  constructor(readonly options: SubscriptionOptions) {
    this.now = options.start;
    this.periodMs = options.periodMs ?? 30 * DAY;
    this.product = options.productId ?? 'pro.monthly';
    this.terms = options.terms ?? {};
    this.buy(options.trial ? { offerType: 1, offerDiscountType: 'FREE_TRIAL', price: 0 } : {});
    this.tell('SUBSCRIBED', 'INITIAL_BUY');
  }

  get originalTransactionId(): string {
    return this.periods[0]?.transactionId ?? '';
  }

  get newest(): TransactionPayload {
    const newest = this.periods.at(-1);
    if (!newest) throw new Error('A subscription starts with a purchase.');
    return newest;
  }

  private get expiresAt(): number {
    return this.newest.expiresDate ?? 0;
  }

  private buy(extra: Partial<TransactionPayload> = {}): void {
    const transactionId = nextTransactionId();
    const purchaseDate = extra.purchaseDate ?? this.now;
    const { periodMonths } = this.options;
    const commitmentInfo = this.commitmentAt(purchaseDate);
    this.periods.push(
      transactionPayload({
        bundleId: this.options.bundleId,
        environment: this.options.environment,
        transactionId,
        originalTransactionId: this.originalTransactionId || transactionId,
        productId: this.product,
        purchaseDate,
        expiresDate: periodMonths
          ? monthsAfter(purchaseDate, periodMonths)
          : purchaseDate + this.periodMs,
        inAppOwnershipType: this.options.family ? 'FAMILY_SHARED' : 'PURCHASED',
        transactionReason: this.periods.length === 0 ? 'PURCHASE' : 'RENEWAL',
        subscriptionGroupIdentifier: '21001',
        ...(this.options.appAccountToken ? { appAccountToken: this.options.appAccountToken } : {}),
        ...(commitmentInfo ? { billingPlanType: 'MONTHLY', commitmentInfo } : {}),
        ...this.terms,
        ...extra,
      }),
    );
    this.phase = 'active';
    this.graceExpiresAt = null;
    // Charged until its end, whatever the customer wants of another one.
    if (commitmentInfo) this.autoRenew = this.isLastOfCommitment ? this.commitsAgain : 1;
  }

  /** The commitment that a period bought then belongs to. */
  private commitmentAt(purchaseDate: number): TransactionPayload['commitmentInfo'] {
    const { commitmentPeriods: total, periodMonths = 1 } = this.options;
    if (total === undefined) return undefined;
    const before = this.periods.at(-1)?.commitmentInfo;
    const goesOn = before && before.billingPeriodNumber < total && this.phase !== 'expired';
    return {
      billingPeriodNumber: goesOn ? before.billingPeriodNumber + 1 : 1,
      totalBillingPeriods: total,
      commitmentExpiresDate: goesOn
        ? before.commitmentExpiresDate
        : monthsAfter(purchaseDate, total * periodMonths),
      commitmentPrice: total * (this.terms.price ?? 9_990),
    };
  }

  private get isLastOfCommitment(): boolean {
    const info = this.newest.commitmentInfo;
    return info !== undefined && info.billingPeriodNumber === info.totalBillingPeriods;
  }

  /** Whether the customer wants it to go on: to the next period, or to the next commitment. */
  private get wants(): 0 | 1 {
    return this.newest.commitmentInfo ? this.commitsAgain : this.autoRenew;
  }

  private set wants(value: 0 | 1) {
    this.commitsAgain = value;
    if (!this.newest.commitmentInfo || this.isLastOfCommitment) this.autoRenew = value;
  }

  renewalInfo(retrying = this.phase === 'billing_retry'): RenewalPayload {
    return {
      originalTransactionId: this.originalTransactionId,
      productId: this.newest.productId,
      autoRenewProductId: this.product,
      autoRenewStatus: this.autoRenew,
      isInBillingRetryPeriod: retrying,
      renewalDate: this.expiresAt,
      recentSubscriptionStartDate: this.options.start,
      signedDate: this.now,
      environment: this.options.environment,
      ...(this.graceExpiresAt === null ? {} : { gracePeriodExpiresDate: this.graceExpiresAt }),
      ...(this.phase === 'expired' ? { expirationIntent: this.endedByBilling ? 2 : 1 } : {}),
      ...this.commitmentRenewal,
    };
  }

  private get commitmentRenewal(): Partial<RenewalPayload> {
    const info = this.newest.commitmentInfo;
    if (!info) return {};
    const { commitmentExpiresDate: commitmentRenewalDate } = info;
    return {
      renewalBillingPlanType: 'MONTHLY',
      commitmentInfo: { commitmentAutoRenewStatus: this.commitsAgain, commitmentRenewalDate },
    };
  }

  private tell(type: string, subtype?: string, about = this.newest): void {
    this.told.push({
      type,
      ...(subtype ? { subtype } : {}),
      uuid: randomUUID(),
      signedDate: this.now,
      transaction: { ...about, signedDate: this.now },
      renewal: this.renewalInfo(),
      status: STATUS_CODE[this.phase],
    });
    this.now += 1_000;
  }

  /** What Get All Subscription Statuses answers now. */
  answer(): Pick<Told, 'transaction' | 'renewal' | 'status'> {
    return {
      transaction: { ...this.newest, signedDate: this.now },
      renewal: this.renewalInfo(),
      status: STATUS_CODE[this.phase],
    };
  }

  /** The true entitlement now; the clock never passes a boundary by itself. */
  truth(): Truth {
    const ended = this.phase === 'expired' || this.phase === 'revoked';
    return {
      status: this.phase,
      productId: this.newest.productId,
      expiresAt: this.expiresAt,
      graceExpiresAt: this.phase === 'billing_grace' ? this.graceExpiresAt : null,
      willRenew: !ended && this.wants === 1,
      ownership: this.options.family ? 'family_shared' : 'purchased',
      originalTransactionId: this.originalTransactionId,
    };
  }

  /** Until when the present state lasts unless something happens. */
  get lastsUntil(): number {
    if (this.phase === 'active') return this.expiresAt;
    if (this.phase === 'billing_grace') return this.graceExpiresAt ?? this.now;
    if (this.phase === 'billing_retry') return this.retriedUntil;
    return this.now + 20 * DAY;
  }

  private get retriedUntil(): number {
    return this.expiresAt + (this.newest.commitmentInfo ? 89 : 59) * DAY;
  }

  /** Moves the clock within the present state; `share` of the time that is left. */
  wait(share: number): void {
    const left = this.lastsUntil - this.now - HOUR;
    if (left > 0) this.now += Math.floor(left * share);
  }

  act(action: Action): boolean {
    const done = this[action]();
    if (done) this.now += 60_000;
    return done;
  }

  private toExpiry(): void {
    this.now = Math.max(this.now, this.expiresAt);
  }

  private stop(): void {
    this.autoRenew = 0;
    this.commitsAgain = 0;
  }

  renew(): boolean {
    if (this.phase !== 'active' || this.autoRenew === 0) return false;
    this.toExpiry();
    this.buy();
    this.tell('DID_RENEW');
    return true;
  }

  /** The store collects up to a day before the period ends. */
  renewEarly(): boolean {
    if (this.phase !== 'active' || this.autoRenew === 0) return false;
    const boundary = this.expiresAt;
    this.now = Math.max(this.now, boundary - 2 * HOUR);
    this.buy({ purchaseDate: boundary });
    this.tell('DID_RENEW');
    this.now = Math.max(this.now, boundary);
    return true;
  }

  failIntoGrace(): boolean {
    if (this.phase !== 'active' || this.autoRenew === 0) return false;
    // The store gives a month of a commitment no grace.
    if (this.newest.commitmentInfo) return false;
    this.toExpiry();
    this.phase = 'billing_grace';
    this.graceExpiresAt = this.expiresAt + GRACE_MS;
    this.tell('DID_FAIL_TO_RENEW', 'GRACE_PERIOD');
    return true;
  }

  failIntoRetry(): boolean {
    if (this.phase !== 'active' || this.autoRenew === 0) return false;
    this.toExpiry();
    this.phase = 'billing_retry';
    this.tell('DID_FAIL_TO_RENEW');
    return true;
  }

  endGrace(): boolean {
    if (this.phase !== 'billing_grace') return false;
    this.now = Math.max(this.now, this.graceExpiresAt ?? 0);
    this.phase = 'billing_retry';
    this.graceExpiresAt = null;
    this.tell('GRACE_PERIOD_EXPIRED');
    return true;
  }

  recover(): boolean {
    if (this.phase !== 'billing_grace' && this.phase !== 'billing_retry') return false;
    this.buy();
    this.tell('DID_RENEW', 'BILLING_RECOVERY');
    return true;
  }

  cancel(): boolean {
    if (this.phase !== 'active' || this.wants === 0) return false;
    this.wants = 0;
    this.tell('DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED');
    return true;
  }

  resume(): boolean {
    if (this.phase !== 'active' || this.wants === 1) return false;
    this.wants = 1;
    this.tell('DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_ENABLED');
    return true;
  }

  expire(): boolean {
    if (this.phase === 'active' && this.autoRenew === 0) {
      this.toExpiry();
      this.phase = 'expired';
      this.endedByBilling = false;
      this.tell('EXPIRED', 'VOLUNTARY');
      return true;
    }
    if (this.phase !== 'billing_retry') return false;
    this.now = Math.max(this.now, this.retriedUntil);
    this.phase = 'expired';
    this.endedByBilling = true;
    this.stop();
    this.tell('EXPIRED', 'BILLING_RETRY');
    return true;
  }

  refund(): boolean {
    if (this.phase === 'revoked' || this.options.family) return false;
    this.newest.revocationDate = this.now;
    this.newest.revocationReason = 0;
    this.phase = 'revoked';
    this.stop();
    this.tell('REFUND');
    return true;
  }

  /** The store asks for another price from the next period on, in the same currency. */
  reprice(price: number): void {
    this.terms = { ...this.terms, price };
    this.tell('PRICE_INCREASE', 'ACCEPTED');
  }

  /** May's renewal is given back while June is paid. */
  refundEarlier(): boolean {
    const earlier = this.periods.at(-2);
    if (!earlier || earlier.revocationDate || earlier.isUpgraded || this.options.family)
      return false;
    earlier.revocationDate = this.now;
    this.tell('REFUND', undefined, earlier);
    return true;
  }

  reverseRefund(): boolean {
    const refunded = this.periods.findLast(
      ({ revocationDate, isUpgraded }) => revocationDate !== undefined && !isUpgraded,
    );
    if (!refunded || this.options.family) return false;
    delete refunded.revocationDate;
    delete refunded.revocationReason;
    if (refunded === this.newest) {
      this.phase = this.now < this.expiresAt ? 'active' : 'expired';
    }
    this.tell('REFUND_REVERSED', undefined, refunded);
    return true;
  }

  upgrade(): boolean {
    if (this.phase !== 'active' || this.newest.productId === 'max.monthly') return false;
    this.newest.isUpgraded = true;
    this.newest.revocationDate = this.now;
    this.product = 'max.monthly';
    this.autoRenew = 1;
    this.commitsAgain = 1;
    this.buy();
    // The store tells of the new purchase only: the old one's mark comes with later queries.
    this.tell('DID_CHANGE_RENEWAL_PREF', 'UPGRADE');
    return true;
  }

  crossgradeAtRenewal(): boolean {
    if (this.phase !== 'active' || this.autoRenew === 0) return false;
    this.product = this.product === 'lite.monthly' ? 'pro.monthly' : 'lite.monthly';
    this.tell('DID_CHANGE_RENEWAL_PREF', 'DOWNGRADE');
    return true;
  }

  extend(): boolean {
    if (this.phase !== 'active') return false;
    this.newest.expiresDate = this.expiresAt + 7 * DAY;
    this.tell('RENEWAL_EXTENDED');
    return true;
  }

  resubscribe(): boolean {
    if (this.phase !== 'expired' && this.phase !== 'revoked') return false;
    // A new period begins after the old one ended, refunded or not.
    this.now = Math.max(this.now, this.expiresAt + DAY);
    this.autoRenew = 1;
    this.commitsAgain = 1;
    this.buy({ transactionReason: 'PURCHASE' });
    this.tell('SUBSCRIBED', 'RESUBSCRIBE');
    return true;
  }

  revokeShare(): boolean {
    if (!this.options.family || this.phase === 'revoked') return false;
    this.newest.revocationDate = this.now;
    this.phase = 'revoked';
    this.stop();
    this.tell('REVOKE');
    return true;
  }
}

/** The notification that the store would send of it, without the signatures. */
export function toNotification(
  told: Told,
  options: { bundleId: string; environment: SimEnvironment; appAppleId?: number },
): NotificationPayload {
  const appAppleId = options.environment === 'Production' ? options.appAppleId : undefined;
  return {
    notificationType: told.type,
    ...(told.subtype ? { subtype: told.subtype } : {}),
    notificationUUID: told.uuid,
    version: '2.0',
    signedDate: told.signedDate,
    data: {
      ...(appAppleId === undefined ? {} : { appAppleId }),
      bundleId: options.bundleId,
      bundleVersion: '1',
      environment: options.environment,
      status: told.status,
    },
  };
}
