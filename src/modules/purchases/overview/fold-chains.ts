import type { Deps } from '../../../context.ts';
import { foldOf, lengthsOf, reachOf } from './fold.ts';
import { packFold } from './pack.ts';
import { type OverviewScope, saveFolds, selectUnfolded, type UnfoldedChain } from './queries.ts';

/** Chains folded at a time. */
const BATCH = 500;

function saved({ history, ...row }: UnfoldedChain) {
  const fold = foldOf(history);
  return { ...row, ...reachOf(fold), fold: packFold(fold), lengths: lengthsOf(fold) };
}

/**
 * Folds the chains whose facts changed since, of an app or of all, at most so many. A fold is saved
 * while the facts are still those that it is of, so it is never of other ones.
 */
export async function foldChains(
  { sql }: Pick<Deps, 'sql'>,
  scope: OverviewScope | null,
  limit = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (let done = 0; done < limit; done += BATCH) {
    const unfolded = await selectUnfolded(sql, scope, BATCH);
    if (unfolded.length === 0) return;
    const folds = unfolded.map(saved);
    await sql.begin((tx) => saveFolds(tx, folds));
    if (unfolded.length < BATCH) return;
  }
}
