import { DamagedFile } from '../../storage/damaged-file.ts';
import type { CopyCheck } from '../../storage/object-store/copy.ts';
import type { Db } from '../../storage/postgres.ts';
import { blocksOf, findFault, type Sums } from './blocks.ts';
import { hasSums, selectSums } from './queries.ts';

/** None before an upgrade. */
export const sumsOf = async (db: Db, keys: readonly string[]): Promise<Map<string, Sums>> =>
  (await hasSums(db)) ? selectSums(db, keys) : new Map();

export const copyCheck =
  (sums: ReadonlyMap<string, Sums>): CopyCheck =>
  async (key, path) => {
    const stored = sums.get(key);
    const fault = stored && (await findFault(path, stored, blocksOf(stored.bytes)));
    if (fault) throw new DamagedFile(key, fault);
  };
