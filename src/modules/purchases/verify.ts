import type { DeviceContext } from '../../context.ts';
import type { SignedTransaction, TransactionSnapshot } from '../../providers/store-server/port.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import { claimChain, refuseClaim } from './claim.ts';
import type { ChainKey } from './facts-queries.ts';
import { readEntitlement } from './get-entitlement.ts';
import type { Entitlement, VerifyInput } from './model.ts';
import { openSigned } from './open-signed.ts';
import { selectErased } from './people-queries.ts';
import { recordFacts } from './record-facts.ts';
import { refreshChain, refreshTransaction } from './refresh.ts';
import { type PurchaseProfile, selectProfile } from './settings-queries.ts';

type Presented = VerifyInput & { address: string };

function open(
  { deps, appId }: DeviceContext,
  { signedTransaction, address }: Presented,
): Promise<SignedTransaction> {
  return openSigned(deps, `${appId} ${address}`, {
    open: () => deps.signatures.transaction(signedTransaction),
    refusal: (cause) =>
      new AppError('invalid_transaction', 'The transaction is not signed by the store.', {
        hint: `signedTransaction: ${cause.fault}`,
        cause,
      }),
  });
}

function checkApp(profile: PurchaseProfile, transaction: TransactionSnapshot): void {
  if (profile.bundleId === transaction.bundleId) return;
  throw new AppError('transaction_not_for_app', 'The transaction belongs to another app.', {
    hint:
      profile.bundleId === null
        ? 'The app has no bundle id yet: link it to its store app.'
        : 'signedTransaction: its bundle id must be that of the app of this key',
  });
}

/** What the device has is enough to answer; a store that is away must not fail the purchase. */
async function askToo(
  ctx: DeviceContext,
  bundleId: string,
  transaction: TransactionSnapshot,
): Promise<void> {
  const { environment, originalTransactionId, transactionId } = transaction;
  const input = { appId: ctx.appId, bundleId, environment, originalTransactionId };
  try {
    if (transaction.expiresAt !== null) await refreshChain(ctx, input);
    else await refreshTransaction(ctx, { ...input, transactionId });
  } catch (err) {
    ctx.deps.log.warn({ err, appId: ctx.appId }, 'The store could not be asked about a purchase');
  }
}

type Who = { userId: string | null; anonymousId: string | null };

/** Whom to tie a purchase to; ids of people who were erased are as good as not sent. */
async function presenter(ctx: DeviceContext, input: VerifyInput): Promise<Who> {
  const sent: Who = { userId: input.userId ?? null, anonymousId: input.anonymousId ?? null };
  const ids = [sent.userId, sent.anonymousId].filter((id) => id !== null);
  if (ids.length === 0) return sent;
  const erased = await selectErased(ctx.deps.sql, ctx, ids);
  const kept = (id: string | null) => (id !== null && erased.has(id) ? null : id);
  return { userId: kept(sent.userId), anonymousId: kept(sent.anonymousId) };
}

/**
 * Takes a completed purchase from a device: verified offline, linked to who presents it, and asked
 * about at the store when a key is connected. Answers for the transaction's own environment. Throws
 * `invalid_transaction`, `transaction_not_for_app`, `conflict` and `rate_limited`.
 */
export async function verifyPurchase(ctx: DeviceContext, input: Presented): Promise<Entitlement> {
  const { deps, orgId, appId } = ctx;
  const signed = await open(ctx, input);
  const transaction = signed.snapshot;
  const profile = await selectProfile(deps.sql, { orgId, appId });
  if (!profile) throw notFound();
  checkApp(profile, transaction);
  const { environment, originalTransactionId } = transaction;
  const key: ChainKey = { orgId, appId, environment, originalTransactionId };
  const { userId, anonymousId } = await presenter(ctx, input);
  const at = deps.clock();
  const decision = await deps.sql.begin(async (tx) => {
    const nothing = { renewal: null, status: null };
    await recordFacts(tx, key, { transaction: signed, ...nothing, checkedAt: at, receivedAt: at });
    const actor = { kind: 'device' as const, keyId: ctx.keyId };
    const rule = profile.settings.ownership;
    return claimChain(tx, key, { rule, userId, anonymousId, actor, at });
  });
  refuseClaim(decision);
  if (profile.hasKey) await askToo(ctx, transaction.bundleId, transaction);
  const isNamed = userId !== null || anonymousId !== null;
  return readEntitlement(ctx, {
    ids: {
      userId,
      anonymousId,
      appAccountToken: transaction.appAccountToken,
      // Without a name the transaction itself is all that is known of the person.
      originalTransactionId: isNamed ? null : originalTransactionId,
    },
    productId: null,
    environment,
    // It was asked just now, whatever came of it.
    mayAsk: false,
  });
}
