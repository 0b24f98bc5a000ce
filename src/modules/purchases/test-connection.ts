import type { OrgContext } from '../../context.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import { toIsoOrNull } from '../../shared/time.ts';
import { selectAskableApp } from './connection-queries.ts';
import type { TestAnswer, TestInput } from './model.ts';
import { selectLastSeen } from './notifications-queries.ts';
import { askStore, openPurchaseKey } from './purchase-key.ts';
import { toStoreAppError } from './store-errors.ts';

/**
 * Asks the store to send its test notification for an app (the first with a bundle id unless one is
 * named), and says when the last notifications came. Throws `store_not_connected`, `not_found`.
 */
export async function testPurchaseConnection(
  ctx: OrgContext,
  input: TestInput,
): Promise<TestAnswer> {
  const { deps, orgId } = ctx;
  const environment = input.environment ?? 'Production';
  const app = await selectAskableApp(deps.sql, orgId, input.appId ?? null);
  if (!app) throw notFound();
  const key = await openPurchaseKey(ctx, app.bundleId);
  if (!key) {
    throw new AppError('store_not_connected', 'No purchase key is connected.', {
      hint: 'Connect one with PUT /v1/purchases/connection.',
    });
  }
  try {
    await askStore(ctx, key, () => deps.storeServer.requestTestNotification(key, environment));
  } catch (thrown) {
    throw toStoreAppError(thrown);
  }
  const seen = await selectLastSeen(deps.sql, { orgId, appId: app.appId, environment });
  return {
    requested: true,
    appId: app.appId,
    environment,
    lastNotificationAt: toIsoOrNull(seen.lastAt),
    lastTestNotificationAt: toIsoOrNull(seen.lastTestAt),
  };
}
