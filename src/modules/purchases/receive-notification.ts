import type { SystemContext } from '../../context.ts';
import type { Deps } from '../../deps.ts';
import { type Notification, SignatureError } from '../../providers/store-server/port.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import { purchaseNotificationContract } from '../../temporal/contracts/purchases.ts';
import type { Received } from './model.ts';
import {
  type ConcernedApp,
  insertNotification,
  reopenForNewApps,
  selectConcernedApps,
} from './notifications-store.ts';

async function open(
  { deps }: SystemContext,
  signedPayload: string,
  address: string,
): Promise<Notification> {
  try {
    return await deps.signatures.notification(signedPayload);
  } catch (cause) {
    if (!(cause instanceof SignatureError)) throw cause;
    await deps.rateLimits.take('failedAuthentication', address);
    throw new AppError('invalid_signature', 'The notification is not signed by the store.', {
      hint: `signedPayload: ${cause.fault}`,
      cause,
    });
  }
}

/** Starts the run without letting the store wait: the row is there, the sweeper stands behind it. */
function startSoon(deps: Deps, notification: Notification, app: ConcernedApp): void {
  const { environment, notificationId } = notification;
  const scope = { orgId: app.orgId, appId: app.appId };
  deps.temporal
    .start(purchaseNotificationContract, { environment, notificationId }, scope)
    .catch((err) => deps.log.warn({ err, notificationId }, 'A notification waits for the sweeper'));
}

/** Stores a verified notification and has it applied. Gives false for one that is known. */
export async function storeNotification(
  { deps }: SystemContext,
  notification: Notification,
  apps: readonly ConcernedApp[],
  payload: string,
): Promise<boolean> {
  const stored = { payload, receivedAt: deps.clock() };
  const isNew = await insertNotification(deps.sql, notification, stored);
  const waits = isNew || (await reopenForNewApps(deps.sql, notification));
  const [first] = apps;
  if (waits && first) startSoon(deps, notification, first);
  return isNew;
}

/**
 * Takes a notification of the store: verified and stored before it is answered, applied by a
 * workflow. Throws `invalid_signature`, and `not_found` where no app has its bundle id.
 */
export async function receiveNotification(
  ctx: SystemContext,
  input: { signedPayload: string; address: string },
): Promise<Received> {
  const notification = await open(ctx, input.signedPayload, input.address);
  const { deps } = ctx;
  await deps.rateLimits.take('notificationsOfApp', notification.bundleId);
  const apps = await selectConcernedApps(deps.sql, notification);
  if (apps.length === 0) throw notFound();
  await storeNotification(ctx, notification, apps, input.signedPayload);
  return { received: true };
}
