import { LRUCache } from 'lru-cache';
import { singleFlight } from '../../shared/single-flight.ts';
import { SECOND_MS } from '../../shared/time.ts';
import type { ChainKey } from './model/chain.ts';
import type { StoreContext, StoreNeeds } from './model/store.ts';
import { storeDoor } from './store-doors/stores.ts';

/** Per chain. */
const PAUSE_MS = 30 * SECOND_MS;
const MAX_CHAINS = 10_000;

export type Refresher = {
  refresh: (ctx: StoreContext<'log' | StoreNeeds>, chain: ChainKey) => Promise<boolean>;
};

export function createRefresher(): Refresher {
  const once = singleFlight<boolean>();
  const recent = new LRUCache<string, true>({ max: MAX_CHAINS, ttl: PAUSE_MS });

  return {
    refresh: ({ deps, orgId }, chain) => {
      const { store, appId, environment, chainId } = chain;
      const id = `${appId} ${environment} ${chainId}`;
      return once(id, async () => {
        if (recent.has(id)) return false;
        recent.set(id, true);
        try {
          return (await storeDoor(store).refresh({ deps, orgId }, chain)) === 'refreshed';
        } catch (err) {
          deps.log.warn({ err, appId, environment }, 'stale subscription could not be refreshed');
          return false;
        }
      });
    },
  };
}
