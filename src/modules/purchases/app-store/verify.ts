import type { DeviceContext } from '../../../context.ts';
import { AppError, notFound } from '../../../shared/errors.ts';
import type { SignedTransaction, Transaction } from '../../../shared/purchase.ts';
import * as entitlements from '../entitlement/get-entitlement.ts';
import { type PurchaseProfile, selectProfile } from '../entitlement/settings-queries.ts';
import { announceChanges } from '../ledger/announce-changes.ts';
import { keepOffering } from '../ledger/offering-queries.ts';
import { recordFacts } from '../ledger/record-facts.ts';
import type { ChainKey } from '../model/chain.ts';
import type { Entitlement, VerifyInput } from '../model/wire.ts';
import { claimChain, refuseClaim, resolveClaimant } from '../ownership/claim.ts';
import { APP_STORE } from './connection/model.ts';
import { openSigned } from './notifications/receive.ts';
import { refreshChain, refreshTransaction } from './refresh.ts';

type SentPurchase = VerifyInput & { address: string };
type Sent = Pick<SentPurchase, 'signedTransaction' | 'address'>;

function open(
  { deps, appId }: DeviceContext<'rateLimits' | 'signatures'>,
  { signedTransaction, address }: Sent,
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

function checkApp(profile: PurchaseProfile, transaction: Transaction): void {
  if (profile.bundleId === transaction.bundleId) return;
  throw new AppError('transaction_not_for_app', 'The transaction belongs to another app.', {
    hint:
      profile.bundleId === null
        ? 'The app has no bundle id yet: link it to its store app.'
        : 'signedTransaction: its bundle id must be that of the app of this key',
  });
}

/** Throws `invalid_transaction`, `transaction_not_for_app`. */
export async function openForApp(
  ctx: DeviceContext<'rateLimits' | 'signatures' | 'sql'>,
  sent: Sent,
): Promise<{ signed: SignedTransaction; profile: PurchaseProfile }> {
  const signed = await open(ctx, sent);
  const { orgId, appId } = ctx;
  const profile = await selectProfile(ctx.deps.sql, { orgId, appId });
  if (!profile) throw notFound();
  checkApp(profile, signed.snapshot);
  return { signed, profile };
}

async function refreshQuietly(
  ctx: DeviceContext<'clock' | 'log' | 'secrets' | 'sql' | 'storeServer'>,
  bundleId: string,
  transaction: Transaction,
): Promise<void> {
  const { environment, chainId, transactionId } = transaction;
  const input = { appId: ctx.appId, bundleId, environment, chainId };
  try {
    if (transaction.expiresAt !== null) await refreshChain(ctx, input);
    else await refreshTransaction(ctx, { ...input, transactionId });
  } catch (err) {
    ctx.deps.log.warn({ err, appId: ctx.appId }, 'purchase could not be refreshed from the store');
  }
}

/** Throws `invalid_transaction`, `transaction_not_for_app`, `conflict`, `rate_limited`. */
export async function verifyPurchase(
  ctx: entitlements.EntitlementContext & DeviceContext<'rateLimits' | 'signatures'>,
  input: SentPurchase,
): Promise<Entitlement> {
  const { deps, orgId, appId } = ctx;
  const { signed, profile } = await openForApp(ctx, input);
  const transaction = signed.snapshot;
  const { environment, chainId } = transaction;
  const key: ChainKey = { store: APP_STORE, orgId, appId, environment, chainId };
  const { userId, anonymousId } = await resolveClaimant(ctx, input);
  const at = deps.clock();
  const decision = await deps.sql.begin(async (tx) => {
    const facts = { transaction: signed, renewal: null, status: null };
    const changes = await recordFacts(tx, key, { ...facts, checkedAt: at, receivedAt: at });
    const actor = { kind: 'device' as const, keyId: ctx.keyId };
    const rule = profile.settings.ownership;
    const claim = { rule, userId, anonymousId, actor, at, changes };
    const claimed = await claimChain(tx, key, claim);
    if (input.offering !== undefined) await keepOffering(tx, key, input.offering);
    await announceChanges(tx, key, changes, at);
    return claimed;
  });
  refuseClaim(decision);
  if (profile.hasKey) await refreshQuietly(ctx, transaction.bundleId, transaction);
  const isNamed = userId !== null || anonymousId !== null;
  return entitlements.readEntitlement(ctx, {
    ids: {
      userId,
      anonymousId,
      appAccountToken: transaction.appAccountToken,
      // Without ids, the transaction stands for the person.
      chainId: isNamed ? null : chainId,
    },
    wanted: entitlements.ANYTHING,
    environment,
    // Refreshed above.
    mayRefresh: false,
  });
}
