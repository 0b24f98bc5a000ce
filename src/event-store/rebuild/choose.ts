import type { Swap } from '../parquet/file-origin.ts';

export type Lineage = { fileId: string; level: number; rows: number; swap: Swap | null };

export type Choice<T> = {
  replaced: ReadonlySet<string>;
  candidates: T[];
};

/** A part is catalogued, or all parts exist. */
function finishedSwaps(files: readonly Lineage[], catalogued: ReadonlySet<string>): Set<string> {
  const swapped = files.flatMap(({ fileId, swap }) => (swap === null ? [] : [{ fileId, swap }]));
  // A rewrite only reads catalogued files.
  const wasLive = new Set([...catalogued, ...swapped.flatMap(({ swap }) => swap.replaces)]);
  const groups = Map.groupBy(swapped, ({ swap }) => swap.swapId);
  const finished = [...groups].filter(([, parts]) => {
    const present = new Set(parts.map(({ swap }) => swap.part));
    return (
      parts.some(({ fileId }) => wasLive.has(fileId)) ||
      parts.every(({ swap }) => present.size === swap.parts)
    );
  });
  return new Set(finished.map(([swapId]) => swapId));
}

/** Rewrites first (erased people are gone from them), unfinished ones last. */
export function chooseFiles<T extends Lineage>(
  files: readonly T[],
  catalogued: ReadonlySet<string>,
): Choice<T> {
  const finished = finishedSwaps(files, catalogued);
  const isFinished = ({ swap }: T) => swap === null || finished.has(swap.swapId);
  const replaced = new Set(
    files.filter(isFinished).flatMap(({ swap }) => (swap === null ? [] : swap.replaces)),
  );
  const candidates = files
    .filter(({ fileId }) => !replaced.has(fileId) && !catalogued.has(fileId))
    .toSorted(
      (a, b) =>
        Number(isFinished(b)) - Number(isFinished(a)) ||
        b.level - a.level ||
        b.rows - a.rows ||
        (a.fileId < b.fileId ? 1 : -1),
    );
  return { replaced, candidates };
}
