import type { Deps } from '../../../context.ts';
import { countLengths, foldChain, foldRange } from './fold.ts';
import { packFold } from './pack.ts';
import { type OverviewScope, saveFolds, selectUnfolded, type UnfoldedChain } from './queries.ts';

const BATCH = 500;

function saved({ history, ...row }: UnfoldedChain) {
  const fold = foldChain(history);
  return { ...row, ...foldRange(fold), fold: packFold(fold), lengths: countLengths(fold) };
}

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
