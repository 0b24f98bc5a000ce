import type { Db } from '../../storage/postgres.ts';
import { liveRuns } from '../catalogue/queries.ts';
import type { Compactor } from '../compactor.ts';
import type { Resolved } from '../event/resolve.ts';
import { deletedApps, erasedSince, findAliases } from '../people/queries.ts';

/**
 * Whether commits since `seq` change what the prepared rows should be: one of them is stored by now,
 * their app or one of its people is gone, or a device to erase is somebody's. Other aliases made in
 * between change nothing, also those of another user for the same device: they are late ones of a
 * file that says which number it was resolved with.
 */
export async function isOutdated(
  db: Db,
  { keys }: Compactor,
  { seq, resolved: { rows, erasedDevices } }: { seq: number; resolved: Resolved },
): Promise<boolean> {
  const appIds = [...new Set(rows.map((row) => row.appId))];
  if ((await deletedApps(db, appIds)).size > 0) return true;
  if (await erasedSince(db, appIds, seq)) return true;
  if ((await findAliases(db, erasedDevices)).length > 0) return true;
  const newer = (await liveRuns(db)).filter((run) => run.seq > seq);
  return (await keys.known(rows, newer)).size > 0;
}
