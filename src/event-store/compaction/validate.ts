import type { Db } from '../../storage/postgres.ts';
import { liveRuns } from '../catalogue/queries.ts';
import type { Resolved } from '../event/resolve.ts';
import { isImportUndoneSince } from '../imports/queries.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { deletedApps, erasedSince, findAliases } from '../people/queries.ts';

export async function isOutdated(
  db: Db,
  { keys }: Compactor,
  { seq, resolved: { rows, duplicates, erasedDevices } }: { seq: number; resolved: Resolved },
): Promise<boolean> {
  const appIds = [...new Set(rows.map((row) => row.appId))];
  if ((await deletedApps(db, appIds)).size > 0) return true;
  if (await erasedSince(db, appIds, seq)) return true;
  const withDuplicates = [...new Set([...appIds, ...duplicates.map((row) => row.appId)])];
  if (await isImportUndoneSince(db, withDuplicates, seq)) return true;
  if ((await findAliases(db, erasedDevices)).length > 0) return true;
  const newer = (await liveRuns(db)).filter((run) => run.seq > seq);
  return (await keys.known(rows, newer)).size > 0;
}
