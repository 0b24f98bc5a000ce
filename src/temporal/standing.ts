import type { Connection } from '@temporalio/client';
import { MINUTE_MS, SECOND_MS } from '../shared/time.ts';
import { findLack, forgetsWithinADay, type Lack, makeMissing } from './requirements.ts';
import { refusesEveryStart, serverReason } from './server-reason.ts';

const REACH_TIMEOUT_MS = 2 * SECOND_MS;
/** So long a refused start counts, unless another one succeeds. */
const REFUSAL_COUNTS_MS = MINUTE_MS;

/** Runs a call to Temporal with a deadline; an outage becomes `unavailable`. */
export type Call = <T>(work: () => Promise<T>, timeoutMs?: number) => Promise<T>;

/** What Temporal lacks, and what it last refused: whether runs can be started. */
export function standing(connection: Connection, namespace: string, call: Call) {
  const cluster = { connection, namespace };
  let refused: { reason: string; atMs: number } | null = null;
  const isRecent = (atMs: number) => performance.now() - atMs < REFUSAL_COUNTS_MS;
  const lack = () => call(() => findLack(cluster), REACH_TIMEOUT_MS);
  return {
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
