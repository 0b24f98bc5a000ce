import {
  allHandlersFinished,
  condition,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import * as contracts from '../src/temporal/contracts/backend.ts';
import { counted, describe, nextStep } from './backend-provisioning.state.ts';

const { claimBackend, attachBackend, searchBackend, readBackend, releaseBackend, checkBackend } =
  proxyActivities<Activities>({
    startToCloseTimeout: '30 seconds',
    retry: { initialInterval: '500 milliseconds', maximumAttempts: 5 },
  });
/** Never retried: a second attempt could create a second project. */
const { createBackend } = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  retry: { maximumAttempts: 1 },
});

/** Seconds between searches while a caller waits. */
const SEARCH_DELAYS = [1, 2, 3];

const STILL_LOOKING: contracts.BackendOutcome = {
  kind: 'refused',
  code: 'provider_rejected',
  hint: 'The provider did not say whether it made the project; it is being looked for.',
  retryAfterSeconds: 30,
};
const FAILED: contracts.BackendOutcome = {
  kind: 'refused',
  code: 'unavailable',
  hint: 'Try again in a moment.',
  retryAfterSeconds: 10,
};

export async function backendProvisioning(input: contracts.BackendRunInput): Promise<void> {
  let known: contracts.BackendKnown = { kind: 'none' };
  let isBusy = false;

  /** Serializes updates and the run's own steps. */
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    await condition(() => !isBusy);
    isBusy = true;
    try {
      return await work();
    } finally {
      isBusy = false;
    }
  };
  const learn = async () => {
    known = await readBackend.executeWithOptions({ summary: 'what is certain' }, [input]);
    setCurrentDetails(describe(known));
  };

  setHandler(contracts.connectBackendUpdate, (question) =>
    inTurn(async () => {
      const outcome = await answer(input, question).catch(() => FAILED);
      await learn();
      return outcome;
    }),
  );

  await inTurn(learn);
  let progress = { searches: 0, checks: 0 };
  for (;;) {
    await condition(allHandlersFinished);
    const step = nextStep(known, progress);
    if (step === null) return;
    await sleep(step.afterSeconds * 1_000, { summary: `before the next ${step.kind}` });
    progress = counted(progress, step);
    await inTurn(async () => {
      if (step.kind === 'search') await searchBackend(input);
      else if (step.kind === 'release') await releaseBackend(input);
      else await checkBackend(input);
      await learn();
    });
  }
}

async function answer(
  input: contracts.BackendRunInput,
  question: contracts.BackendQuestion,
): Promise<contracts.BackendOutcome> {
  const claim = await claimBackend.executeWithOptions({ summary: 'what has to be done' }, [
    { ...input, ...question },
  ]);
  switch (claim.kind) {
    case 'connected':
    case 'refused':
      return claim;
    case 'attach':
      return attachBackend.executeWithOptions({ summary: `attach ${claim.projectRef}` }, [
        { ...input, projectRef: claim.projectRef },
      ]);
    case 'search':
      return (await search(input)) ?? STILL_LOOKING;
    case 'create': {
      const creation = await create(input);
      return creation.kind === 'unknown' ? searchSoon(input) : creation;
    }
  }
}

/** A dead worker leaves the result as unknown as a lost answer. */
async function create(input: contracts.BackendRunInput): Promise<contracts.BackendCreation> {
  try {
    return await createBackend.executeWithOptions({ summary: 'create the project' }, [input]);
  } catch {
    return { kind: 'unknown' };
  }
}

async function search(input: contracts.BackendRunInput): Promise<contracts.BackendOutcome | null> {
  return searchBackend.executeWithOptions({ summary: 'look for the project' }, [input]);
}

async function searchSoon(input: contracts.BackendRunInput): Promise<contracts.BackendOutcome> {
  for (const seconds of SEARCH_DELAYS) {
    await sleep(seconds * 1_000, { summary: 'before looking again' });
    const found = await search(input);
    if (found) return found;
  }
  return STILL_LOOKING;
}
