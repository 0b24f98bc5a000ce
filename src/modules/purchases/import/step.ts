import type { SystemContext } from '../../../context.ts';
import { selectErased } from '../../../event-store/people.ts';
import { spellingsOf } from '../../../shared/account-token.ts';
import { errorMessage } from '../../../shared/errors.ts';
import { ProviderError } from '../../../shared/provider-error.ts';
import type { SignedTransaction } from '../../../shared/purchase.ts';
import type { ImportRunInput } from '../../../temporal/contracts/purchases.ts';
import { selectProfile } from '../entitlement/settings-queries.ts';
import { recordFacts } from '../ledger/record-facts.ts';
import { type OpenStore, type StoreNeeds, toStoreError } from '../model/store.ts';
import type { OwnershipRule } from '../model/wire.ts';
import { claimChain } from '../ownership/claim.ts';
import { openStores } from '../store-doors/stores.ts';
import type { ImportRefusal } from './model.ts';
import * as queries from './queries.ts';

const ROWS_A_STEP = 25;

type StepContext = SystemContext<StoreNeeds>;

export type ImportStep = { rows: number; goesOn: boolean };

type Found = { store: OpenStore; signed: SignedTransaction };

async function findTransaction(
  stores: readonly OpenStore[],
  { chainId }: queries.WaitingRow,
): Promise<Found | null> {
  for (const store of stores) {
    const signed = await store.findTransaction(chainId);
    if (signed) return { store, signed };
  }
  return null;
}

/** An existing owner stays, unless the app shares purchases. */
async function bind(
  { deps }: StepContext,
  row: queries.WaitingRow,
  { store, signed, rule }: Found & { rule: OwnershipRule },
): Promise<ImportRefusal | null> {
  const { orgId, appId, userId } = row;
  const { environment, chainId } = signed.snapshot;
  const key = { store: store.name, orgId, appId, environment, chainId };
  const at = deps.clock();
  return deps.sql.begin(async (tx) => {
    const facts = { transaction: signed, renewal: null, status: null };
    const changes = await recordFacts(tx, key, { ...facts, checkedAt: at, receivedAt: at });
    const actor = { kind: 'system' as const };
    const claim = { userId, anonymousId: null, actor, at, changes };
    const decision = await claimChain(tx, key, {
      ...claim,
      rule: rule === 'share' ? 'share' : 'keep',
    });
    if (decision.kind === 'conflict') return 'other_account';
    return decision.kind === 'change' && decision.action === 'kept' ? 'held_by_another' : null;
  });
}

async function importRow(
  ctx: StepContext,
  row: queries.WaitingRow,
  { stores, rule }: { stores: OpenStore[]; rule: OwnershipRule },
): Promise<ImportRefusal | null> {
  const spellings = spellingsOf(row.userId);
  if ((await selectErased(ctx.deps.sql, row, spellings)).size > 0) return 'erased_person';
  const found = await findTransaction(stores, row);
  if (!found) return 'unknown_transaction';
  if (found.signed.snapshot.bundleId !== found.store.bundleId) return 'other_app';
  return bind(ctx, row, { ...found, rule });
}

export async function importPurchases(
  ctx: StepContext,
  { orgId, appId }: ImportRunInput,
): Promise<ImportStep> {
  const { deps } = ctx;
  const scope = { orgId, appId };
  const profile = await selectProfile(deps.sql, scope);
  const stores = await openStores({ deps, orgId }, appId);
  if (!profile || stores.length === 0) {
    await queries.noteImports(deps.sql, scope, 'No purchase key is connected for the app.');
    return { rows: 0, goesOn: false };
  }
  const rule = profile.settings.ownership;
  const rows = await queries.selectWaiting(deps.sql, scope, ROWS_A_STEP);
  try {
    for (const row of rows) {
      await queries.settleRow(deps.sql, row, await importRow(ctx, row, { stores, rule }));
    }
  } catch (thrown) {
    if (!(thrown instanceof ProviderError)) throw thrown;
    await queries.noteImports(deps.sql, scope, errorMessage(thrown));
    throw toStoreError(thrown);
  }
  await queries.noteImports(deps.sql, scope, null);
  await queries.finishImports(deps.sql, scope, deps.clock());
  return { rows: rows.length, goesOn: rows.length === ROWS_A_STEP };
}
