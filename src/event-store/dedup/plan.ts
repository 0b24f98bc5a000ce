import { DAY_MS } from '../../shared/time.ts';
import type { KeyRunInfo } from './key-index.ts';

/** The promised seven days and one more: a run holds keys of a span of time. */
const KEEP_MS = 8 * DAY_MS;
const FAN_IN = 8;
/** Runs above this are left alone; 512 MB. */
const MAX_KEYS = 32_000_000;

const tierOf = (run: KeyRunInfo) => Math.floor(Math.log(Math.max(run.keys, 1)) / Math.log(FAN_IN));
const dayOf = (run: KeyRunInfo) => Math.floor(run.maxReceivedAt.getTime() / DAY_MS);

/** Runs whose keys are all past the window of deduplication. */
export function expiredRuns(runs: readonly KeyRunInfo[], nowMs: number): KeyRunInfo[] {
  return runs.filter((run) => nowMs - run.maxReceivedAt.getTime() > KEEP_MS);
}

/**
 * The next runs to merge into one, or none: eight of one size and day of receipt, so that a key is
 * rewritten a few times only and old days still expire as a whole.
 */
export function runsToMerge(runs: readonly KeyRunInfo[]): KeyRunInfo[] {
  const groups = new Map<string, KeyRunInfo[]>();
  for (const run of runs) {
    if (run.keys > MAX_KEYS / FAN_IN) continue;
    const name = `${dayOf(run)}:${Math.max(tierOf(run), 4)}`;
    const group = groups.get(name) ?? [];
    group.push(run);
    groups.set(name, group);
  }
  const full = [...groups.values()].find((group) => group.length >= FAN_IN);
  return full ? full.slice(0, 2 * FAN_IN) : [];
}
