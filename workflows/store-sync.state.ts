import type {
  CollectResult,
  StoreSyncInput,
  SyncRequest,
  SyncResult,
} from '../src/temporal/contracts/store.ts';

/** A sync this soon after a finished one finds nothing new. */
const POINTLESS_WITHIN_MS = 15 * 60 * 1000;

export type SyncState = {
  running: boolean;
  /** Whether the run under way was forced. */
  forced: boolean;
  /** A run that somebody waits for, or that the time has come for. */
  wanted: SyncRequest | null;
  stopping: boolean;
  /** The history ends here: nobody waits in it for another run. */
  closing: boolean;
  lastRunEndMs: number | null;
  failures: number;
  waitMs: number;
  /** Of the run under way, else of the last one. */
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

/** The first run of a new actor starts at once; a resumed one goes on waiting. */
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

/** True when a request finds a run just finished and nothing left to collect. */
export function isPointless(state: SyncState, request: SyncRequest, nowMs: number): boolean {
  if (request.force || state.running || state.wanted || state.lastRunEndMs === null) return false;
  return (
    // A run that was not stopped has asked for all that was due; what is missing still is awaited.
    nowMs - state.lastRunEndMs < POINTLESS_WITHIN_MS && state.result.stoppedBecause === null
  );
}

/** A forced request meets a run that does not ask for what it wants: another has to follow. */
export function needsRunOfItsOwn(state: SyncState, request: SyncRequest): boolean {
  return request.force && state.running && !state.forced;
}

export function queueForcedRun(state: SyncState): void {
  state.wanted = { force: true };
}

/** Callers during a run attach to it; otherwise they make one start. */
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

/** What a caller is told whose request was not worth a run. */
export function skippedResult(state: SyncState): SyncResult {
  const { daysRemaining, coveredThrough } = state.result;
  return { ...NOTHING, daysRemaining, coveredThrough, skipped: true };
}

/** The run was cut short for the sake of its history: the next one goes on where it ended. */
export function goOn(state: SyncState, request: SyncRequest): void {
  state.wanted ??= request;
}

/** What the run counts as before it is written down. */
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

export function resumeOf(state: SyncState): NonNullable<StoreSyncInput['resume']> {
  const { lastRunEndMs, failures, waitMs, result, wanted } = state;
  const force = wanted?.force ?? false;
  return { lastRunEndMs, failures, waitMs, last: result, more: wanted !== null, force };
}
