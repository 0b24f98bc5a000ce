import { describe, expect, test } from 'bun:test';
import type { CollectResult, SyncResult } from '../../../src/temporal/contracts/store.ts';
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
  skippedResult,
} from '../../../workflows/store-sync.state.ts';

const MINUTE_MS = 60_000;
const batch = (change: Partial<CollectResult> = {}): CollectResult => ({
  beganAtMs: 0,
  checked: 20,
  rowsWritten: 300,
  daysRemaining: 100,
  coveredThrough: '2026-07-14',
  more: true,
  withoutTrials: false,
  stop: null,
  ended: false,
  ...change,
});
const stop = (because: string) => ({ because, message: 'x', invalid: false, waitMs: null });
const fresh = () => initialState({ orgId: 'org' });
const end = (nowMs = 0) => ({ nowMs, failures: 0, waitMs: 1000, ended: false });

/** An actor that has finished one run with nothing left to collect. */
function finished(nowMs = 0) {
  const state = fresh();
  beginRun(state);
  addBatch(state, batch({ daysRemaining: 0, more: false }));
  endRun(state, end(nowMs));
  return state;
}

describe('a run', () => {
  test('of a new actor starts at once, of a resumed one when it is due', () => {
    expect(fresh().wanted).toEqual({ force: false });
    const resumed = initialState({ orgId: 'org', resume: toResume(finished()) });
    expect(resumed).toMatchObject({ wanted: null, waitMs: 1000, runsFinished: 0 });
  });

  test('of an actor begins with nothing, or with what the last one left', () => {
    const nothing = {
      checked: 0,
      rowsWritten: 0,
      daysRemaining: 0,
      coveredThrough: null,
      stoppedBecause: null,
      skipped: false,
    };
    const empty = {
      running: false,
      forced: false,
      stopping: false,
      closing: false,
      withoutTrials: false,
      runsFinished: 0,
    };
    expect(fresh()).toEqual({
      ...empty,
      wanted: { force: false },
      lastRunEndMs: null,
      failures: 0,
      waitMs: 0,
      result: nothing,
    });
    const state = finished(5);
    endRun(state, { nowMs: 7, failures: 3, waitMs: 9, ended: false });
    const left = state.result;
    expect(initialState({ orgId: 'org', resume: toResume(state) })).toEqual({
      ...empty,
      wanted: null,
      lastRunEndMs: 7,
      failures: 3,
      waitMs: 9,
      result: left,
    });
  });

  test('that is under way is known as such, and counted when it ends', () => {
    const state = fresh();
    beginRun(state);
    expect(state).toMatchObject({ running: true, forced: false, wanted: null, runsFinished: 0 });
    endRun(state, end());
    expect(state).toMatchObject({ running: false, runsFinished: 1, stopping: false });
    expect(toResume(state)).toMatchObject({ more: false, force: false });
    beginRun(state);
    endRun(state, { ...end(), ended: true });
    expect(state).toMatchObject({ runsFinished: 2, stopping: true });
  });

  test('adds up its batches', () => {
    const state = fresh();
    beginRun(state);
    addBatch(state, batch());
    addBatch(state, batch({ daysRemaining: 80 }));
    expect(state.result).toMatchObject({ checked: 40, rowsWritten: 600, daysRemaining: 80 });
  });

  test('keeps what is covered and remaining from the last one until it knows better', () => {
    const state = finished();
    requestRun(state, { force: true });
    beginRun(state);
    expect(state.result).toEqual({
      checked: 0,
      rowsWritten: 0,
      daysRemaining: 0,
      coveredThrough: '2026-07-14',
      stoppedBecause: null,
      skipped: false,
    } satisfies SyncResult);
  });

  test('leaves out trials for its own length only', () => {
    const state = fresh();
    beginRun(state);
    addBatch(state, batch({ withoutTrials: true }));
    expect(state.withoutTrials).toBe(true);
    endRun(state, end());
    beginRun(state);
    expect(state.withoutTrials).toBe(false);
  });

  test('that was cut short for its history goes on in the next one, as forced as it was', () => {
    const state = fresh();
    beginRun(state);
    goOn(state, { force: true });
    endRun(state, end());
    const resumed = initialState({ orgId: 'org', resume: toResume(state) });
    expect(resumed.wanted).toEqual({ force: true });
  });
});

describe('callers', () => {
  test('during a run attach to it, whatever they ask for', () => {
    const state = fresh();
    beginRun(state);
    requestRun(state, { force: true });
    expect(state.wanted).toBeNull();
  });

  test('who force during a run that nobody forced get one that follows it', () => {
    const state = fresh();
    beginRun(state);
    expect(needsRunOfItsOwn(state, { force: false })).toBe(false);
    expect(needsRunOfItsOwn(state, { force: true })).toBe(true);
    queueForcedRun(state);
    endRun(state, end());
    expect(needsRunOfItsOwn(state, { force: true })).toBe(false);
    expect(beginRun(state)).toEqual({ force: true });
    expect(needsRunOfItsOwn(state, { force: true })).toBe(false);
  });

  test('a forced run that was asked for outlasts the history', () => {
    const state = fresh();
    beginRun(state);
    queueForcedRun(state);
    goOn(state, { force: false });
    endRun(state, end());
    expect(initialState({ orgId: 'org', resume: toResume(state) }).wanted).toEqual({ force: true });
  });

  test('before a run are joined, and one who forces wins', () => {
    const state = finished();
    requestRun(state, { force: false });
    requestRun(state, { force: true });
    requestRun(state, { force: false });
    expect(state.wanted).toEqual({ force: true });
  });

  test('within a quarter of an hour are told that it is pointless', () => {
    const state = finished(0);
    expect(isNoOp(state, { force: false }, 14 * MINUTE_MS)).toBe(true);
    expect(isNoOp(state, { force: false }, 15 * MINUTE_MS - 1)).toBe(true);
    expect(isNoOp(state, { force: false }, 15 * MINUTE_MS)).toBe(false);
    expect(isNoOp(state, { force: true }, 0)).toBe(false);
    expect(skippedResult(state)).toMatchObject({ skipped: true, checked: 0, rowsWritten: 0 });
  });

  test('are told so too while days are missing that the store does not have yet', () => {
    const state = unfinished({ daysRemaining: 5, more: false });
    expect(isNoOp(state, { force: false }, 1)).toBe(true);
    expect(skippedResult(state)).toMatchObject({ skipped: true, daysRemaining: 5 });
  });

  test.each([
    ['a run under way', running],
    ['history still to collect', cutShort],
    ['a run that was stopped', () => unfinished({ stop: stop('budget'), daysRemaining: 0 })],
  ])('never with %s', (_what, make) => {
    expect(isNoOp(make(), { force: false }, 1)).toBe(false);
  });
});

function running() {
  const state = finished();
  beginRun(state);
  return state;
}
function cutShort() {
  const state = fresh();
  beginRun(state);
  addBatch(state, batch({ daysRemaining: 5 }));
  goOn(state, { force: false });
  endRun(state, end());
  return state;
}
function unfinished(change: Partial<CollectResult>) {
  const state = fresh();
  beginRun(state);
  addBatch(state, batch(change));
  endRun(state, end());
  return state;
}

describe('failures', () => {
  test('count up while the store refuses and start anew when it works', () => {
    const state = fresh();
    expect(failuresAfter(state, stop('store_unavailable'))).toBe(1);
    state.failures = 3;
    expect(failuresAfter(state, stop('rate_limited'))).toBe(4);
    expect(failuresAfter(state, stop('budget'))).toBe(0);
    expect(failuresAfter(state, null)).toBe(0);
  });

  test('a connection that is gone ends the actor', () => {
    const state = fresh();
    beginRun(state);
    addBatch(state, batch({ ended: true }));
    expect(state.stopping).toBe(true);
  });
});
