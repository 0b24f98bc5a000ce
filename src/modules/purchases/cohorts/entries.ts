import { at } from '../../../shared/assert.ts';

/** Money of chains by interval, in columns. */
export class Entries {
  readonly intervals: number[] = [];
  /** Net of refunds. */
  readonly minor: number[] = [];
  readonly purchases: number[] = [];
  private readonly ends: number[] = [];
  private start = 0;

  add(interval: number, minor: number, purchases: number): void {
    const last = this.intervals.length - 1;
    if (last < this.start || at(this.intervals, last) !== interval) {
      this.intervals.push(interval);
      this.minor.push(minor);
      this.purchases.push(purchases);
      return;
    }
    this.minor[last] = at(this.minor, last) + minor;
    this.purchases[last] = at(this.purchases, last) + purchases;
  }

  endChain(): void {
    this.start = this.intervals.length;
    this.ends.push(this.start);
  }

  startOf(chain: number): number {
    return chain === 0 ? 0 : at(this.ends, chain - 1);
  }

  endOf(chain: number): number {
    return at(this.ends, chain);
  }
}
