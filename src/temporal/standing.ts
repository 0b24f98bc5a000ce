import type { Connection } from '@temporalio/client';
import { MINUTE_MS, SECOND_MS } from '../shared/time.ts';
import {
  findLack,
  forgetsWithinADay,
  type Lack,
  makeMissing,
  sharedNamespace,
} from './requirements.ts';
import { refusesEveryStart, serverReason } from './server-reason.ts';
import { otherInstallation } from './sharing.ts';

const REACH_TIMEOUT_MS = 2 * SECOND_MS;
/** So long a refused start counts, unless another one succeeds. */
const REFUSAL_COUNTS_MS = MINUTE_MS;
/** So long a namespace without workers of another installation counts as ours alone. */
const ALONE_COUNTS_MS = 5 * SECOND_MS;

/** Runs a call to Temporal with a deadline; an outage becomes `unavailable`. */
export type Call = <T>(work: () => Promise<T>, timeoutMs?: number) => Promise<T>;

type Own = {
  connection: Connection;
  namespace: string;
  /** Of the installation that this process belongs to. */
  ownId: () => Promise<string>;
};

/** What Temporal lacks, and what it last refused: whether runs can be started. */
export function standing({ ownId, ...cluster }: Own, call: Call) {
  let aloneAtMs = Number.NEGATIVE_INFINITY;
  let refused: { reason: string; atMs: number } | null = null;
  const isRecent = (atMs: number) => performance.now() - atMs < REFUSAL_COUNTS_MS;
  const shared = async (timeoutMs?: number): Promise<Lack | null> => {
    // Without its id, while PostgreSQL is away, no worker begins either.
    const own = await ownId().catch(() => null);
    if (own === null) return null;
    const other = await call(() => otherInstallation(cluster, own), timeoutMs);
    if (other !== null) return sharedNamespace(cluster.namespace, other);
    aloneAtMs = performance.now();
    return null;
  };
  const lack = async () =>
    (await call(() => findLack(cluster), REACH_TIMEOUT_MS)) ?? (await shared(REACH_TIMEOUT_MS));
  return {
    /** Why a change would reach the runs of another installation; null in a namespace of our own. */
    sharing: async (): Promise<string | null> => {
      if (performance.now() - aloneAtMs < ALONE_COUNTS_MS) return null;
      return (await shared())?.reason ?? null;
    },
    /** Remembers how a start ended. */
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
    /** Why no run can be started now, in the server's own words; null when one can. */
    fault: async (): Promise<string | null> => {
      try {
        const found = await lack();
        if (found !== null) return found.reason;
        return refused !== null && isRecent(refused.atMs) ? refused.reason : null;
      } catch (thrown) {
        return serverReason(thrown);
      }
    },
    /**
     * Makes the search attributes that are missing. Returns what an operator has to make, else null;
     * throws `unavailable` while Temporal is away.
     */
    prepare: async (): Promise<Lack | null> => {
      const found = await lack();
      if (found === null) return null;
      const left = await call(() => makeMissing(cluster, found));
      if (left === null) refused = null;
      return left;
    },
    /** Throws `unavailable` while Temporal is away. */
    forgetsWithinADay: () => call(() => forgetsWithinADay(cluster), REACH_TIMEOUT_MS),
  };
}
