import type { Deps, SystemContext } from '../../context.ts';
import type { Notification } from '../../providers/store-server/port.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import { purchaseNotificationContract } from '../../temporal/contracts/purchases.ts';
import type { Received } from './model.ts';
import {
  type ConcernedApp,
  insertNotification,
  reopenForNewApps,
  selectRaisedLimit,
  type Taken,
} from './notifications-queries.ts';
import { openSigned } from './open-signed.ts';

function open(
  { deps }: SystemContext,
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

/** Only an app that is over the limit is looked up: an operator may have raised it. */
async function takeLimit({ deps }: SystemContext, bundleId: string): Promise<void> {
  try {
    await deps.rateLimits.take('notificationsOfApp', bundleId);
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'rate_limited') throw thrown;
    const raised = await selectRaisedLimit(deps.sql, bundleId);
    if (raised === null) throw thrown;
    await deps.rateLimits.take('notificationsOfApp', bundleId, raised);
  }
}

/** Starts the run without letting the store wait: the row is there, the sweeper stands behind it. */
function startSoon(deps: Deps, notification: Notification, app: ConcernedApp): void {
  const { environment, notificationId } = notification;
  const scope = { orgId: app.orgId, appId: app.appId };
  deps.temporal
    .ensure(purchaseNotificationContract, { environment, notificationId }, scope)
    .catch((err) => deps.log.warn({ err, notificationId }, 'A notification waits for the sweeper'));
}

/** Stores a verified notification and has it applied; without an app that it is about, nothing. */
export async function storeNotification(
  { deps }: SystemContext,
  notification: Notification,
  payload: string,
): Promise<Taken> {
  const stored = { payload, receivedAt: deps.clock() };
  const taken = await insertNotification(deps.sql, notification, stored);
  const [first] = taken.apps;
  if (!first) return taken;
  const waits = taken.isNew || (await reopenForNewApps(deps.sql, notification));
  if (waits) startSoon(deps, notification, first);
  return taken;
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
  await takeLimit(ctx, notification.bundleId);
  const { apps } = await storeNotification(ctx, notification, input.signedPayload);
  if (apps.length === 0) throw notFound();
  return { received: true };
}
