import { periodKind } from '../ledger/period.ts';
import { nameGranted, type PurchaseGrant } from '../model/grant.ts';
import { HOUR_MS, toIso } from '../../../shared/time.ts';
import { chainField, namedChain } from '../model/wire.ts';
import {
  type CustomerTransaction,
  HISTORY_MAX,
  type HistoryEntry,
  type RenewalChange,
} from './model.ts';

export type CustomerHistory = ReturnType<typeof chainField<string>> & {
  transactions: readonly CustomerTransaction[];
  renewals: readonly RenewalChange[];
};
type Entry = Omit<HistoryEntry, keyof ReturnType<typeof chainField>>;

const toDay = (iso: string): string => iso.slice(0, 10);
const until = (iso: string | null): string => (iso === null ? '' : ` until ${toDay(iso)}`);

function formatPrice({ priceMilliunits, currency }: CustomerTransaction): string {
  if (priceMilliunits === null || currency === null) return '';
  return priceMilliunits === 0 ? ' for nothing' : ` for ${priceMilliunits / 1_000} ${currency}`;
}

const goesOn = (end: string, { startsAt, purchasedAt }: CustomerTransaction): boolean =>
  Date.parse(startsAt ?? purchasedAt) - Date.parse(end) <= HOUR_MS;

export function describePurchase(
  one: CustomerTransaction,
  before: CustomerTransaction | undefined,
): Entry {
  const { productId, purchasedAt: at, expiresAt } = one;
  const rest = `${formatPrice(one)}${until(expiresAt)}.`;
  const said = (kind: HistoryEntry['kind'], what: string) => ({
    ...{ at, kind, productId },
    sentence: `${what}${rest}`,
  });
  if (one.ownership === 'family_shared') return said('bought', `The family shares ${productId}`);
  if (periodKind(one) === 'trial')
    return said('trial_started', `Began the free trial of ${productId}`);
  if (!before || expiresAt === null) return said('bought', `Bought ${productId}`);
  if (before.productId !== productId) {
    return said('product_changed', `Changed from ${before.productId} to ${productId}`);
  }
  if (periodKind(before) === 'trial') {
    return said('renewed', `Paid for ${productId} after the trial`);
  }
  return before.expiresAt !== null && !goesOn(before.expiresAt, one)
    ? said('bought', `Bought ${productId} again`)
    : said('renewed', `Renewed ${productId}`);
}

export function describeRefund(one: CustomerTransaction): Entry | null {
  const { productId, purchasedAt } = one;
  const isShared = one.ownership === 'family_shared';
  const at = isShared ? one.revokedAt : one.refundedAt;
  if (at === null || (isShared && one.upgraded)) return null;
  return {
    at,
    kind: isShared ? 'unshared' : 'refunded',
    sentence: isShared
      ? `The family no longer shares ${productId}.`
      : `The store refunded what was bought on ${toDay(purchasedAt)}: ${productId}.`,
    productId,
  };
}

/** End without a following period. */
function describeEnd(
  one: CustomerTransaction,
  next: CustomerTransaction | undefined,
  now: Date,
): Entry | null {
  const { productId, expiresAt, revokedAt, upgraded } = one;
  if (revokedAt !== null || expiresAt === null || upgraded || new Date(expiresAt) > now)
    return null;
  if (next && goesOn(expiresAt, next)) return null;
  return { at: expiresAt, kind: 'ended', sentence: `The period of ${productId} ended.`, productId };
}

/** Null when the renewal info repeats the one before. */
export function describeRenewal(
  note: Pick<RenewalChange, 'at' | 'willRenew' | 'renewsTo' | 'inBillingRetry' | 'graceExpiresAt'>,
  before: RenewalChange | undefined,
): Entry | null {
  const { at, renewsTo: productId } = note;
  const name = productId ?? 'the subscription';
  if (note.inBillingRetry && !before?.inBillingRetry) {
    const grace =
      note.graceExpiresAt === null
        ? 'without access meanwhile'
        : `with access${until(note.graceExpiresAt)}`;
    const sentence = `The payment for ${name} failed; the store keeps trying, ${grace}.`;
    return { at, kind: 'payment_failed', sentence, productId };
  }
  if (note.willRenew === (before?.willRenew ?? true) || note.inBillingRetry) return null;
  return note.willRenew
    ? { at, kind: 'renewal_on', sentence: `Switched the renewal of ${name} on again.`, productId }
    : { at, kind: 'renewal_off', sentence: `The renewal of ${name} is off.`, productId };
}

const isSame = (one: CustomerTransaction) => (other: CustomerTransaction) =>
  one.isAddOn ? other.productId === one.productId : !other.isAddOn;

function toHistory({ transactions, renewals, ...chain }: CustomerHistory, now: Date) {
  const ofChain = chainField(namedChain(chain));
  const bought = transactions.toSorted((a, b) => (a.purchasedAt < b.purchasedAt ? -1 : 1));
  const notes = renewals.toSorted((a, b) => (a.at < b.at ? -1 : 1));
  return [
    ...bought.map((one, index) =>
      describePurchase(one, bought.slice(0, index).findLast(isSame(one))),
    ),
    ...bought.map(describeRefund),
    ...bought.map((one, index) => describeEnd(one, bought.slice(index + 1).find(isSame(one)), now)),
    ...notes.map((note, index) => describeRenewal(note, notes[index - 1])),
  ].flatMap((entry) => (entry === null ? [] : [{ ...entry, ...ofChain }]));
}

function historyOfGrant(grant: PurchaseGrant): HistoryEntry[] {
  const { productId, grantedAt, expiresAt, endedAt, endReason } = grant;
  const of = { productId, ...chainField(null) };
  const what = nameGranted(grant);
  const sentence = `${what} was granted without payment${until(expiresAt)}.`;
  const granted = { ...of, at: grantedAt, kind: 'granted' as const, sentence };
  if (endedAt === null) return [granted];
  const how = endReason === 'revoked' ? 'was revoked' : 'ended';
  const ended = `The grant of ${what} ${how}.`;
  return [granted, { ...of, at: endedAt, kind: 'grant_ended', sentence: ended }];
}

export function buildTimeline(
  purchases: readonly CustomerHistory[],
  grants: readonly PurchaseGrant[],
  now: Date,
  rescindedAt: readonly Date[] = [],
): HistoryEntry[] {
  const consents = rescindedAt.map((at) => ({
    ...{ at: toIso(at), kind: 'consent_rescinded' as const, productId: null, ...chainField(null) },
    sentence: 'A parent or guardian withdrew consent to the use of the app.',
  }));
  return [
    ...purchases.flatMap((one) => toHistory(one, now)),
    ...grants.flatMap(historyOfGrant),
    ...consents,
  ]
    .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    .slice(0, HISTORY_MAX);
}
