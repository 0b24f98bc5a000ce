import {
  allHandlersFinished,
  condition,
  continueAsNew,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import * as contracts from '../src/temporal/contracts/store.ts';
import {
  addBatch,
  beginRun,
  endRun,
  failuresAfter,
  goOn,
  initialState,
  isNoOp,
  needsRunOfItsOwn,
  queueForcedRun,
  requestRun,
  toResume,
  type SyncState,
  skippedResult,
} from './store-sync.state.ts';

const ANSWER_WITHIN = '20 seconds';
/** About sixty batches: a year of backfill takes one or two histories. */
const HISTORY_EVENTS_MAX = 600;

const CALLERS_DO_NOT_HOLD = 'callers-do-not-hold-the-history';
const REVIEWS_FOLLOW = 'reviews-follow-sales';
const REPORTS_FOLLOW = 'reports-follow-reviews';
const FORCED_RUNS_FOLLOW = 'forced-runs-follow-unforced-ones';

/** Stored day by day: a lost attempt costs one day. */
const { collectStoreDays } = proxyActivities<Activities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});
const { finishStoreSync, refreshStoreAppsDaily, collectStoreReviews, collectStoreReports } =
  proxyActivities<Activities>({
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: '20 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  });

const isHistoryLong = () => workflowInfo().historyLength > HISTORY_EVENTS_MAX;

function describe({ result, running }: SyncState): string {
  const stopped = result.stoppedBecause ? `; stopped: ${result.stoppedBecause}` : '';
  return `${running ? 'Collecting' : 'Waiting'}: ${result.checked} reports checked, ${result.rowsWritten} rows written, ${result.daysRemaining} days of history left, covered through ${result.coveredThrough ?? 'nothing yet'}${stopped}`;
}

async function run(orgId: string, state: SyncState): Promise<void> {
  const request = beginRun(state);
  let beganAtMs: number | null = null;
  let stop: contracts.CollectResult['stop'] = null;
  for (;;) {
    setCurrentDetails(describe(state));
    const batch = await collectStoreDays.executeWithOptions(
      { summary: describe(state).slice(0, 190) },
      [{ orgId, force: request.force, beganAtMs, withoutTrials: state.withoutTrials }],
    );
    addBatch(state, batch);
    stop = batch.stop;
    beganAtMs = batch.beganAtMs;
    if (!batch.more || state.stopping) break;
    if (isHistoryLong()) {
      goOn(state, request);
      break;
    }
  }
  const failures = failuresAfter(state, stop);
  const checked = state.result.checked;
  const input = { orgId, stop, checked, failures };
  const { waitMs, ended } = await finishStoreSync.executeWithOptions({ summary: 'note the run' }, [
    input,
  ]);
  endRun(state, { nowMs: Date.now(), failures, waitMs, ended });
  setCurrentDetails(describe(state));
  if (stop === null && !ended) {
    await refreshStoreAppsDaily.executeWithOptions({ summary: 'states and icons of apps' }, [
      { orgId },
    ]);
    if (patched(REVIEWS_FOLLOW)) {
      await collectStoreReviews.executeWithOptions({ summary: 'reviews' }, [{ orgId }]);
    }
    if (patched(REPORTS_FOLLOW)) {
      await collectStoreReports.executeWithOptions({ summary: 'reports of apps' }, [{ orgId }]);
    }
  }
}

/**
 * The organization's actor: the only requester of reports, one run at a time; callers of `sync`
 * attach to the run under way.
 */
export async function storeSync(input: contracts.StoreSyncInput): Promise<void> {
  const state = initialState(input);
  setHandler(contracts.progressQuery, () => ({ ...state.result, running: state.running }));
  setHandler(contracts.stopSignal, () => {
    state.stopping = true;
  });
  setHandler(contracts.reconnectedSignal, () => {
    state.stopping = false;
    state.failures = 0;
    requestRun(state, { force: false });
  });
  setHandler(contracts.syncUpdate, async (request) => {
    if (isNoOp(state, request, Date.now())) return skippedResult(state);
    const follows = needsRunOfItsOwn(state, request) && patched(FORCED_RUNS_FOLLOW);
    if (follows) queueForcedRun(state);
    else requestRun(state, request);
    const finished = state.runsFinished + (follows ? 1 : 0);
    const over = () => state.runsFinished > finished || state.stopping || state.closing;
    await condition(over, ANSWER_WITHIN, { summary: 'a caller waits for the answer' });
    return { ...state.result, running: state.running };
  });
  for (;;) {
    if (state.stopping) {
      setCurrentDetails('Nothing is connected');
      await condition(allHandlersFinished);
      // A key connected meanwhile needs the actor.
      if (state.stopping) return;
    }
    if (state.wanted === null) {
      const isAwake = () => state.wanted !== null || state.stopping;
      await condition(isAwake, state.waitMs, { summary: 'until the next collection' });
    }
    if (!state.stopping) await run(input.orgId, state);
    if (isHistoryLong() && !state.stopping) {
      // Answers callers with the work done; the next history runs the rest.
      state.closing = patched(CALLERS_DO_NOT_HOLD);
      await condition(allHandlersFinished);
      return continueAsNew<typeof storeSync>({ orgId: input.orgId, resume: toResume(state) });
    }
  }
}
