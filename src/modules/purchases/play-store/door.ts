import type { StoreDoor } from '../model/store.ts';
import { askPlay } from './ask.ts';
import { openPlayKey } from './connection.ts';
import { selectTokensInForce } from './purchases-queries.ts';
import { recordAndAnnounce } from './record-purchase.ts';

export const googlePlay: StoreDoor = {
  // Orders are not looked up at Google Play.
  isOrderId: () => false,
  open: async () => null,
  async refresh(ctx, chain) {
    const { deps, orgId } = ctx;
    const opened = await openPlayKey(ctx, chain.appId);
    if (!opened) return 'no_key';
    const tokens = await selectTokensInForce(deps.sql, chain);
    if (tokens.length === 0) return 'no_app';
    const { packageName } = opened;
    const scope = { orgId, appId: chain.appId };
    for (const inForce of tokens) {
      const askedAt = deps.clock();
      const answer = await askPlay(deps, opened, inForce);
      const { purchaseToken } = inForce;
      const record = { packageName, purchaseToken, answer, askedAt, at: deps.clock() };
      await deps.sql.begin((tx) => recordAndAnnounce(tx, scope, record));
    }
    return 'refreshed';
  },
};
