import { DamagedFile } from '../../storage/damaged-file.ts';
import type { CopyCheck } from '../../storage/object-store/copy.ts';
import type { Db } from '../../storage/postgres.ts';
import { blocksOf, findFault, type Sums } from './blocks.ts';
import { hasSums, selectSums } from './queries.ts';

export async function copyChecks(db: Db, keys: readonly string[]): Promise<CopyCheck> {
  const sums = (await hasSums(db)) ? await selectSums(db, keys) : new Map<string, Sums>();
  return async (key, path) => {
    const stored = sums.get(key);
    const fault = stored && (await findFault(path, stored, blocksOf(stored.bytes)));
    if (fault) throw new DamagedFile(key, fault);
  };
}
