import type { DeviceContext } from '../../../context.ts';
import { isAcknowledgementDue } from '../../../providers/play-store/port.ts';
import { toAccountToken } from '../../../shared/account-token.ts';
import { AppError, notFound } from '../../../shared/errors.ts';
import { toGoogleError } from '../../../shared/google-errors.ts';
import * as entitlements from '../entitlement/get-entitlement.ts';
import { selectProfile } from '../entitlement/settings-queries.ts';
import { announceChanges } from '../ledger/announce-changes.ts';
import { keepOffering } from '../ledger/offering-queries.ts';
import type { Entitlement, PlayVerifyInput } from '../model/wire.ts';
import { claimChain, refuseClaim, resolveClaimant } from '../ownership/claim.ts';
import { askOfAnyKind, type PlayAnswer, type PlayQuestion } from './ask.ts';
import { type OpenPlayKey, openPlayKey } from './connection.ts';
import { acknowledgePurchase } from './next-ask.ts';
import { selectSettledOrders, tokenHash } from './purchases-queries.ts';
import { isOfTheToken } from './read-orders.ts';
import { recordPurchase } from './record-purchase.ts';

type PlayVerifyContext = entitlements.EntitlementContext & DeviceContext<'playStore'>;

async function openKey(ctx: PlayVerifyContext): Promise<OpenPlayKey> {
  const opened = await openPlayKey(ctx, ctx.appId);
  if (opened) return opened;
  throw new AppError('store_not_connected', 'Google Play is not connected for this app.');
}

async function ask(
  { deps }: PlayVerifyContext,
  opened: OpenPlayKey,
  question: PlayQuestion,
): Promise<PlayAnswer> {
  try {
    return await askOfAnyKind(deps, opened, question);
  } catch (cause) {
    if (!isOfTheToken(cause)) throw toGoogleError(cause);
    throw new AppError('invalid_transaction', 'Google Play has no such purchase of this app.', {
      hint: 'purchaseToken: must be of a purchase of this app',
      cause,
    });
  }
}

/** Throws `invalid_transaction`, `store_not_connected`, `conflict`, and the errors of Google Play. */
export async function verifyPlayPurchase(
  ctx: PlayVerifyContext,
  input: PlayVerifyInput,
): Promise<Entitlement> {
  const { deps, orgId, appId } = ctx;
  const { purchaseToken } = input;
  const opened = await openKey(ctx);
  const askedAt = deps.clock();
  const scope = { orgId, appId };
  const settledOrders = await selectSettledOrders(deps.sql, scope, tokenHash(purchaseToken));
  const answer = await ask(ctx, opened, { kind: 'subscription', purchaseToken, settledOrders });
  const profile = await selectProfile(deps.sql, scope);
  if (!profile) throw notFound();
  const { userId, anonymousId } = await resolveClaimant(ctx, input);
  const at = deps.clock();
  const { packageName } = opened;
  const { key, decision } = await deps.sql.begin(async (tx) => {
    const record = { packageName, purchaseToken, answer, askedAt, at };
    const { key: recorded, changes } = await recordPurchase(tx, scope, record);
    if (input.offering !== undefined) await keepOffering(tx, recorded, input.offering);
    const actor = { kind: 'device' as const, keyId: ctx.keyId };
    const rule = profile.settings.ownership;
    const claim = { rule, userId, anonymousId, actor, at, changes };
    const claimed = await claimChain(tx, recorded, claim);
    await announceChanges(tx, recorded, changes, at);
    return { key: recorded, decision: claimed };
  });
  refuseClaim(decision);
  if (isAcknowledgementDue(answer)) {
    const { kind } = answer;
    await acknowledgePurchase(deps, opened, { ...scope, purchaseToken, kind, tries: 0 });
  }
  const isNamed = userId !== null || anonymousId !== null;
  return entitlements.readEntitlement(ctx, {
    ids: {
      userId,
      anonymousId,
      appAccountToken: toAccountToken(answer.purchase.accountId),
      // Without ids, the purchase stands for the person.
      chainId: isNamed ? null : key.chainId,
    },
    wanted: entitlements.ANYTHING,
    environment: key.environment,
    mayRefresh: false,
  });
}
