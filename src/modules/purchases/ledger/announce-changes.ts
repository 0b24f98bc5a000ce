import { spellingsOf } from '../../../shared/account-token.ts';
import { isReal } from '../../../shared/environment.ts';
import { minorOfMilliunits } from '../../../shared/money.ts';
import { msToIso } from '../../../shared/ms-to-iso.ts';
import { countryOfStorefront } from '../../../shared/storefront.ts';
import { listedOrNull } from '../../../shared/word-codes.ts';
import type { Tx } from '../../../storage/postgres.ts';
import { enqueueMessage, type PurchaseNews, purchaseLine } from '../../messages/index.ts';
import { announce, type PurchaseEventData } from '../../webhooks/index.ts';
import type { ChainKey } from '../model/chain.ts';
import { chainField } from '../model/wire.ts';
import { type ChangeDetails, selectChangeDetails } from './change-details-queries.ts';
import type { PurchaseChange } from './changes.ts';
import { isFirstOfChain, periodKind } from './period.ts';

const WHOLE_MILLIUNITS = 100_000;

function toNews({ type, transaction }: PurchaseChange): PurchaseNews['kind'] | null {
  switch (type) {
    case 'subscription.started.v1':
    case 'subscription.trial_started.v1':
      return isFirstOfChain(transaction) ? 'subscriber' : null;
    case 'purchase.refunded.v1':
      return 'refund';
    case 'subscription.billing_issue.v1':
      return 'billing_problem';
    default:
      return null;
  }
}

/** Production only, without family members. */
function toPurchaseMessage(
  { appId, environment }: Pick<ChainKey, 'appId' | 'environment'>,
  change: PurchaseChange,
  details: Pick<ChangeDetails, 'priceMilliunits' | 'currency' | 'refundedMilliunits'>,
): { appId: string; kind: PurchaseNews['kind']; text: string } | null {
  const kind = toNews(change);
  const { ownership, productId } = change.transaction;
  if (kind === null || !isReal(environment) || ownership !== 'purchased') return null;
  const { priceMilliunits: price, currency, refundedMilliunits } = details;
  const share = kind === 'refund' ? (refundedMilliunits ?? WHOLE_MILLIUNITS) : WHOLE_MILLIUNITS;
  const priceMilliunits = price === null ? null : (price * share) / WHOLE_MILLIUNITS;
  const isTrial = periodKind(change.transaction) === 'trial';
  const text = purchaseLine({ kind, productId, priceMilliunits, currency, isTrial });
  return { appId, kind, text };
}

const accountOf = ({ transaction: { appAccountToken } }: PurchaseChange) =>
  appAccountToken === null ? [] : spellingsOf(appAccountToken);

const msToIsoOrNull = (ms: number | null) => (ms === null ? null : msToIso(ms));

function toReason({ type, reason }: PurchaseChange, details: ChangeDetails): string | null {
  if (type === 'subscription.expired.v1') return listedOrNull(details.expiryReason);
  if (type === 'purchase.refunded.v1') return listedOrNull(details.refundReason);
  return reason;
}

function toPeriod(change: PurchaseChange, details: ChangeDetails): PurchaseEventData['period'] {
  const { expiresAt, purchasedAt, startsAt = purchasedAt } = change.transaction;
  if (expiresAt === null) return null;
  const isTrial = periodKind(change.transaction) === 'trial';
  return {
    kind: isTrial ? 'trial' : details.offer === null ? 'standard' : 'offer',
    startsAt: msToIso(startsAt),
    endsAt: msToIso(expiresAt),
    graceEndsAt: msToIsoOrNull(details.graceExpiresAt),
  };
}

function toEventData(
  key: ChainKey,
  change: PurchaseChange,
  details: ChangeDetails,
): PurchaseEventData {
  const { transaction } = change;
  const { offer, offerId, currency, priceMilliunits } = details;
  const isKnown = currency !== null && priceMilliunits !== null;
  return {
    appId: key.appId,
    environment: key.environment,
    store: key.store,
    entitlements: details.entitlements,
    ...chainField(key.chainId),
    transactionId: transaction.transactionId,
    productId: transaction.productId,
    productType: transaction.type,
    previousProductId: change.previousProductId,
    userIds: details.userIds,
    anonymousIds: details.anonymousIds,
    appAccountToken: transaction.appAccountToken,
    ownership: transaction.ownership,
    priceMinor: isKnown ? minorOfMilliunits(priceMilliunits, currency) : null,
    currency,
    country: countryOfStorefront(details.storefront),
    period: toPeriod(change, details),
    offer: offer === null ? null : { type: listedOrNull(offer), id: offerId },
    willRenew: transaction.expiresAt === null ? null : details.willRenew,
    reason: toReason(change, details),
    occurredAt: new Date(change.occurredAt).toISOString(),
  };
}

/** Stable over order and repetition of the facts. */
function makeEventId(key: ChainKey, { type, transaction, occurredAt }: PurchaseChange): string {
  const { appId, environment } = key;
  // Only these can repeat within a period.
  const repeats = /cancel|refund|unshared|billing/.test(type) ? occurredAt : '';
  const parts = [appId, environment, type, transaction.transactionId, repeats];
  return `evt_${new Bun.CryptoHasher('sha256').update(parts.join(' ')).digest('hex').slice(0, 32)}`;
}

/** In the transaction of the change. */
export async function announceChanges(
  tx: Tx,
  key: ChainKey,
  changes: readonly PurchaseChange[],
  at: Date,
): Promise<void> {
  for (const change of changes) {
    const details = await selectChangeDetails(tx, key, {
      transactionId: change.transaction.transactionId,
      previousProductId: change.previousProductId,
    });
    const eventId = makeEventId(key, change);
    await announce(tx, () => at, {
      orgId: key.orgId,
      type: change.type,
      data: toEventData(key, change, details),
      eventId,
      names: details.names,
      personIds: [...details.userIds, ...details.anonymousIds, ...accountOf(change)],
    });
    const message = toPurchaseMessage(key, change, details);
    if (message)
      await enqueueMessage(tx, { orgId: key.orgId, at }, { messageId: eventId, ...message });
  }
}
