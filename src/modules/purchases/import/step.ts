import type { SystemContext } from '../../../context.ts';
import { type PurchaseKey, SignatureError } from '../../../providers/store-server/port.ts';
import { STORE_ENVIRONMENTS } from '../../../shared/environment.ts';
import { messageOf } from '../../../shared/errors.ts';
import { ProviderError } from '../../../shared/provider-error.ts';
import type { SignedTransaction } from '../../../shared/purchase.ts';
import type { ImportRunInput } from '../../../temporal/contracts/purchases.ts';
import { askStore, openPurchaseKey, toStoreError } from '../app-store/purchase-key.ts';
import { selectProfile } from '../entitlement/settings-queries.ts';
import { recordFacts } from '../ledger/record-facts.ts';
import type { OwnershipRule } from '../model/wire.ts';
import { claimChain } from '../ownership/claim.ts';
import { selectErased } from '../ownership/erasure-queries.ts';
import type { ImportRefusal } from './model.ts';
import {
  finishImports,
  noteImports,
  selectWaiting,
  settleRow,
  type WaitingRow,
} from './queries.ts';

/** Sequential rows keep a step short and far below the store's limits. */
const ROWS_A_STEP = 25;

type StepContext = SystemContext<'clock' | 'secrets' | 'sql' | 'storeServer'>;

export type ImportStep = { rows: number; goesOn: boolean };

async function findTransaction(
  { deps }: StepContext,
  key: PurchaseKey,
  { orgId, chainId }: WaitingRow,
): Promise<SignedTransaction | null> {
  for (const environment of STORE_ENVIRONMENTS) {
    try {
      return await askStore({ deps, orgId }, key, () =>
        deps.storeServer.transaction(key, environment, chainId),
      );
    } catch (thrown) {
      const isUnknown =
        thrown instanceof SignatureError ||
        (thrown instanceof ProviderError && ['invalid', 'not_found'].includes(thrown.failure));
      if (!isUnknown) throw thrown;
    }
  }
  return null;
}

/** An existing owner stays, unless the app shares purchases. */
async function bind(
  { deps }: StepContext,
  row: WaitingRow,
  { signed, rule }: { signed: SignedTransaction; rule: OwnershipRule },
): Promise<ImportRefusal | null> {
  const { orgId, appId, userId } = row;
  const { environment, chainId } = signed.snapshot;
  const key = { orgId, appId, environment, chainId };
  const at = deps.clock();
  return deps.sql.begin(async (tx) => {
    const facts = { transaction: signed, renewal: null, status: null };
    await recordFacts(tx, key, { ...facts, checkedAt: at, receivedAt: at });
    const claim = { userId, anonymousId: null, actor: { kind: 'system' as const }, at };
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
  row: WaitingRow,
  { key, rule }: { key: PurchaseKey; rule: OwnershipRule },
): Promise<ImportRefusal | null> {
  if ((await selectErased(ctx.deps.sql, row, [row.userId])).size > 0) return 'erased_person';
  const signed = await findTransaction(ctx, key, row);
  if (!signed) return 'unknown_transaction';
  if (signed.snapshot.bundleId !== key.bundleId) return 'other_app';
  return bind(ctx, row, { signed, rule });
}

/** Commits each row: a failed step resumes. */
export async function importPurchases(
  ctx: StepContext,
  { orgId, appId }: ImportRunInput,
): Promise<ImportStep> {
  const { deps } = ctx;
  const scope = { orgId, appId };
  const profile = await selectProfile(deps.sql, scope);
  const key =
    profile?.bundleId == null ? null : await openPurchaseKey({ deps, orgId }, profile.bundleId);
  if (!profile || !key) {
    await noteImports(deps.sql, scope, 'No purchase key is connected for the app.');
    return { rows: 0, goesOn: false };
  }
  const rule = profile.settings.ownership;
  const rows = await selectWaiting(deps.sql, scope, ROWS_A_STEP);
  try {
    for (const row of rows) {
      await settleRow(deps.sql, row, await importRow(ctx, row, { key, rule }));
    }
  } catch (thrown) {
    if (!(thrown instanceof ProviderError)) throw thrown;
    await noteImports(deps.sql, scope, messageOf(thrown));
    throw toStoreError(thrown);
  }
  await noteImports(deps.sql, scope, null);
  await finishImports(deps.sql, scope, deps.clock());
  return { rows: rows.length, goesOn: rows.length === ROWS_A_STEP };
}
