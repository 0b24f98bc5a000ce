import type {
  CollectResult,
  StoreSyncInput,
  SyncRequest,
  SyncResult,
} from '../src/temporal/contracts/store.ts';

/** A sync this soon after another finds nothing new. */
const NO_OP_WITHIN_MS = 15 * 60 * 1000;

export type SyncState = {
  running: boolean;
  /** Progress of the run under way. */
  forced: boolean;
  /** Requested or due. */
  wanted: SyncRequest | null;
  stopping: boolean;
  /** The history ends here; no caller waits for another run. */
  closing: boolean;
  lastRunEndMs: number | null;
  failures: number;
  waitMs: number;
  /** State of the run under way, or of the last one. */
  result: SyncResult;
  withoutTrials: boolean;
  runsFinished: number;
};

const NOTHING: SyncResult = {
  checked: 0,
  rowsWritten: 0,
  daysRemaining: 0,
  coveredThrough: null,
  stoppedBecause: null,
  skipped: false,
};

/** A new actor runs at once, a resumed one keeps waiting. */
export function initialState({ resume }: StoreSyncInput): SyncState {
  return {
    running: false,
    forced: false,
    wanted: resume && !resume.more ? null : { force: resume?.force ?? false },
    stopping: false,
    closing: false,
    lastRunEndMs: resume?.lastRunEndMs ?? null,
    failures: resume?.failures ?? 0,
    waitMs: resume?.waitMs ?? 0,
    result: resume?.last ?? NOTHING,
    withoutTrials: false,
    runsFinished: 0,
  };
}

/** No-op request: a run has just finished with nothing left. */
export function isNoOp(state: SyncState, request: SyncRequest, nowMs: number): boolean {
  if (request.force || state.running || state.wanted || state.lastRunEndMs === null) return false;
  return (
    // An unstopped run requested all due days; missing ones are not published yet.
    nowMs - state.lastRunEndMs < NO_OP_WITHIN_MS && state.result.stoppedBecause === null
  );
}

/** A forced request during an unforced run needs another. */
export function needsRunOfItsOwn(state: SyncState, request: SyncRequest): boolean {
  return request.force && state.running && !state.forced;
}

export function queueForcedRun(state: SyncState): void {
  state.wanted = { force: true };
}

/** Attaches to a run under way, else requests one. */
export function requestRun(state: SyncState, request: SyncRequest): void {
  if (!state.running) state.wanted = { force: request.force || (state.wanted?.force ?? false) };
}

export function beginRun(state: SyncState): SyncRequest {
  const wanted = state.wanted ?? { force: false };
  state.running = true;
  state.forced = wanted.force;
  state.wanted = null;
  state.withoutTrials = false;
  const { daysRemaining, coveredThrough } = state.result;
  state.result = { ...NOTHING, daysRemaining, coveredThrough };
  return wanted;
}

export function addBatch(state: SyncState, batch: CollectResult): void {
  state.withoutTrials = batch.withoutTrials;
  state.result = {
    checked: state.result.checked + batch.checked,
    rowsWritten: state.result.rowsWritten + batch.rowsWritten,
    daysRemaining: batch.daysRemaining,
    coveredThrough: batch.coveredThrough,
    stoppedBecause: batch.stop?.because ?? null,
    skipped: false,
  };
  if (batch.ended) state.stopping = true;
}

/** Result of a skipped request. */
export function skippedResult(state: SyncState): SyncResult {
  const { daysRemaining, coveredThrough } = state.result;
  return { ...NOTHING, daysRemaining, coveredThrough, skipped: true };
}

/** Resumes a run cut short by its history's length. */
export function goOn(state: SyncState, request: SyncRequest): void {
  state.wanted ??= request;
}

export function failuresAfter(state: SyncState, stop: CollectResult['stop']): number {
  return stop !== null && stop.because !== 'budget' ? state.failures + 1 : 0;
}

export function endRun(
  state: SyncState,
  end: { nowMs: number; failures: number; waitMs: number; ended: boolean },
): void {
  state.running = false;
  state.lastRunEndMs = end.nowMs;
  state.failures = end.failures;
  state.waitMs = end.waitMs;
  state.runsFinished += 1;
  if (end.ended) state.stopping = true;
}

export function toResume(state: SyncState): NonNullable<StoreSyncInput['resume']> {
  const { lastRunEndMs, failures, waitMs, result, wanted } = state;
  const force = wanted?.force ?? false;
  return { lastRunEndMs, failures, waitMs, last: result, more: wanted !== null, force };
}
