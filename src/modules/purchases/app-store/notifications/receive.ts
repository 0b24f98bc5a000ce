import type { Deps, SystemContext } from '../../../../context.ts';
import { type Notification, SignatureError } from '../../../../providers/store-server/port.ts';
import { AppError } from '../../../../shared/errors.ts';
import { purchaseNotificationContract } from '../../../../temporal/contracts/purchases.ts';
import { ensureSoon } from '../../../../temporal/ensure.ts';
import type { Received } from '../connection/model.ts';
import * as queries from './queries.ts';

/** Rate limits invalid signatures by sender. `refusal`: the error for an invalid one. */
export async function openSigned<T>(
  { rateLimits }: Pick<Deps, 'rateLimits'>,
  sender: string,
  work: { open: () => Promise<T>; refusal: (cause: SignatureError) => Error },
): Promise<T> {
  await rateLimits.check('invalidSignature', sender);
  try {
    return await work.open();
  } catch (cause) {
    if (!(cause instanceof SignatureError)) throw cause;
    await rateLimits.take('invalidSignature', sender);
    throw work.refusal(cause);
  }
}

function open(
  { deps }: SystemContext<'rateLimits' | 'signatures'>,
  signedPayload: string,
  address: string,
): Promise<Notification> {
  return openSigned(deps, address, {
    open: () => deps.signatures.notification(signedPayload),
    refusal: (cause) =>
      new AppError('invalid_signature', 'The notification is not signed by the store.', {
        hint: `signedPayload: ${cause.fault}`,
        cause,
      }),
  });
}

/** It may be linked a moment later. */
const unknownApp = () =>
  new AppError('unavailable', 'No app is linked to the bundle id of the notification.');

/** Only after the default is exceeded. */
async function takeLimit(
  { deps }: SystemContext<'rateLimits' | 'sql'>,
  bundleId: string,
): Promise<void> {
  try {
    await deps.rateLimits.take('notificationsOfApp', bundleId);
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'rate_limited') throw thrown;
    const raised = await queries.selectRaisedLimit(deps.sql, bundleId);
    if (raised === null) throw thrown;
    await deps.rateLimits.take('notificationsOfApp', bundleId, raised);
  }
}

export async function storeNotification(
  { deps }: SystemContext<'clock' | 'log' | 'sql' | 'temporal'>,
  notification: Notification,
  payload: string,
): Promise<queries.Receipt> {
  const stored = { payload, receivedAt: deps.clock() };
  const receipt = await queries.insertNotification(deps.sql, notification, stored);
  const [app] = receipt.apps;
  if (!app) return receipt;
  const isPending = receipt.isNew || (await queries.reopenForNewApps(deps.sql, notification));
  if (isPending) {
    const { environment, notificationId } = notification;
    ensureSoon(deps, purchaseNotificationContract, { environment, notificationId }, app);
  }
  return receipt;
}

export async function receiveNotification(
  ctx: SystemContext<'clock' | 'log' | 'rateLimits' | 'signatures' | 'sql' | 'temporal'>,
  input: { signedPayload: string; address: string },
): Promise<Received> {
  const notification = await open(ctx, input.signedPayload, input.address);
  await takeLimit(ctx, notification.bundleId);
  const { apps } = await storeNotification(ctx, notification, input.signedPayload);
  if (apps.length === 0) throw unknownApp();
  return { received: true };
}
