import type { PackedFold } from '../overview/pack.ts';
import { AUTO_RENEWABLE, PackedReader } from '../overview/packed-reader.ts';

export const SALE_KINDS = ['new', 'after_trial', 'renewal', 'one_time'] as const;
export type SaleKind = (typeof SALE_KINDS)[number];

export class SaleReader {
  readonly sold = new PackedReader();
  kind: SaleKind = 'new';
  private following: SaleKind = 'new';
  private paidAt: number | null = null;

  open(packed: PackedFold): void {
    this.sold.open(packed);
    this.following = 'new';
    this.paidAt = null;
  }

  next(): boolean {
    while (this.sold.next()) {
      const { kind, head, purchasedAt, isApart, isPayment } = this.sold;
      if ((head & AUTO_RENEWABLE) === 0) this.kind = 'one_time';
      else if (kind === 'trial' && this.following === 'new') this.following = 'after_trial';
      else if (isPayment && purchasedAt !== this.paidAt) {
        this.paidAt = purchasedAt;
        this.kind = this.following;
        this.following = 'renewal';
      } else if (kind === 'paid' && !isApart) this.following = 'renewal';
      if (isPayment) return true;
    }
    return false;
  }
}
