import type { Connection } from '@temporalio/client';
import { MINUTE_MS, SECOND_MS } from '../shared/time.ts';
import * as requirements from './requirements.ts';
import { refusesEveryStart, serverReason } from './server-reason.ts';
import { otherInstallation } from './sharing.ts';

const REACH_TIMEOUT_MS = 2 * SECOND_MS;
/** Lifetime of a refusal without a later success. */
const REFUSAL_COUNTS_MS = MINUTE_MS;
/** Lifetime of a check that the namespace is ours alone. */
const ALONE_COUNTS_MS = 5 * SECOND_MS;

export type Call = <T>(work: () => Promise<T>, timeoutMs?: number) => Promise<T>;

type OwnCluster = {
  connection: Connection;
  namespace: string;
  ownId: () => Promise<string>;
};

export function createStanding({ ownId, ...cluster }: OwnCluster, call: Call) {
  let aloneAtMs = Number.NEGATIVE_INFINITY;
  let refused: { reason: string; atMs: number } | null = null;
  const isRecent = (atMs: number) => performance.now() - atMs < REFUSAL_COUNTS_MS;
  const shared = async (timeoutMs?: number): Promise<requirements.Lack | null> => {
    // Workers do not start either without the id, in a PostgreSQL outage.
    const own = await ownId().catch(() => null);
    if (own === null) return null;
    const other = await call(() => otherInstallation(cluster, own), timeoutMs);
    if (other !== null) return requirements.sharedNamespace(cluster.namespace, other);
    aloneAtMs = performance.now();
    return null;
  };
  const lack = async () =>
    (await call(() => requirements.findLack(cluster), REACH_TIMEOUT_MS)) ??
    (await shared(REACH_TIMEOUT_MS));
  return {
    lack,
    sharing: async (): Promise<string | null> => {
      if (performance.now() - aloneAtMs < ALONE_COUNTS_MS) return null;
      return (await shared())?.reason ?? null;
    },
    watchStart: async <T>(start: Promise<T>): Promise<T> => {
      try {
        const started = await start;
        refused = null;
        return started;
      } catch (thrown) {
        if (refusesEveryStart(thrown)) {
          refused = { reason: serverReason(thrown), atMs: performance.now() };
        }
        throw thrown;
      }
    },
    fault: async (): Promise<string | null> => {
      try {
        const found = await lack();
        if (found !== null) return found.reason;
        return refused !== null && isRecent(refused.atMs) ? refused.reason : null;
      } catch (thrown) {
        return serverReason(thrown);
      }
    },
    /** Returns the operator's part, or null. Throws `unavailable` while Temporal is. */
    prepare: async (): Promise<requirements.Lack | null> => {
      const found = await lack();
      if (found === null) return null;
      const left = await call(() => requirements.makeMissing(cluster, found));
      if (left === null) refused = null;
      return left;
    },
    forgetsWithinADay: () => call(() => requirements.hasShortRetention(cluster), REACH_TIMEOUT_MS),
  };
}
