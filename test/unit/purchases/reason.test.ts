import { expect, test } from 'bun:test';
import { explainEntitlement } from '../../../src/modules/purchases/customers/reason.ts';
import type { Entitlement } from '../../../src/modules/purchases/model/wire.ts';

const NOW = new Date('2026-11-21T09:00:00.000Z');
const PAID: Entitlement = {
  entitled: true,
  status: 'active',
  productId: 'pro',
  expiresAt: '2026-12-21T09:00:00.000Z',
  graceExpiresAt: null,
  willRenew: true,
  ownership: 'purchased',
  originalTransactionId: '1',
  environment: 'Production',
  checkedAt: NOW.toISOString(),
};
const past = '2026-11-20T09:00:00.000Z';
const not = { entitled: false, expiresAt: past } as const;
const facts = { transaction: null, granted: null, hidesSandbox: false, now: NOW };

test.each<[string, string, Partial<Entitlement>]>([
  ['paid', 'Paid for pro until 2026-12-21; it renews.', {}],
  ['lifetime', 'Bought pro, which does not end.', { expiresAt: null }],
  ['family_shared', 'The family shares pro until 2026-12-21.', { ownership: 'family_shared' }],
  ['granted', 'pro was granted without payment until 2026-12-21.', { ownership: null }],
  [
    'grace',
    "The payment for pro failed on 2026-11-20; the store's grace period runs until 2026-12-06.",
    { status: 'billing_grace', expiresAt: past, graceExpiresAt: '2026-12-06T09:00:00.000Z' },
  ],
  [
    'leeway',
    'pro ended on 2026-11-20 and the store has not confirmed its renewal yet.',
    { expiresAt: past },
  ],
  [
    'sandbox',
    'Bought pro in the sandbox, where nobody pays, until 2026-12-21.',
    { environment: 'Sandbox' },
  ],
  [
    'billing_retry',
    'The payment for pro failed; the period ended on 2026-11-20, and the store keeps trying.',
    { ...not, status: 'billing_retry' },
  ],
  ['expired', 'pro ended on 2026-11-20.', { ...not, status: 'expired' }],
  ['refunded', 'pro was refunded.', { ...not, status: 'revoked' }],
  [
    'refunded',
    'pro is no longer shared by the family.',
    { ...not, status: 'revoked', ownership: 'family_shared' },
  ],
  [
    'grant_ended',
    'The grant of pro ended on 2026-11-20.',
    { ...not, status: 'expired', ownership: null },
  ],
  ['grant_ended', 'The grant of pro was revoked.', { ...not, status: 'revoked', ownership: null }],
  [
    'nothing_bought',
    'Nothing is known that this person bought or was granted.',
    { ...not, status: 'none', ownership: null },
  ],
])('%s: %s', (code, sentence, change) => {
  const reason = explainEntitlement({ ...facts, entitlement: { ...PAID, ...change } });
  expect<{ code: string; sentence: string }>(reason).toEqual({ code, sentence });
});

test('a trial is told apart from what was paid', () => {
  const transaction = { freeTrial: true, purchasedAt: past };
  expect(explainEntitlement({ ...facts, entitlement: PAID, transaction })).toEqual({
    code: 'trial',
    sentence: 'In the free trial of pro until 2026-12-21; it renews.',
  });
});
