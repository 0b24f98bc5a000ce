import type { Sold } from '../overview/chain.ts';
import type { Fold } from '../overview/fold.ts';

export const SALE_KINDS = ['new', 'after_trial', 'renewal', 'one_time'] as const;
export type SaleKind = (typeof SALE_KINDS)[number];

/** What was paid; the proration of an upgrade is no refund. */
export type Sale = { sold: Sold; kind: SaleKind; refundedAt: number | null };

/** What was replaced at once comes before what replaced it. */
export function periodsSold({ spans, others }: Pick<Fold, 'others' | 'spans'>): Sold[] {
  const lived = spans.map(({ sold }) => sold);
  const replaced = others.filter((one) => one.autoRenewable);
  if (replaced.length === 0) return lived;
  return [...replaced, ...lived].toSorted((a, b) => a.purchasedAt - b.purchasedAt);
}

const toSale = (sold: Sold, kind: SaleKind): Sale => ({
  sold,
  kind,
  refundedAt: sold.upgraded ? null : sold.revokedAt,
});

export function salesOf(fold: Pick<Fold, 'others' | 'spans'>): Sale[] {
  const sales: Sale[] = [];
  let first: SaleKind = 'new';
  for (const sold of periodsSold(fold)) {
    if (sold.kind === 'trial' && first === 'new') first = 'after_trial';
    if (sold.kind !== 'paid') continue;
    sales.push(toSale(sold, first));
    first = 'renewal';
  }
  for (const sold of fold.others) {
    if (!sold.autoRenewable && sold.kind === 'paid') sales.push(toSale(sold, 'one_time'));
  }
  return sales;
}
