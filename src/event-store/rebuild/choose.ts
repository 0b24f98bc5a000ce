import type { Swap } from '../parquet/file-origin.ts';

export type Lineage = { fileId: string; level: number; rows: number; swap: Swap | null };

export type Choice<T> = {
  /** The files whose rows are in others: their swap took place, or could have. */
  replaced: ReadonlySet<string>;
  /** What may have rows that no other has, in the order in which they are to be looked at. */
  candidates: T[];
};

/** The swaps that happened: a part of theirs was in the catalogue, or all parts are there. */
function finishedSwaps(files: readonly Lineage[], catalogued: ReadonlySet<string>): Set<string> {
  const swapped = files.flatMap(({ fileId, swap }) => (swap === null ? [] : [{ fileId, swap }]));
  // What a rewrite read was in the catalogue.
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

/**
 * Which files of a place say that others took their place, and in which order the rest is to be
 * compared: those of rewrites first, since erased people are gone from them, the unfinished last.
 * `catalogued` are the files that the catalogue has, in whatever state; they are no candidates.
 */
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
