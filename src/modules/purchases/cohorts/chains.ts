import { at } from '../../../shared/assert.ts';
import { DAY_MS } from '../../../shared/time.ts';
import type { PackedReader } from '../overview/packed-reader.ts';
import type { Anchor } from './model.ts';
import type { Life } from './survival.ts';
import type { CohortWindow } from './window.ts';

const NOT_PAID = -2;
const NEVER = Number.POSITIVE_INFINITY;

const KIND_OF = { first_seen: null, first_trial: 'trial', first_purchase: 'paid' } as const;

/** The offering where a device named it. */
export type Begin = { atMs: number; product: string; offering: string | null };

/** Subscriptions and other purchases, in columns: there may be a million. */
export class Chains {
  readonly ids: string[] = [];
  /** `NEVER` without one. */
  private readonly beginsMs: number[] = [];
  private readonly products: string[] = [];
  private readonly offerings: (string | null)[] = [];
  /** Interval of the first payment, `NOT_PAID` without one. */
  private readonly firsts: number[] = [];
  /** From the first payment to the first gap; zeros without one. */
  private readonly livesFrom: number[] = [];
  private readonly livesTo: number[] = [];
  /** Intervals at whose ends they are paid, of each up to its end. */
  private readonly active: number[] = [];
  private readonly activeEnds: number[] = [];
  private beginMs = NEVER;
  private product = '';
  private isSpan = false;
  private first = NOT_PAID;
  private lifeFrom = 0;
  private lifeTo = 0;
  private isFollowed = true;

  constructor(
    private readonly window: CohortWindow,
    private readonly by: Anchor,
  ) {}

  /** In order. */
  add(sold: PackedReader, interval: number): void {
    if (sold.purchasedAt <= this.window.nowMs) this.addBegin(sold);
    if (!sold.isSpan) return;
    const { purchasedAt: from, to } = sold;
    const isPaid = sold.kind === 'paid';
    const hasPaid = this.lifeTo !== 0;
    if (!hasPaid && isPaid) {
      this.lifeFrom = from;
      this.lifeTo = to;
    } else if (hasPaid && this.isFollowed) {
      if (isPaid && from === this.lifeTo) this.lifeTo = to;
      else this.isFollowed = false;
    }
    if (isPaid && from <= this.window.nowMs) this.addActive(interval, from, to);
  }

  /** At once with its add-ons, the plan, which has a period of its own. */
  private addBegin({ kind, isPayment, isSpan, purchasedAt, productId }: PackedReader): void {
    const asked = KIND_OF[this.by];
    if (asked !== null && (kind !== asked || (kind === 'paid' && !isPayment))) return;
    const { beginMs, product } = this;
    const isLater = isSpan === this.isSpan ? productId >= product : !isSpan;
    if (purchasedAt > beginMs || (purchasedAt === beginMs && isLater)) return;
    this.beginMs = purchasedAt;
    this.isSpan = isSpan;
    this.product = productId;
  }

  private addActive(first: number, from: number, to: number): void {
    const { boundariesMs } = this.window;
    if (this.first === NOT_PAID) this.first = first;
    for (let interval = Math.max(0, first); interval + 1 < boundariesMs.length; interval += 1) {
      const endMs = at(boundariesMs, interval + 1);
      if (to < endMs) break;
      if (from < endMs) this.active.push(interval);
    }
  }

  end(id: string, offering: string | null): void {
    this.ids.push(id);
    this.beginsMs.push(this.beginMs);
    this.products.push(this.product);
    this.offerings.push(offering);
    this.firsts.push(this.first);
    this.livesFrom.push(this.lifeFrom);
    this.livesTo.push(this.lifeTo);
    this.activeEnds.push(this.active.length);
    this.beginMs = NEVER;
    this.first = NOT_PAID;
    this.lifeFrom = 0;
    this.lifeTo = 0;
    this.isFollowed = true;
  }

  beginOf(chain: number): Begin | null {
    const atMs = at(this.beginsMs, chain);
    if (atMs === NEVER) return null;
    return { atMs, product: at(this.products, chain), offering: at(this.offerings, chain) };
  }

  isEarlier(one: number, other: number): boolean {
    const [oneMs, otherMs] = [at(this.beginsMs, one), at(this.beginsMs, other)];
    if (oneMs !== otherMs) return oneMs < otherMs;
    return at(this.products, one) < at(this.products, other);
  }

  firstOf(chain: number): number | null {
    const first = at(this.firsts, chain);
    return first === NOT_PAID ? null : first;
  }

  lifeOf(chain: number): Life | null {
    const { nowMs } = this.window;
    const beganMs = at(this.livesFrom, chain);
    const endMs = at(this.livesTo, chain);
    if (endMs === 0 || beganMs > nowMs) return null;
    const ended = endMs <= nowMs;
    const days = Math.floor(((ended ? endMs : nowMs) - beganMs) / DAY_MS);
    return { beganMs, days, ended };
  }

  activeOf(chain: number): number[] {
    return this.active.slice(
      chain === 0 ? 0 : at(this.activeEnds, chain - 1),
      at(this.activeEnds, chain),
    );
  }
}
