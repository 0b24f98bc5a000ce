import type { Deps } from '../../../context.ts';
import { ahead } from '../../../shared/ahead.ts';
import type { Store } from '../../../shared/purchase.ts';
import type { Fold } from './fold.ts';
import { foldChains } from './fold-chains.ts';
import { FoldTexts, type PackedFold, unpackFold } from './pack.ts';
import { type FoldsInput, markUnfolded, type OverviewScope, readFolds } from './queries.ts';

type Asked = Omit<FoldsInput, 'ids'>;
type Take<T> = (fold: T, row: { id: string; store: Store; isHeld: boolean }) => void;

/** Folds of another format are made anew. */
export async function forEachPacked(
  sql: Deps['sql'],
  scope: OverviewScope,
  asked: Asked,
  take: Take<PackedFold>,
): Promise<void> {
  const texts = new FoldTexts();
  const read = async (ids: readonly string[] | null): Promise<string[]> => {
    const foreign: string[] = [];
    for await (const rows of ahead(readFolds(sql, scope, { ...asked, ids }))) {
      for (const { id, store, fold: kept, isHeld = false } of rows) {
        const packed = texts.read(kept);
        if (packed) take(packed, { id, store, isHeld });
        else foreign.push(id);
      }
    }
    return foreign;
  };
  const foreign = await read(null);
  if (foreign.length === 0) return;
  await markUnfolded(sql, scope, foreign);
  await foldChains({ sql }, scope);
  await read(foreign);
}

export const forEachFold = (
  sql: Deps['sql'],
  scope: OverviewScope,
  asked: Asked,
  take: Take<Fold>,
): Promise<void> =>
  forEachPacked(sql, scope, asked, (packed, row) => take(unpackFold(packed), row));
