import { type Phase, type Plan, refunded } from './answers.ts';
import {
  GRACE,
  HOUR,
  isOdd,
  nextNumber,
  PLAN_NAMES,
  PLANS,
  SubscriptionState,
} from './subscription.ts';

/** Later refunds are not looked for. */
const REFUNDABLE = 49 * 24 * HOUR;

export const ACTIONS = [
  ...['pass', 'fail', 'failToHold', 'recover', 'giveUp', 'cancel', 'restore', 'pause'],
  ...['passEarly', 'passLate', 'changeWithTime', 'changeWithout', 'changeAtFullPrice'],
  ...['upgradeProrated', 'defer', 'topUp', 'refund', 'refundEarlier', 'giveBack', 'giveBackPart'],
  ...['reprice', 'pendingUpgrade', 'settlePending', 'lapsePending', 'add', 'drop'],
] as const;
export type Action = (typeof ACTIONS)[number];

export class GoogleSubscription extends SubscriptionState {
  private isPauseSet = false;

  act(action: Action): boolean {
    const isTooLate = this.isRunning && this.expiry - this.now < 3 * HOUR;
    const done = !(isTooLate && action !== 'pass') && this[action]();
    if (done) this.now += 60_000;
    return done;
  }

  /** Renews and is nothing else. */
  private get isPlain(): boolean {
    const { state, isRunning, autoRenew, deferred } = this;
    return isRunning && state === 'ACTIVE' && autoRenew && !deferred && !this.isPauseSet;
  }

  private get otherPlan(): Plan {
    const others = PLAN_NAMES.filter((name) => PLANS[name].productId !== this.plan.productId);
    return PLANS[others[Number(isOdd())]!];
  }

  pass(): boolean {
    if (this.state === 'PENDING') this.begin(false);
    else if (this.isRunning) this.endPeriod();
    else if (this.state === 'IN_GRACE_PERIOD') this.endGrace();
    else if (this.state === 'PAUSED') this.payNow();
    else return false;
    return true;
  }

  /** Two days ahead at most. */
  passEarly(): boolean {
    const { expiry, isPlain } = this;
    if (!isPlain || expiry - this.now < 3 * HOUR) return false;
    this.now = Math.max(this.now, expiry - 40 * HOUR);
    this.renew();
    this.tell();
    this.now = expiry;
    return true;
  }

  /** Tried again in silence. */
  passLate(): boolean {
    const { expiry, isPlain } = this;
    if (!isPlain) return false;
    this.now = expiry + 4 * HOUR;
    this.renew();
    this.tell();
    return true;
  }

  private endPeriod(): void {
    this.now = this.expiry;
    if (!this.autoRenew) this.state = 'EXPIRED';
    else if (this.isPauseSet) this.state = 'PAUSED';
    else this.renew();
    this.isPauseSet = false;
    this.tell();
  }

  private renew(): void {
    if (this.deferred) {
      this.plan = this.deferred;
      this.milliunits = this.plan.milliunits;
      this.deferred = null;
      this.newOrder();
    } else this.nextOrder();
    this.buy({ from: this.expiry });
    if (this.isCancellationPending && this.left === 0) {
      this.autoRenew = false;
      this.state = 'CANCELED';
    }
  }

  private endGrace(): void {
    this.now = this.expiry;
    this.state = 'ON_HOLD';
    this.tell();
  }

  /** With another date of billing. */
  private payNow(): void {
    this.nextOrder();
    this.state = 'ACTIVE';
    this.buy({ from: this.now });
    this.tell();
  }

  fail(): boolean {
    if (!this.isPlain || this.newest?.isTrial) return false;
    this.now = this.expiry;
    this.state = 'IN_GRACE_PERIOD';
    this.expiry += GRACE;
    this.newest!.graceTo = this.expiry;
    this.tell();
    return true;
  }

  /** Also of a resumption that is not paid. */
  failToHold(): boolean {
    if (!this.isPlain && this.state !== 'PAUSED') return false;
    if (this.isPlain) this.now = this.expiry;
    this.state = 'ON_HOLD';
    this.tell();
    return true;
  }

  recover(): boolean {
    const { state, newest } = this;
    if (state === 'ON_HOLD') this.payNow();
    else if (state === 'IN_GRACE_PERIOD' && newest && this.expiry - this.now > 25 * HOUR) {
      newest.graceTo = null;
      this.nextOrder();
      this.state = 'ACTIVE';
      this.buy({ from: newest.to });
      this.tell();
    } else return false;
    return true;
  }

  /** Canceled with an end that is past, or expired. */
  giveUp(): boolean {
    if (this.state !== 'ON_HOLD') return false;
    this.state = isOdd() ? 'CANCELED' : 'EXPIRED';
    this.autoRenew = false;
    this.tell();
    return true;
  }

  cancel(): boolean {
    if (!this.isRunning || !this.autoRenew || this.isPauseSet) return false;
    if (this.isCancellationPending) return false;
    if (this.left > 0) this.isCancellationPending = true;
    else {
      this.autoRenew = false;
      this.state = 'CANCELED';
      this.deferred = null;
    }
    this.tell();
    return true;
  }

  restore(): boolean {
    if (!this.isRunning || this.state !== 'CANCELED') return false;
    this.state = 'ACTIVE';
    this.autoRenew = true;
    this.isCancellationPending = false;
    this.tell();
    return true;
  }

  pause(): boolean {
    const { isPlain, newest, addOn, options } = this;
    if (!isPlain || newest?.isTrial || addOn || options.commitment > 0) return false;
    this.isPauseSet = true;
    this.tell();
    return true;
  }

  private get isReplaceable(): boolean {
    const { isRunning, deferred, pending, addOn, options } = this;
    if (options.isPrepaid || options.commitment > 0 || addOn) return false;
    return isRunning && !deferred && !pending && !this.isPauseSet;
  }

  private replaceBy(
    plan: Plan,
    {
      mode,
      ...bought
    }: { mode: string; lasts?: number; milliunits?: number; phase?: Phase; token?: string },
  ): void {
    const { token, ...terms } = bought;
    this.replaceToken(mode, token);
    this.plan = plan;
    this.milliunits = plan.milliunits;
    this.state = 'ACTIVE';
    this.autoRenew = true;
    this.newOrder();
    this.buy({ from: this.now, ...terms });
    this.tell();
  }

  /** Time of another plan that is worth what is left of this one. */
  private timeLeftIn({ lengthMs, milliunits }: Plan): number {
    const worth = ((this.expiry - this.now) * this.milliunits) / this.plan.lengthMs;
    return Math.floor((worth / milliunits) * lengthMs);
  }

  private get isTrial(): boolean {
    return this.newest?.isTrial === true;
  }

  changeWithTime(): boolean {
    const lasts = this.timeLeftIn(this.otherPlan);
    if (!this.isReplaceable || this.isTrial || lasts < 3 * HOUR) return false;
    const terms = { lasts, milliunits: 0, phase: 'proration' as const };
    this.replaceBy(this.otherPlan, { mode: 'WITH_TIME_PRORATION', ...terms });
    return true;
  }

  changeWithout(): boolean {
    if (!this.isReplaceable) return false;
    const lasts = this.expiry - this.now;
    const phase = this.isTrial ? ('trialProration' as const) : ('proration' as const);
    const terms = { lasts, milliunits: 0, phase };
    this.replaceBy(this.otherPlan, { mode: 'WITHOUT_PRORATION', ...terms });
    return true;
  }

  changeAtFullPrice(): boolean {
    if (!this.isReplaceable) return false;
    const plan = this.otherPlan;
    const left = this.isTrial ? 0 : this.timeLeftIn(plan);
    const phase = left === 0 ? ('base' as const) : ('proration' as const);
    this.replaceBy(plan, { mode: 'CHARGE_FULL_PRICE', lasts: plan.lengthMs + left, phase });
    return true;
  }

  /** The rest of the period is paid for; the date of billing stays. */
  upgradeProrated(): boolean {
    if (!this.isReplaceable || this.isTrial) return false;
    const plan = this.otherPlan;
    const lasts = this.expiry - this.now;
    const more = plan.milliunits / plan.lengthMs - this.milliunits / this.plan.lengthMs;
    const milliunits = 10 * Math.floor((lasts * more) / 10);
    if (milliunits <= 0) return false;
    const terms = { lasts, milliunits, phase: 'proration' as const };
    this.replaceBy(plan, { mode: 'CHARGE_PRORATED_PRICE', ...terms });
    return true;
  }

  /** A new token at once, a new plan at the end. */
  defer(): boolean {
    if (!this.isReplaceable || !this.isPlain) return false;
    this.replaceToken('DEFERRED');
    this.deferred = this.otherPlan;
    this.tell();
    return true;
  }

  topUp(): boolean {
    if (!this.options.isPrepaid || !this.isRunning) return false;
    this.replaceToken(null);
    this.newOrder();
    this.buy({ from: this.expiry });
    this.tell();
    return true;
  }

  private void(orderId: string): void {
    const voidedTimeMillis = String(this.now);
    const row = { purchaseToken: this.token, orderId, voidedTimeMillis };
    this.voids.push({ at: this.now, row: { ...row, voidedSource: 1, voidedReason: 7 } });
    this.setOrder(orderId, refunded(this.orders.get(orderId)!, this.now, null));
  }

  /** With the purchase; Google may go on to answer that it is active. */
  refund(): boolean {
    const { newest } = this;
    if (!this.isRunning || !newest || newest.isTrial || this.addOn) return false;
    if (newest.from > this.now || newest.milliunits === 0 || newest.givenBack) return false;
    newest.refundedAt = this.now;
    this.isRefunded = true;
    this.void(newest.orderId);
    if (isOdd()) {
      this.state = 'EXPIRED';
      this.expiry = this.now;
      this.autoRenew = false;
    }
    this.tell();
    return true;
  }

  /** May's payment is given back while June is paid. */
  refundEarlier(): boolean {
    const earlier = this.periods.at(-2);
    if (!earlier || earlier.milliunits === 0 || earlier.refundedAt !== null) return false;
    if (earlier.givenBack) return false;
    if (this.options.isPrepaid && earlier.to > this.now) return false;
    for (const one of [earlier, ...this.addOns]) {
      if (one.orderId === earlier.orderId) one.refundedAt = this.now;
    }
    this.void(earlier.orderId);
    return true;
  }

  private backTo(part: number | null): boolean {
    const { newest } = this;
    const order = newest && this.orders.get(newest.orderId);
    if (!order || newest.milliunits === 0 || newest.refundedAt !== null) return false;
    if (newest.givenBack || newest.orderId === this.addOn?.orderId) return false;
    if (!this.isRunning && this.now - newest.paidAt > REFUNDABLE) return false;
    newest.givenBack = { at: this.now, milliunits: part ?? newest.milliunits };
    this.setOrder(newest.orderId, refunded(order, this.now, part));
    return true;
  }

  /** Money only: on no list. */
  giveBack(): boolean {
    return this.backTo(null);
  }

  giveBackPart(): boolean {
    return (this.newest?.milliunits ?? 0) > 1_000 && this.backTo(1_000);
  }

  /** Of the rest of the period. */
  add(): boolean {
    if (!this.isReplaceable || !this.isPlain || this.newest?.isTrial) return false;
    if (isOdd()) this.replaceToken('KEEP_EXISTING');
    this.buyAddOn(`GPA.3300-1000-3000-${nextNumber()}`, this.now, 770, 'proration');
    this.tell();
    return true;
  }

  drop(): boolean {
    if (!this.addOn || this.addOn.isLeaving || !this.isPlain) return false;
    this.addOn = { ...this.addOn, isLeaving: true };
    this.tell();
    return true;
  }

  reprice(): boolean {
    this.milliunits += 1_000;
    return nextNumber() !== '';
  }

  pendingUpgrade(): boolean {
    if (!this.isReplaceable) return false;
    this.pending = { token: `token-${nextNumber()}`, plan: this.otherPlan };
    this.tell(this.pending.token);
    return true;
  }

  settlePending(): boolean {
    const { pending } = this;
    const isBusy = this.deferred || this.isPauseSet || this.addOn;
    if (!pending || !this.isRunning || isBusy) return false;
    this.pending = null;
    this.replaceBy(pending.plan, { mode: 'CHARGE_FULL_PRICE', token: pending.token });
    return true;
  }

  lapsePending(): boolean {
    const { pending } = this;
    if (this.state === 'PENDING') {
      this.state = 'PENDING_PURCHASE_CANCELED';
      this.tell();
      return true;
    }
    if (!pending) return false;
    this.olds.set(pending.token, this.pendingAnswer(pending, 'PENDING_PURCHASE_CANCELED'));
    this.pending = null;
    this.tell(pending.token);
    return true;
  }
}
