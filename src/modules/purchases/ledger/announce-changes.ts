import { minorExponent } from '../../../shared/money.ts';
import { countryOfStorefront } from '../../../shared/storefront.ts';
import type { Tx } from '../../../storage/postgres.ts';
import { enqueueMessage } from '../../messages/index.ts';
import { announce, type PurchaseEventData } from '../../webhooks/index.ts';
import type { ChainKey } from '../model/chain.ts';
import { chainField } from '../model/wire.ts';
import { type ChangeDetails, selectChangeDetails } from './change-details-queries.ts';
import type { PurchaseChange } from './changes.ts';
import { messageOf } from './purchase-message.ts';

const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** The store's numbers. */
const OFFERS: Readonly<Record<number, string>> = {
  1: 'introductory',
  2: 'promotional',
  3: 'offer_code',
  4: 'win_back',
};
const EXPIRATIONS: Readonly<Record<number, string>> = {
  1: 'canceled',
  2: 'billing',
  3: 'price_increase',
  4: 'product_unavailable',
  5: 'other',
};
const REVOCATIONS: Readonly<Record<number, string>> = { 0: 'other', 1: 'app_issue' };

function reasonOf({ type, reason }: PurchaseChange, details: ChangeDetails): string | null {
  if (type === 'subscription.expired.v1')
    return EXPIRATIONS[details.expirationIntent ?? -1] ?? null;
  if (type === 'purchase.refunded.v1') return REVOCATIONS[details.revocationReason ?? -1] ?? null;
  return reason;
}

function periodOf(change: PurchaseChange, details: ChangeDetails): PurchaseEventData['period'] {
  const { expiresAt, freeTrial, purchasedAt } = change.transaction;
  if (expiresAt === null) return null;
  const kind = details.offerType === null ? 'standard' : 'offer';
  return {
    kind: freeTrial ? 'trial' : kind,
    startsAt: new Date(purchasedAt).toISOString(),
    endsAt: isoOf(expiresAt),
    graceEndsAt: isoOf(details.graceExpiresAt),
  };
}

function dataOf(key: ChainKey, change: PurchaseChange, details: ChangeDetails): PurchaseEventData {
  const { transaction } = change;
  const { offerType, offerIdentifier, currency, priceMilliunits } = details;
  const scale = currency === null ? null : 10 ** (minorExponent(currency) - 3);
  const isKnown = scale !== null && priceMilliunits !== null;
  return {
    appId: key.appId,
    environment: key.environment,
    store: 'app_store',
    entitlements: [],
    ...chainField(key.chainId),
    transactionId: transaction.transactionId,
    productId: transaction.productId,
    productType: transaction.type,
    previousProductId: change.previousProductId,
    userIds: details.userIds,
    anonymousIds: details.anonymousIds,
    appAccountToken: transaction.appAccountToken,
    ownership: transaction.ownership,
    priceMinor: isKnown ? Math.round(priceMilliunits * scale) : null,
    currency,
    country: countryOfStorefront(details.storefront),
    period: periodOf(change, details),
    offer: offerType === null ? null : { type: OFFERS[offerType] ?? null, id: offerIdentifier },
    willRenew: transaction.expiresAt === null ? null : details.willRenew,
    reason: reasonOf(change, details),
    occurredAt: new Date(change.occurredAt).toISOString(),
  };
}

/** Stable over order and repetition of the facts. */
function eventIdOf(key: ChainKey, { type, transaction, occurredAt }: PurchaseChange): string {
  const { appId, environment } = key;
  // Cancellations and billing issues can repeat within a period; other events cannot.
  const repeats = /cancel|reversed|billing/.test(type) ? occurredAt : '';
  const parts = [appId, environment, type, transaction.transactionId, repeats];
  return `evt_${new Bun.CryptoHasher('sha256').update(parts.join(' ')).digest('hex').slice(0, 32)}`;
}

/** Must run in the transaction that recorded the change and its holder. */
export async function announceChanges(
  tx: Tx,
  key: ChainKey,
  changes: readonly PurchaseChange[],
  at: Date,
): Promise<void> {
  for (const change of changes) {
    const details = await selectChangeDetails(tx, key, change.transaction.transactionId);
    const eventId = eventIdOf(key, change);
    await announce(tx, () => at, {
      orgId: key.orgId,
      type: change.type,
      data: dataOf(key, change, details),
      eventId,
      personIds: [...details.userIds, ...details.anonymousIds],
    });
    const message = messageOf(key, change, details);
    if (message)
      await enqueueMessage(tx, { orgId: key.orgId, at }, { messageId: eventId, ...message });
  }
}
