import { DAY_MS } from '../../shared/time.ts';
import type { KeyRunInfo } from './key-index.ts';
import {
  isSameSpan,
  isWithin,
  type Section,
  type Span,
  settledSpan,
  spanName,
} from './sections.ts';

/** The promised seven days and one more: a section holds keys of a span of time. */
const KEEP_MS = 8 * DAY_MS;
/** Keys of the young run from which on a section of it may become a run of its own; 1 MB. */
const YOUNG_KEYS = 65_536;
/** Keys of the young run from which on one has to: written with every commit, so 4 MB … */
const YOUNG_KEYS_MAX = 262_144;
/** … or this part of the whole index, so that late keys of old hours are merged in good portions. */
const YOUNG_PART = 2_048;
/** A section worth its merge is at least this part of what it is merged into. */
const WORTH = 16;
/** Keys of one merge; 1 GB, some seconds. Beyond it sections of one time stand side by side. */
const MERGED_KEYS = 64_000_000;

export const isExpired = ({ maxReceivedMs }: { maxReceivedMs: number }, nowMs: number): boolean =>
  nowMs - maxReceivedMs > KEEP_MS;

/** Runs whose keys are all past the window of deduplication. */
export function expiredRuns(runs: readonly KeyRunInfo[], nowMs: number): KeyRunInfo[] {
  return runs.filter((run) => isExpired({ maxReceivedMs: run.maxReceivedAt.getTime() }, nowMs));
}

export type KeyMerge = {
  /** The runs that commits wrote and what they were merged into: they become one. */
  young: KeyRunInfo[];
  /** The section that leaves them for a run of its own, and the runs that it takes in. */
  settle: { span: Span; into: KeyRunInfo[] } | null;
};

const sum = (sized: readonly { keys: number }[]) =>
  sized.reduce((total, { keys }) => total + keys, 0);

/** The sections of young runs as they will be when they are one. */
function youngSections(young: readonly KeyRunInfo[], nowMs: number): Section[][] {
  const sections = young
    .flatMap((run) => run.sections ?? [])
    .filter((section) => !isExpired(section, nowMs));
  return [...Map.groupBy(sections, (section) => spanName(settledSpan(section, nowMs))).values()];
}

/**
 * The settled runs of a span. What was received longer ago than the window is not taken along, or
 * keys that come in late would keep a run for ever.
 */
function settledWithin(span: Span, keys: number, runs: readonly KeyRunInfo[], nowMs: number) {
  const within = runs.filter(
    ({ settled, sections, minReceivedAt }) =>
      settled &&
      sections?.every((section) => isWithin(section, span)) &&
      !isExpired({ maxReceivedMs: minReceivedAt.getTime() }, nowMs),
  );
  if (keys + sum(within) <= MERGED_KEYS) return within;
  const same = within.filter(({ sections }) => sections?.every((one) => isSameSpan(one, span)));
  return keys + sum(same) <= MERGED_KEYS ? same : [];
}

/** The largest section that is worth the merge, or the largest of all when the young run has to shrink. */
function sectionToSettle(
  runs: readonly KeyRunInfo[],
  young: readonly Section[][],
  nowMs: number,
): KeyMerge['settle'] {
  const youngKeys = sum(young.flat());
  if (youngKeys <= YOUNG_KEYS) return null;
  const mustShrink = youngKeys > Math.max(YOUNG_KEYS_MAX, sum(runs) / YOUNG_PART);
  for (const alike of young.toSorted((a, b) => sum(b) - sum(a))) {
    const [first] = alike;
    if (!first) continue;
    const span = settledSpan(first, nowMs);
    const keys = sum(alike);
    const into = settledWithin(span, keys, runs, nowMs);
    const isWorth = keys * WORTH >= sum(into) && keys * WORTH >= youngKeys;
    if (isWorth || mustShrink) return { span, into };
  }
  return null;
}

/**
 * The next merge, or none. Every commit's run goes into the one young run, so that a key is asked
 * in two places at most: its section there, and the settled run of its time.
 */
export function nextMerge(runs: readonly KeyRunInfo[], nowMs: number): KeyMerge | null {
  const young = runs.filter(({ sections, settled }) => sections !== null && !settled);
  const settle = sectionToSettle(runs, youngSections(young, nowMs), nowMs);
  return young.length < 2 && settle === null ? null : { young, settle };
}
