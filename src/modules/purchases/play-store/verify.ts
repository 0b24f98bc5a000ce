import type { DeviceContext } from '../../../context.ts';
import type { PlaySubscription } from '../../../providers/play-store/port.ts';
import { AppError, notFound } from '../../../shared/errors.ts';
import { ProviderError } from '../../../shared/provider-error.ts';
import {
  ANYTHING,
  type EntitlementContext,
  readEntitlement,
} from '../entitlement/get-entitlement.ts';
import { selectProfile } from '../entitlement/settings-queries.ts';
import type { Entitlement, PlayVerifyInput } from '../model/wire.ts';
import { claimChain, refuseClaim } from '../ownership/claim.ts';
import { resolveClaimant } from '../ownership/claimant.ts';
import { acknowledgePurchase } from './acknowledge.ts';
import { toPlayError } from './play-errors.ts';
import { type OpenPlayKey, openPlayKey } from './play-key.ts';
import { isAcknowledgementDue, recordAndAnnounce } from './record-purchase.ts';
import { accountTokenOf } from './to-facts.ts';

type PlayVerifyContext = EntitlementContext & DeviceContext<'playStore'>;

async function openKey(ctx: PlayVerifyContext): Promise<OpenPlayKey> {
  const opened = await openPlayKey(ctx, ctx.appId);
  if (opened) return opened;
  throw new AppError('store_not_connected', 'Google Play is not connected for this app.');
}

const UNKNOWN: ReadonlySet<string> = new Set(['invalid', 'not_found']);

async function ask(
  { deps }: PlayVerifyContext,
  { key, packageName }: OpenPlayKey,
  purchaseToken: string,
): Promise<PlaySubscription> {
  try {
    return await deps.playStore.subscription(key, { packageName, purchaseToken });
  } catch (cause) {
    if (!(cause instanceof ProviderError) || !UNKNOWN.has(cause.failure)) throw toPlayError(cause);
    throw new AppError('invalid_transaction', 'Google Play has no such purchase of this app.', {
      hint: 'purchaseToken: must be of a subscription of this app',
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
  const subscription = await ask(ctx, opened, purchaseToken);
  const profile = await selectProfile(deps.sql, { orgId, appId });
  if (!profile) throw notFound();
  const { userId, anonymousId } = await resolveClaimant(ctx, input);
  const at = deps.clock();
  const { packageName } = opened;
  const { key, decision } = await deps.sql.begin(async (tx) => {
    const record = { packageName, purchaseToken, subscription, at };
    const recorded = await recordAndAnnounce(tx, { orgId, appId }, record);
    const actor = { kind: 'device' as const, keyId: ctx.keyId };
    const rule = profile.settings.ownership;
    const claimed = await claimChain(tx, recorded, { rule, userId, anonymousId, actor, at });
    return { key: recorded, decision: claimed };
  });
  refuseClaim(decision);
  if (isAcknowledgementDue(subscription)) {
    await acknowledgePurchase(deps, { orgId, appId, purchaseToken, tries: 0 });
  }
  const isNamed = userId !== null || anonymousId !== null;
  return readEntitlement(ctx, {
    ids: {
      userId,
      anonymousId,
      appAccountToken: accountTokenOf(subscription),
      // Without ids, the purchase stands for the person.
      chainId: isNamed ? null : key.chainId,
    },
    wanted: ANYTHING,
    environment: key.environment,
    mayRefresh: false,
  });
}
