import type { SystemContext } from '../../../context.ts';
import { AssertionError } from '../../../shared/assert.ts';
import { selectDemos } from '../../demo/index.ts';
import { announceChanges } from '../ledger/announce-changes.ts';
import type { PurchaseChange } from '../ledger/changes.ts';
import { type Facts, recordFacts } from '../ledger/record-facts.ts';
import type { ChainKey } from '../model/chain.ts';
import { type Claim, claimChain } from '../ownership/claim.ts';

export type SimulatedChain = {
  /** Oldest first, as from the store. */
  facts: readonly Facts[];
  claim: Claim;
  /** Announces to webhooks and messages, as a change of this moment. */
  isNews?: boolean;
};

/** Unsigned, so for demo organizations only, never over HTTP. */
export async function recordSimulatedChain(
  { deps }: SystemContext<'clock' | 'sql'>,
  key: ChainKey,
  { facts, claim, isNews = false }: SimulatedChain,
): Promise<void> {
  const demos = await selectDemos(deps.sql);
  if (!demos.some(({ orgId }) => orgId === key.orgId)) {
    throw new AssertionError(`${key.orgId} is no organization of the demo.`);
  }
  await deps.sql.begin(async (tx) => {
    const changes: PurchaseChange[] = [];
    for (const each of facts) changes.push(...(await recordFacts(tx, key, each)));
    await claimChain(tx, key, claim);
    if (isNews) await announceChanges(tx, key, changes, deps.clock());
  });
}
