import type { OrgContext } from '../context.ts';
import { recordSimulatedChain } from '../modules/purchases/index.ts';
import { at } from '../shared/assert.ts';
import type { DemoChain } from './subscribers.ts';

export type PurchaseScope = { ctx: OrgContext<'sql'>; appId: string; keyId: string };

/** Records what the store would have told of each chain, and who holds it. */
export async function recordChains(
  { ctx, appId, keyId }: PurchaseScope,
  chains: readonly DemoChain[],
): Promise<void> {
  for (const { originalTransactionId, userId, anonymousId, facts } of chains) {
    const key = {
      orgId: ctx.orgId,
      appId,
      environment: 'Production' as const,
      originalTransactionId,
    };
    const claim = {
      rule: 'transfer' as const,
      userId,
      anonymousId,
      actor: { kind: 'device' as const, keyId },
      at: at(facts, 0).checkedAt,
    };
    await recordSimulatedChain(ctx, key, { facts, claim });
  }
}

const newestMs = ({ facts }: DemoChain) => facts.at(-1)?.checkedAt.getTime() ?? 0;

/** The chains that changed last, which the webhooks tell of, and all others. */
export function apartFromNewest(
  chains: readonly DemoChain[],
  count: number,
): { earlier: DemoChain[]; newest: DemoChain[] } {
  const sorted = chains.toSorted((one, other) => newestMs(one) - newestMs(other));
  return { earlier: sorted.slice(0, -count), newest: sorted.slice(-count) };
}
