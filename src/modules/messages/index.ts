import type { Chapter } from '../../chapter.ts';
import { minorExponent } from '../../shared/money.ts';
import { TARGET_PURPOSE } from './deliver.ts';
import { ensureMessageRuns, reconcileMessages } from './reconcile.ts';

export { destinationExists } from './destinations-queries.ts';
export { MAX_APPS } from './model.ts';
export { postQueries } from './posts-queries.ts';
export { enqueueMessage, selectDigestSettings } from './queries.ts';
export { recordAlerts, wantsAlerts } from './alerts.ts';
export { giveUpMessage, sendMessage } from './send-post.ts';
export { sendPost } from './send-post.ts';

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

export const messagesChapter: Chapter = {
  name: 'messages',
  tables: [
    'alerts',
    'digest_destinations',
    'digest_settings',
    'message_bundles',
    'message_posts',
    'message_settings',
    'messages',
  ],
  sealed: [{ table: 'digest_destinations', column: 'sealed_target', purpose: TARGET_PURPOSE }],
  ensureMissingRuns: ensureMessageRuns,
  reconcile: reconcileMessages,
};
