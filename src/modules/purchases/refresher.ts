import { LRUCache } from 'lru-cache';
import type { OrgContext } from '../../context.ts';
import { singleFlight } from '../../shared/single-flight.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { type RefreshInput, refreshChain } from './refresh.ts';

/** Time between two attempts for one chain. */
const PAUSE_MS = 30 * SECOND_MS;
const MAX_CHAINS = 10_000;

/** Refreshes stale chains on the read path, at most once in `PAUSE_MS` for each. */
export type Refresher = {
  /** True when the row may have changed. Never throws. */
  refresh: (
    ctx: Pick<OrgContext<'clock' | 'log' | 'secrets' | 'sql' | 'storeServer'>, 'deps' | 'orgId'>,
    input: RefreshInput,
  ) => Promise<boolean>;
};

export function createRefresher(): Refresher {
  const once = singleFlight<boolean>();
  const recent = new LRUCache<string, true>({ max: MAX_CHAINS, ttl: PAUSE_MS });

  const attempt = async (
    ctx: Pick<OrgContext<'clock' | 'log' | 'secrets' | 'sql' | 'storeServer'>, 'deps' | 'orgId'>,
    input: RefreshInput,
  ): Promise<boolean> => {
    try {
      return await refreshChain(ctx, input);
    } catch (thrown) {
      ctx.deps.log.warn(
        { err: thrown, appId: input.appId, environment: input.environment },
        'stale subscription could not be refreshed',
      );
      return false;
    }
  };

  return {
    refresh: (ctx, input) => {
      const id = `${input.appId} ${input.environment} ${input.originalTransactionId}`;
      return once(id, async () => {
        if (recent.has(id)) return false;
        recent.set(id, true);
        return attempt(ctx, input);
      });
    },
  };
}

declare module '../../context.ts' {
  interface Deps {
    purchaseRefresher: Refresher;
  }
}
