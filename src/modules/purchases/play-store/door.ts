import type { StoreDoor } from '../model/store.ts';
import { openPlayKey } from './play-key.ts';
import { selectTokenInForce } from './purchases-queries.ts';
import { recordAndAnnounce } from './record-purchase.ts';

export const googlePlay: StoreDoor = {
  // Orders are not looked up at Google Play.
  isOrderId: () => false,
  open: async () => null,
  async refresh(ctx, chain) {
    const { deps, orgId } = ctx;
    const opened = await openPlayKey(ctx, chain.appId);
    if (!opened) return 'no_key';
    const purchaseToken = await selectTokenInForce(deps.sql, chain);
    if (purchaseToken === null) return 'no_app';
    const { key, packageName } = opened;
    const subscription = await deps.playStore.subscription(key, { packageName, purchaseToken });
    const record = { packageName, purchaseToken, subscription, at: deps.clock() };
    const scope = { orgId, appId: chain.appId };
    await deps.sql.begin((tx) => recordAndAnnounce(tx, scope, record));
    return 'refreshed';
  },
};
