import type { Deps } from '../context.ts';
import { MINUTE_MS, SECOND_MS, sleep } from '../shared/time.ts';
import { untilServed } from '../storage/restored.ts';
import { serverReason } from '../temporal/server-reason.ts';
import { describeLack } from './prepare-temporal.ts';
import { type RunningWorker, startWorker, TemporalLacks } from './temporal-worker.ts';

const FIRST_PAUSE_MS = SECOND_MS;
const LONGEST_PAUSE_MS = 15 * SECOND_MS;

export type KeptWorker = {
  stop: () => Promise<void>;
  done: Promise<void>;
};

export function whyNoTemporal(address: string | undefined, namespace: string, thrown: unknown) {
  if (thrown instanceof TemporalLacks) {
    return `${describeLack(address, thrown.lack)} Events, summaries and funnels work without it; retrying.`;
  }
  const reason = serverReason(thrown);
  const hint = /namespace/i.test(reason)
    ? `Make the namespace "${namespace}", or set TEMPORAL_NAMESPACE.`
    : 'Start it, or set TEMPORAL_ADDRESS to where it is.';
  return `Temporal (TEMPORAL_ADDRESS, ${address}) cannot be used: ${shortened(reason)}. ${hint} Events, summaries and funnels work without it; retrying.`;
}

/** gRPC's own text lists its layers. */
function shortened(reason: string): string {
  if (/ConnectError|ECONNREFUSED|connect error|transport/i.test(reason)) return 'no connection';
  return reason.replace(/\.$/, '').slice(0, 200);
}

/** Retries until the worker starts: events and queries work without Temporal. */
export function keepWorker(deps: Deps, start = startWorker): KeptWorker {
  const stopping = new AbortController();
  let worker: RunningWorker | undefined;
  const run = async (): Promise<void> => {
    let pauseMs = FIRST_PAUSE_MS;
    let toldAtMs = Number.NEGATIVE_INFINITY;
    await untilServed(deps.sql, stopping.signal);
    while (!stopping.signal.aborted) {
      try {
        worker = await start(deps);
        break;
      } catch (thrown) {
        const { address, namespace } = deps.config.temporal;
        const isDue = performance.now() - toldAtMs >= MINUTE_MS;
        if (isDue) {
          toldAtMs = performance.now();
          deps.log.warn(whyNoTemporal(address, namespace, thrown));
        }
        await sleep(pauseMs, stopping.signal);
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      }
    }
    if (worker === undefined) return;
    deps.log.info('worker polling');
    if (stopping.signal.aborted) await worker.stop();
    await worker.done;
  };
  const done = run();
  return {
    done,
    stop: async () => {
      stopping.abort();
      await worker?.stop();
      await done.catch(() => undefined);
    },
  };
}
