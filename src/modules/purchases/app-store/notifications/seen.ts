import type { AppContext } from '../../../../context.ts';
import {
  REAL_PURCHASES,
  type StoreEnvironment,
  TEST_PURCHASES,
} from '../../../../shared/environment.ts';
import { toIsoOrNull } from '../../../../shared/time.ts';
import type { SeenNotifications } from '../connection/model.ts';
import { selectLastReceived } from './queries.ts';

export async function getSeenNotifications({
  deps,
  orgId,
  app,
}: AppContext<'sql'>): Promise<SeenNotifications> {
  const seenIn = async (environment: StoreEnvironment) => {
    const scope = { orgId, appId: app.id, environment };
    const { lastAt, lastTestAt } = await selectLastReceived(deps.sql, scope);
    return {
      lastNotificationAt: toIsoOrNull(lastAt),
      lastTestNotificationAt: toIsoOrNull(lastTestAt),
    };
  };
  const [production, sandbox] = await Promise.all([seenIn(REAL_PURCHASES), seenIn(TEST_PURCHASES)]);
  return { production, sandbox };
}
