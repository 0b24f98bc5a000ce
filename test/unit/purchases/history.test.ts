import { expect, test } from 'bun:test';
import { buildTimeline } from '../../../src/modules/purchases/customers/history.ts';
import type {
  CustomerTransaction,
  RenewalChange,
} from '../../../src/modules/purchases/customers/model.ts';
import type { PurchaseGrant } from '../../../src/modules/purchases/model/grant.ts';

const NOW = new Date('2026-11-21T09:00:00.000Z');
const at = (day: string) => `2026-${day}T09:00:00.000Z`;
const bought = (
  from: string,
  to: string,
  change: Partial<CustomerTransaction> = {},
): CustomerTransaction => ({
  transactionId: from,
  productId: 'pro',
  purchasedAt: at(from),
  expiresAt: at(to),
  revokedAt: null,
  refundedAt: change.upgraded || change.ownership ? null : (change.revokedAt ?? null),
  isAddOn: false,
  upgraded: false,
  freeTrial: false,
  ownership: 'purchased',
  priceMilliunits: 9990,
  currency: 'USD',
  storefront: 'USA',
  reason: null,
  ...change,
});
const note = (day: string, change: Partial<RenewalChange> = {}): RenewalChange => ({
  at: at(day),
  willRenew: true,
  renewsTo: 'pro',
  inBillingRetry: false,
  graceExpiresAt: null,
  expirationIntent: null,
  ...change,
});
const grant = (change: Partial<PurchaseGrant> = {}): PurchaseGrant => ({
  id: 'grt_1',
  userId: 'u1',
  productId: 'pro',
  expiresAt: null,
  note: null,
  grantedAt: at('01-01'),
  grantedBy: { kind: 'user', id: 'usr_1' },
  endedAt: null,
  endReason: null,
  ...change,
});

/** Day, kind and sentence, newest first. */
const told = (
  transactions: CustomerTransaction[],
  renewals: RenewalChange[] = [],
  grants: PurchaseGrant[] = [],
) =>
  buildTimeline([{ originalTransactionId: '1', transactions, renewals }], grants, NOW).map(
    ({ at: when, kind, sentence }) => [when.slice(5, 10), kind, sentence],
  );

test('a trial, its conversion and renewals are told with price and end, newest first', () => {
  const trial = { freeTrial: true, priceMilliunits: 0 };
  const all = [
    bought('10-21', '11-21', { expiresAt: at('12-21') }),
    bought('09-14', '10-21'),
    bought('09-07', '09-14', trial),
  ];
  expect(told(all)).toEqual([
    ['10-21', 'renewed', 'Renewed pro for 9.99 USD until 2026-12-21.'],
    ['09-14', 'renewed', 'Paid for pro after the trial for 9.99 USD until 2026-10-21.'],
    ['09-07', 'trial_started', 'Began the free trial of pro for nothing until 2026-09-14.'],
  ]);
});

test('an end is told where no period follows on it, and a return is told as one', () => {
  expect(told([bought('05-01', '06-01'), bought('08-01', '12-01')])).toEqual([
    ['08-01', 'bought', 'Bought pro again for 9.99 USD until 2026-12-01.'],
    ['06-01', 'ended', 'The period of pro ended.'],
    ['05-01', 'bought', 'Bought pro for 9.99 USD until 2026-06-01.'],
  ]);
});

test('a charge that comes late is a renewal, as the webhook of it', () => {
  const late = { purchasedAt: '2026-06-01T09:40:00.000Z' };
  const afterGrace = { purchasedAt: at('07-06'), startsAt: at('07-01') };
  const all = [
    ...[bought('05-01', '06-01'), bought('06-01', '07-01', late)],
    bought('07-01', '12-01', afterGrace),
  ];
  expect(told(all).map(([, kind]) => kind)).toEqual(['renewed', 'renewed', 'bought']);
});

test('a refund is told once, the proration of an upgrade is none, and a family may stop sharing', () => {
  expect(told([bought('09-01', '10-01', { revokedAt: at('09-03') })])[0]).toEqual([
    '09-03',
    'refunded',
    'The store refunded what was bought on 2026-09-01: pro.',
  ]);
  const upgraded = bought('09-01', '10-01', { upgraded: true, revokedAt: at('09-05') });
  const shared = bought('09-01', '10-01', { ...upgraded, ownership: 'family_shared' });
  expect(told([shared]).map(([, kind]) => kind)).toEqual(['bought']);
  const dearer = bought('09-05', '12-05', { productId: 'max', priceMilliunits: null });
  expect(told([upgraded, dearer]).map(([, kind, sentence]) => [kind, sentence])).toEqual([
    ['product_changed', 'Changed from pro to max until 2026-12-05.'],
    ['bought', 'Bought pro for 9.99 USD until 2026-10-01.'],
  ]);
  const family = bought('09-01', '10-01', { ownership: 'family_shared', revokedAt: at('09-02') });
  expect(told([family]).map(([, kind]) => kind)).toEqual(['unshared', 'bought']);
});

test('a failed payment says whether there is access, and the renewal is told when it changes', () => {
  const period = bought('11-01', '12-01');
  const notes = [
    note('11-02'),
    note('11-03', { willRenew: false }),
    note('11-04', { willRenew: false, renewsTo: 'max' }),
    note('11-05'),
    note('11-06', { inBillingRetry: true, graceExpiresAt: at('11-22') }),
    note('11-07', { inBillingRetry: true, willRenew: false }),
  ];
  expect(told([period], notes)).toEqual([
    [
      '11-06',
      'payment_failed',
      'The payment for pro failed; the store keeps trying, with access until 2026-11-22.',
    ],
    ['11-05', 'renewal_on', 'Switched the renewal of pro on again.'],
    ['11-03', 'renewal_off', 'The renewal of pro is off.'],
    ['11-01', 'bought', 'Bought pro for 9.99 USD until 2026-12-01.'],
  ]);
  const retry = note('11-06', { inBillingRetry: true, renewsTo: null });
  expect(told([], [retry])).toEqual([
    [
      '11-06',
      'payment_failed',
      'The payment for the subscription failed; the store keeps trying, without access meanwhile.',
    ],
  ]);
});

test('grants are told among purchases', () => {
  const revoked = { endedAt: at('02-01'), endReason: 'revoked' as const };
  const coins = bought('03-01', '03-01', { expiresAt: null, productId: 'coins' });
  expect(told([coins], [], [grant(revoked), grant({ expiresAt: at('12-31') })])).toEqual([
    ['03-01', 'bought', 'Bought coins for 9.99 USD.'],
    ['02-01', 'grant_ended', 'The grant of pro was revoked.'],
    ['01-01', 'granted', 'pro was granted without payment.'],
    ['01-01', 'granted', 'pro was granted without payment until 2026-12-31.'],
  ]);
});
