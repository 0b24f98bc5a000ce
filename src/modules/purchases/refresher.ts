import { LRUCache } from 'lru-cache';
import type { OrgContext } from '../../context.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { type RefreshInput, refreshChain } from './refresh.ts';

/** A chain that could not be refreshed, or is still stale after it, is left alone for this long. */
const PAUSE_MS = 30 * SECOND_MS;
const MAX_CHAINS = 10_000;

/**
 * Refreshes of stale rows on the read path: many questions about one chain make one request, and a
 * store that is away is not asked by every reader.
 */
export type Refresher = {
  /** Gives true when the row may have changed. Never throws. */
  refresh: (ctx: Pick<OrgContext, 'deps' | 'orgId'>, input: RefreshInput) => Promise<boolean>;
};

export function createRefresher(): Refresher {
  const running = new Map<string, Promise<boolean>>();
  const tried = new LRUCache<string, true>({ max: MAX_CHAINS, ttl: PAUSE_MS });

  const attempt = async (
    ctx: Pick<OrgContext, 'deps' | 'orgId'>,
    input: RefreshInput,
  ): Promise<boolean> => {
    try {
      return await refreshChain(ctx, input);
    } catch (thrown) {
      ctx.deps.log.warn(
        { err: thrown, appId: input.appId, environment: input.environment },
        'A stale subscription could not be refreshed',
      );
      return false;
    }
  };

  return {
    refresh: (ctx, input) => {
      const id = `${input.appId} ${input.environment} ${input.originalTransactionId}`;
      const known = running.get(id);
      if (known) return known;
      if (tried.has(id)) return Promise.resolve(false);
      tried.set(id, true);
      const made = attempt(ctx, input).finally(() => running.delete(id));
      running.set(id, made);
      return made;
    },
  };
}

declare module '../../context.ts' {
  interface Deps {
    purchaseRefresher: Refresher;
  }
}
