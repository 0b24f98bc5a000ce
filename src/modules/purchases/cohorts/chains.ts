import { at } from '../../../shared/assert.ts';
import { DAY_MS } from '../../../shared/time.ts';
import type { PackedReader } from '../overview/packed-reader.ts';
import { intervalOf } from '../revenue/window.ts';
import type { Life } from './survival.ts';
import type { CohortWindow } from './window.ts';

const NOT_PAID = -2;

/** Subscriptions of people, in columns: there may be a million. */
export class Chains {
  readonly people: number[] = [];
  /** Interval of the first payment, `NOT_PAID` without one. */
  private readonly began: number[] = [];
  private readonly lives: (Life | null)[] = [];
  /** Intervals at whose ends they are paid, of each up to its end. */
  private readonly active: number[] = [];
  private readonly activeEnds: number[] = [];
  private person: number | null = null;
  private first = NOT_PAID;
  private lifeFrom = 0;
  private lifeTo = 0;
  private isFollowed = false;

  constructor(private readonly window: CohortWindow) {}

  begin(person: number | null): void {
    this.person = person;
    this.first = NOT_PAID;
    this.lifeTo = 0;
    this.isFollowed = true;
  }

  /** In order. */
  addSpan({ kind, purchasedAt: from, to }: PackedReader): void {
    const hasPaid = this.lifeTo !== 0;
    if (!hasPaid && kind === 'paid') [this.lifeFrom, this.lifeTo] = [from, to];
    else if (hasPaid && this.isFollowed) {
      // From the first payment to the first gap.
      if (kind === 'paid' && from === this.lifeTo) this.lifeTo = to;
      else this.isFollowed = false;
    }
    if (kind === 'paid' && from <= this.window.nowMs) this.addActive(from, to);
  }

  private addActive(from: number, to: number): void {
    const { boundariesMs } = this.window;
    const first = intervalOf(boundariesMs, from);
    if (this.first === NOT_PAID) this.first = first;
    for (let interval = Math.max(0, first); interval + 1 < boundariesMs.length; interval += 1) {
      const endMs = at(boundariesMs, interval + 1);
      if (to < endMs) break;
      if (from < endMs) this.active.push(interval);
    }
  }

  end(): void {
    if (this.person === null) return;
    this.people.push(this.person);
    this.began.push(this.first);
    this.activeEnds.push(this.active.length);
    this.lives.push(this.lifeOf());
  }

  private lifeOf(): Life | null {
    const { nowMs } = this.window;
    const { lifeFrom: beganMs, lifeTo: endMs } = this;
    if (endMs === 0 || beganMs > nowMs) return null;
    const ended = endMs <= nowMs;
    const days = Math.floor(((ended ? endMs : nowMs) - beganMs) / DAY_MS);
    return { beganMs, days, ended };
  }

  beganOf(chain: number): number | null {
    const began = at(this.began, chain);
    return began === NOT_PAID ? null : began;
  }

  lifeOfChain(chain: number): Life | null {
    return this.lives[chain] ?? null;
  }

  activeOf(chain: number): number[] {
    return this.active.slice(
      chain === 0 ? 0 : at(this.activeEnds, chain - 1),
      at(this.activeEnds, chain),
    );
  }
}
