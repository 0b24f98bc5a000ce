import { minorExponent } from '../../shared/money.ts';

export type PurchaseNews = {
  kind: 'subscriber' | 'refund' | 'billing_problem';
  productId: string;
  /** 10990 is 10.99; of a refund, the amount given back. Null when not reported. */
  priceMilliunits: number | null;
  currency: string | null;
  isTrial: boolean;
};

const NEWS: Readonly<Record<PurchaseNews['kind'], string>> = {
  subscriber: 'New subscriber',
  refund: 'Refund',
  billing_problem: 'Billing problem',
};
const MILLIUNITS = 1_000;

export function purchaseLine(news: PurchaseNews): string {
  const { kind, productId, priceMilliunits, currency, isTrial } = news;
  const price =
    priceMilliunits === null || currency === null
      ? ''
      : `, ${(priceMilliunits / MILLIUNITS).toFixed(minorExponent(currency))} ${currency}`;
  return `${NEWS[kind]}: ${productId}${isTrial ? ', free trial' : price}`;
}
