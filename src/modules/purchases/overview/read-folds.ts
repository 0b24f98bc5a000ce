import type { Deps } from '../../../context.ts';
import { ahead } from '../../../shared/ahead.ts';
import type { Store } from '../../../shared/purchase.ts';
import type { Fold } from './fold.ts';
import { foldChains } from './fold-chains.ts';
import { FoldTexts } from './fold-texts.ts';
import { type PackedFold, unpackFold } from './pack.ts';
import { type FoldsInput, markUnfolded, type OverviewScope, readFolds } from './queries.ts';

type Asked = Omit<FoldsInput, 'ids'>;
type Take<T> = (fold: T, row: { id: string; store: Store; isHeld: boolean }) => void;

/** Folds made anew after a question, by the worker or by the next one. */
const REMADE = 1_000;

/** Folds of the release before count as they are, those of others are made anew first. */
export async function forEachPacked(
  sql: Deps['sql'],
  scope: OverviewScope,
  asked: Asked,
  take: Take<PackedFold>,
): Promise<void> {
  const texts = new FoldTexts();
  const old: string[] = [];
  const read = async (ids: readonly string[] | null): Promise<string[]> => {
    const foreign: string[] = [];
    for await (const rows of ahead(readFolds(sql, scope, { ...asked, ids }))) {
      for (const { id, store, fold: kept, isHeld = false } of rows) {
        const packed = texts.read(kept);
        if (!packed) {
          foreign.push(id);
          continue;
        }
        if (old.length < REMADE && !texts.isPresent(kept)) old.push(id);
        take(packed, { id, store, isHeld });
      }
    }
    return foreign;
  };
  const foreign = await read(null);
  if (old.length > 0) await markUnfolded(sql, scope, old);
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
