import type { SystemContext } from '../../../context.ts';
import { PushRefused } from '../../../providers/play-store/port.ts';
import type { AppScope } from '../../../shared/app.ts';
import { REAL_PURCHASES } from '../../../shared/environment.ts';
import { AppError, notFound } from '../../../shared/errors.ts';
import { toGoogleError } from '../../../shared/google-errors.ts';
import type { Tx } from '../../../storage/postgres.ts';
import { playPurchasesContract } from '../../../temporal/contracts/purchases.ts';
import { ensureSoon } from '../../../temporal/ensure.ts';
import { insertChargeback } from '../ledger/refund-requests-queries.ts';
import { noteNotification, selectPushTarget } from './connection-queries.ts';
import { pushAddress } from './connection.ts';
import { hintAtToken } from './due-queries.ts';
import { type Chargeback, readNotification } from './notification.ts';
import { tokenHash } from './purchases-queries.ts';
import { hintAtVoids } from './voids-queries.ts';

type Needs = 'clock' | 'config' | 'log' | 'playPushes' | 'rateLimits' | 'sql' | 'temporal';

export type ArrivedPush = {
  appId: string;
  /** Base64 of a notification. */
  data: string;
  authorization: string | null;
  sender: string;
};

async function checkSender(
  { deps }: SystemContext<Needs>,
  { appId, authorization, sender }: ArrivedPush,
  email: string,
): Promise<void> {
  // Per app: others' pushes come from the same addresses of Google.
  const counted = `${sender} ${appId}`;
  await deps.rateLimits.check('invalidSignature', counted);
  try {
    await deps.playPushes(authorization, { audience: pushAddress(deps.config, appId), email });
  } catch (cause) {
    if (!(cause instanceof PushRefused)) throw toGoogleError(cause);
    await deps.rateLimits.take('invalidSignature', counted);
    throw new AppError('invalid_signature', cause.message, {
      hint: 'authorization: must be the token that Google signs for the service account of `pushEmail`, with the address of the push as its audience',
      cause,
    });
  }
}

async function keepChargeback(
  tx: Tx,
  scope: AppScope,
  { eventMs, ...asked }: Chargeback,
  receivedAt: Date,
): Promise<void> {
  const requestId = `gp_${tokenHash(asked.refundToken).slice(0, 40)}`;
  const askedMs = Math.min(eventMs ?? Infinity, receivedAt.getTime());
  const key = { ...scope, environment: REAL_PURCHASES, requestId };
  await insertChargeback(tx, key, { ...asked, askedMs, receivedAt });
}

/** A hint to ask Google Play again. Throws `not_found`; `false`: nothing of this app. */
export async function receivePlayNotification(
  ctx: SystemContext<Needs>,
  arrived: ArrivedPush,
): Promise<{ received: boolean }> {
  const { deps } = ctx;
  const target = await selectPushTarget(deps.sql, arrived.appId);
  if (!target) throw notFound();
  await checkSender(ctx, arrived, target.pushEmail);
  const told = readNotification(arrived.data);
  if (told?.packageName !== target.packageName) {
    // Sent again and again otherwise.
    deps.log.warn({ appId: arrived.appId }, 'push of Google Play with nothing of its app');
    return { received: false };
  }
  const { orgId } = target;
  const scope = { orgId, appId: arrived.appId };
  const at = deps.clock();
  await deps.sql.begin(async (tx) => {
    await noteNotification(tx, scope, { at, isTest: told.isTest });
    if (told.isVoid) await hintAtVoids(tx, scope, at);
    if (told.token) await hintAtToken(tx, { ...scope, ...told.token, at });
    if (told.chargeback) await keepChargeback(tx, scope, told.chargeback, at);
  });
  if (told.isVoid || told.token) ensureSoon(deps, playPurchasesContract, scope);
  return { received: true };
}
