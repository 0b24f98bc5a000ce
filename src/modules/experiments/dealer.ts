import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Environment } from '../../shared/environment.ts';
import { type Clock, DAY_MS } from '../../shared/time.ts';
import { VerifiedCache } from '../../shared/verified-cache.ts';
import { isDatabaseAway, type Sql } from '../../storage/postgres.ts';
import { type Dealing, selectDealing } from './queries.ts';

const MAX_APPS = 20_000;
const MAX_EXPOSURES = 200_000;
/** While the database is away a shipped app goes on with what was true when it left. */
const GRACE_MS = DAY_MS;

export type Dealer = {
  /** What the devices of an app are dealt now; a start or stop is felt within 5 s. */
  dealing: (scope: { orgId: string; appId: string }) => Promise<Dealing>;
  /** True for an exposure that this process has written already: writing it again tells nothing. */
  isKnownExposure: (id: string) => boolean;
  rememberExposure: (id: string) => void;
};

export function createDealer(sql: Sql, clock: Clock): Dealer {
  const dealings = new VerifiedCache<Dealing>({
    clock,
    maxEntries: MAX_APPS,
    isAway: isDatabaseAway,
  });
  const exposures = new LRUCache<string, true>({ max: MAX_EXPOSURES, ttl: DAY_MS });
  return {
    dealing: async (scope) => {
      const found = await dealings.get(scope.appId, () => selectDealing(sql, scope), {
        graceMs: GRACE_MS,
      });
      return found ?? { experiment: null, onboardings: [], defaultId: null };
    },
    isKnownExposure: (id) => exposures.has(id),
    rememberExposure: (id) => exposures.set(id, true),
  };
}

export type ExposureOf = {
  experimentId: string;
  armId: string;
  anonymousId: string;
  environment: Environment;
};

/**
 * One identity for each person and arm, so that asking again counts once; a device that ran a
 * development build before is exposed in production all the same.
 */
export function exposureId({ experimentId, armId, anonymousId, environment }: ExposureOf): string {
  const person = [experimentId, armId, anonymousId];
  const text = JSON.stringify(environment === 'production' ? person : [...person, environment]);
  return createHash('sha256').update(text).digest('base64url');
}

declare module '../../context.ts' {
  interface Deps {
    /** What shipped apps are dealt in experiments. */
    dealer: Dealer;
  }
}
