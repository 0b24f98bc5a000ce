import { LRUCache } from 'lru-cache';
import type { OrgContext } from '../../context.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { type RefreshInput, refreshChain } from './refresh.ts';

/** Time between two attempts for one chain. */
const PAUSE_MS = 30 * SECOND_MS;
const MAX_CHAINS = 10_000;

/** Refreshes stale chains on the read path, at most once in `PAUSE_MS` for each. */
export type Refresher = {
  /** True when the row may have changed. Never throws. */
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
        'stale subscription could not be refreshed',
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
