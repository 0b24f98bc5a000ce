import type { ObjectStore } from '../../storage/object-store/port.ts';
import { besidePool } from '../../storage/postgres.ts';
import { EVENT_OBJECTS, PROJECTIONS } from '../names.ts';
import { readSums } from './blocks.ts';
import { type CheckedPlace, FileChecks } from './file-checks.ts';
import { deleteSums, insertSums } from './queries.ts';

const isSummed = (key: string) => key.startsWith(EVENT_OBJECTS);

/** Projections have their own checksum. */
export function checkedObjectStore({ objects, log, ...given }: CheckedPlace): ObjectStore {
  // Also called within transactions.
  const sql = besidePool(given.sql);
  const checks = new FileChecks({ objects, log, sql });
  return {
    ...objects,
    adopt: async (scratchPath, key) => {
      if (isSummed(key)) await insertSums(sql, key, await readSums(scratchPath));
      await objects.adopt(scratchPath, key);
    },
    localPath: (key, check) => (isSummed(key) ? checks.open(key, check) : objects.localPath(key)),
    remove: async (key) => {
      await objects.remove(key);
      if (isSummed(key) || key.startsWith(PROJECTIONS)) await deleteSums(sql, [key]);
    },
  };
}
