import {
  ActivityFailure,
  ApplicationFailure,
  proxyActivities,
  setCurrentDetails,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type {
  StoreConnectionInput,
  StoreConnectionResult,
} from '../src/temporal/contracts/store.ts';

/** A caller waits: few short attempts, close together. */
const { verifyStoreKey } = proxyActivities<Activities>({
  startToCloseTimeout: '20 seconds',
  scheduleToCloseTimeout: '25 seconds',
  retry: {
    initialInterval: '1 second',
    maximumAttempts: 2,
    nonRetryableErrorTypes: ['store_rate_limited'],
  },
});
const { acceptStoreKey, dropStoreCandidate, discoverStoreApps, startStoreSync } =
  proxyActivities<Activities>({
    startToCloseTimeout: '30 seconds',
    retry: {
      initialInterval: '500 milliseconds',
      maximumInterval: '10 seconds',
      maximumAttempts: 10,
    },
  });

type Refusal = StoreConnectionResult & { ok: false };

function refusal(connectionId: string, failure: unknown): Refusal {
  const cause = failure instanceof ActivityFailure ? failure.cause : failure;
  const reported = cause instanceof ApplicationFailure ? cause : null;
  const [hint, wait] = reported?.details ?? [];
  return {
    connectionId,
    ok: false,
    code: reported?.type ?? 'store_unavailable',
    message: reported?.message ?? 'The store did not answer in time.',
    hint: typeof hint === 'string' ? hint : null,
    retryAfterSeconds: typeof wait === 'number' ? wait : null,
  };
}

/** Returns failures as values. */
export async function storeConnection(input: StoreConnectionInput): Promise<StoreConnectionResult> {
  try {
    setCurrentDetails('Asking the store for apps and for a day of sales');
    await verifyStoreKey.executeWithOptions({ summary: 'verify with the store' }, [input]);
  } catch (failure) {
    setCurrentDetails('The store refused the key');
    await dropStoreCandidate.executeWithOptions({ summary: 'forget the key' }, [input]);
    return refusal(input.connectionId, failure);
  }
  const accepted = await acceptStoreKey.executeWithOptions({ summary: 'keep the key' }, [input]);
  if (!accepted) {
    return refusal(
      input.connectionId,
      ApplicationFailure.create({
        type: 'conflict',
        message: 'The connection was removed while it was being made.',
      }),
    );
  }
  const discoveredApps = await discoverStoreApps.executeWithOptions({ summary: 'list the apps' }, [
    input,
  ]);
  await startStoreSync.executeWithOptions({ summary: 'start collecting' }, [input]);
  setCurrentDetails(`Connected; ${discoveredApps} apps`);
  return { connectionId: input.connectionId, ok: true, discoveredApps };
}
