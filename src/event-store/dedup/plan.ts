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

/** The promised seven days plus one, since a section spans hours or days. */
const KEEP_MS = 8 * DAY_MS;
/** Keys (1 MB) above which a young section may settle. */
const YOUNG_KEYS = 65_536;
/** Keys (4 MB, rewritten by every commit) above which one must settle … */
const YOUNG_KEYS_MAX = 262_144;
/** … or this fraction of the index, for late keys of old hours. */
const YOUNG_PART = 2_048;
/** Smallest fraction of the target worth merging. */
const WORTH = 16;
/** Keys (1 GB, a few seconds); beyond it, sections of one time coexist. */
const MERGED_KEYS = 64_000_000;

export const isExpired = ({ maxReceivedMs }: { maxReceivedMs: number }, nowMs: number): boolean =>
  nowMs - maxReceivedMs > KEEP_MS;

export function expiredRuns(runs: readonly KeyRunInfo[], nowMs: number): KeyRunInfo[] {
  return runs.filter((run) => isExpired({ maxReceivedMs: run.maxReceivedAt.getTime() }, nowMs));
}

export type KeyMerge = {
  young: KeyRunInfo[];
  settle: { span: Span; into: KeyRunInfo[] } | null;
};

const sum = (sized: readonly { keys: number }[]) =>
  sized.reduce((total, { keys }) => total + keys, 0);

function youngSections(young: readonly KeyRunInfo[], nowMs: number): Section[][] {
  const sections = young
    .flatMap((run) => run.sections ?? [])
    .filter((section) => !isExpired(section, nowMs));
  return [...Map.groupBy(sections, (section) => spanName(settledSpan(section, nowMs))).values()];
}

/** Late keys would keep expired runs for ever. */
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

/** The largest worth merging, or the largest of all when the young run must shrink. */
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

export function nextMerge(runs: readonly KeyRunInfo[], nowMs: number): KeyMerge | null {
  const young = runs.filter(({ sections, settled }) => sections !== null && !settled);
  const settle = sectionToSettle(runs, youngSections(young, nowMs), nowMs);
  return young.length < 2 && settle === null ? null : { young, settle };
}
