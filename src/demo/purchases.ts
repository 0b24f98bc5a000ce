import type { OrgContext } from '../context.ts';
import { recordSimulatedChain } from '../modules/purchases/index.ts';
import { at } from '../shared/assert.ts';
import type { DemoChain } from './subscribers.ts';

export type PurchaseScope = { ctx: OrgContext<'clock' | 'sql'>; appId: string; keyId: string };

/** Records what the store would have told of each chain, and who holds it. */
export async function recordChains(
  { ctx, appId, keyId }: PurchaseScope,
  chains: readonly DemoChain[],
  { areNews = false }: { areNews?: boolean } = {},
): Promise<void> {
  for (const { chainId, userId, anonymousId, facts } of chains) {
    const key = {
      store: 'app_store' as const,
      orgId: ctx.orgId,
      appId,
      environment: 'Production' as const,
      chainId,
    };
    const claim = {
      rule: 'transfer' as const,
      userId,
      anonymousId,
      actor: { kind: 'device' as const, keyId },
      at: at(facts, 0).checkedAt,
    };
    await recordSimulatedChain(ctx, key, { facts, claim, isNews: areNews });
  }
}

const newestMs = ({ facts }: DemoChain) => facts.at(-1)?.checkedAt.getTime() ?? 0;

const statusOf = ({ facts }: DemoChain) => facts.at(-1)?.status?.status;

/** What people want to be told of: a new subscription, a refund, a payment that failed. */
const TOLD: readonly ((chain: DemoChain) => boolean)[] = [
  (chain) => chain.facts.length === 1,
  (chain) => statusOf(chain) === 'revoked',
  (chain) => statusOf(chain) === 'retry' || statusOf(chain) === 'grace',
];

/** The newest chain of each kind that people are told of, and all others. */
export function apartFromNews(chains: readonly DemoChain[]): {
  earlier: DemoChain[];
  news: DemoChain[];
} {
  const sorted = chains.toSorted((one, other) => newestMs(one) - newestMs(other));
  const news = TOLD.flatMap((isTold) => sorted.findLast(isTold) ?? []);
  return { earlier: sorted.filter((chain) => !news.includes(chain)), news };
}
