import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Chain, judgeEntitlement } from '../../../src/modules/purchases/entitlement/rules.ts';
import { digestChain } from '../../../src/modules/purchases/ledger/digest.ts';
import type { Entitlement } from '../../../src/modules/purchases/model/wire.ts';
import { CHAIN_STATUSES, type ChainStatus } from '../../../src/shared/purchase.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 4, 15);

type Given = {
  environment: 'Production' | 'Sandbox';
  status: ChainStatus | null;
  /** Days from now on which the period ends. */
  ends: number;
  revoked: boolean;
  shared: boolean;
};

const given: fc.Arbitrary<Given> = fc.record({
  environment: fc.constantFrom('Production', 'Sandbox'),
  status: fc.constantFrom(null, ...CHAIN_STATUSES),
  ends: fc.constantFrom(-90, -20, -1, 1, 20, 300),
  revoked: fc.boolean(),
  shared: fc.boolean(),
});

function chainOf(one: Given, index: number): Chain {
  const id = String(100 + index);
  const signedAt = NOW - 200 * DAY;
  const known = { environment: one.environment, chainId: id, signedAt };
  const expiresAt = NOW + one.ends * DAY;
  const digest = digestChain({
    chainId: id,
    transactions: [
      {
        ...known,
        bundleId: 'com.example.focus',
        transactionId: id,
        productId: 'pro.monthly',
        type: 'subscription',
        purchasedAt: signedAt,
        expiresAt,
        revokedAt: one.revoked ? NOW - DAY : null,
        upgraded: false,
        ownership: one.shared ? 'family_shared' : 'purchased',
        appAccountToken: null,
        freeTrial: false,
      },
    ],
    renewal: {
      ...known,
      willRenew: true,
      inBillingRetry: false,
      graceExpiresAt: one.status === 'grace' ? expiresAt + 16 * DAY : null,
      renewsAt: null,
    },
    status: one.status === null ? null : { status: one.status, asOf: signedAt, transactionId: id },
  });
  return { store: 'app_store', environment: one.environment, digest, checkedAtMs: NOW };
}

const WORTH: readonly Entitlement['status'][][] = [
  ['active'],
  ['billing_grace'],
  ['billing_retry'],
  ['revoked', 'expired'],
  ['none'],
];
const worth = ({ status }: Entitlement) => WORTH.findIndex((words) => words.includes(status));

const ask = (chains: readonly Chain[]): Entitlement =>
  judgeEntitlement(chains, {
    nowMs: NOW,
    leewayMs: DAY,
    productIds: null,
    environment: 'Production',
  }).entitlement;

test('the answer to several purchases is that of the best one, production before sandbox', () => {
  fc.assert(
    fc.property(fc.array(given, { minLength: 1, maxLength: 6 }), fc.nat(), (all, turn) => {
      const chains = all.map(chainOf);
      const best = ask(chains);
      const alone = chains.map((chain) => ask([chain]));
      expect(worth(best)).toBe(Math.min(...alone.map(worth)));
      expect(best.entitled).toBe(alone.some((one) => one.entitled));
      const equals = alone.filter((one) => worth(one) === worth(best));
      expect(equals).toContainEqual(best);
      const paid = equals.some(({ environment }) => environment === 'Production');
      expect(best.environment).toBe(paid ? 'Production' : 'Sandbox');
      const cut = turn % chains.length;
      expect(worth(ask([...chains.slice(cut), ...chains.slice(0, cut)]))).toBe(worth(best));
    }),
    { numRuns: 2_000 },
  );
});
