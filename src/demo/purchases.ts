import type { OrgContext, SystemContext } from '../context.ts';
import { selectDemos } from '../modules/demo/index.ts';
import { announceChanges } from '../modules/purchases/ledger/announce-changes.ts';
import type { PurchaseChange } from '../modules/purchases/ledger/changes.ts';
import { recordFacts } from '../modules/purchases/ledger/record-facts.ts';
import type { ChainKey } from '../modules/purchases/model/chain.ts';
import { type Claim, claimChain } from '../modules/purchases/ownership/claim.ts';
import { AssertionError, at } from '../shared/assert.ts';
import { REAL_PURCHASES } from '../shared/environment.ts';
import type { DemoChain } from './subscribers.ts';

type SimulatedChain = {
  facts: DemoChain['facts'];
  claim: Claim;
  /** Announced to webhooks and messages, as of this moment. */
  isNew?: boolean;
};

/** Unsigned, so for demo organizations only. */
export async function recordSimulatedChain(
  { deps }: SystemContext<'clock' | 'sql'>,
  key: ChainKey,
  { facts, claim, isNew = false }: SimulatedChain,
): Promise<void> {
  const demos = await selectDemos(deps.sql);
  if (!demos.some(({ orgId }) => orgId === key.orgId)) {
    throw new AssertionError(`${key.orgId} is no organization of the demo.`);
  }
  await deps.sql.begin(async (tx) => {
    const changes: PurchaseChange[] = [];
    for (const each of facts) changes.push(...(await recordFacts(tx, key, each)));
    await claimChain(tx, key, { ...claim, changes });
    if (isNew) await announceChanges(tx, key, changes, deps.clock());
  });
}

export type PurchaseScope = { ctx: OrgContext<'clock' | 'sql'>; appId: string; keyId: string };

export async function recordChains(
  { ctx, appId, keyId }: PurchaseScope,
  chains: readonly DemoChain[],
  { areNew = false }: { areNew?: boolean } = {},
): Promise<void> {
  for (const { chainId, userId, anonymousId, facts } of chains) {
    const key = {
      store: 'app_store' as const,
      orgId: ctx.orgId,
      appId,
      environment: REAL_PURCHASES,
      chainId,
    };
    const claim = {
      rule: 'transfer' as const,
      userId,
      anonymousId,
      actor: { kind: 'device' as const, keyId },
      at: at(facts, 0).checkedAt,
    };
    await recordSimulatedChain(ctx, key, { facts, claim, isNew: areNew });
  }
}

const newestMs = ({ facts }: DemoChain) => facts.at(-1)?.checkedAt.getTime() ?? 0;

const lastStatus = ({ facts }: DemoChain) => facts.at(-1)?.status?.status;

const MESSAGES: readonly ((chain: DemoChain) => boolean)[] = [
  (chain) => chain.facts.length === 1,
  (chain) => lastStatus(chain) === 'revoked',
  (chain) => lastStatus(chain) === 'retry' || lastStatus(chain) === 'grace',
];

export function splitNewest(chains: readonly DemoChain[]): {
  earlier: DemoChain[];
  newest: DemoChain[];
} {
  const sorted = chains.toSorted((one, other) => newestMs(one) - newestMs(other));
  const newest = MESSAGES.flatMap((isKind) => sorted.findLast(isKind) ?? []);
  return { earlier: sorted.filter((chain) => !newest.includes(chain)), newest };
}
