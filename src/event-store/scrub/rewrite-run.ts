import {
  CatalogueMoved,
  insertRun,
  isUncommitted,
  liveFilesReceived,
  lockCatalogue,
  retireRuns,
} from '../catalogue/queries.ts';
import type { KeyRunInfo } from '../dedup/key-index.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { writeIdentities } from '../rebuild/identities.ts';

export async function rewriteRun(compactor: Compactor, run: KeyRunInfo): Promise<boolean> {
  const { sql, objects } = compactor;
  const files = await liveFilesReceived(sql, run);
  const added = await writeIdentities(compactor, files);
  try {
    await sql.begin(async (tx) => {
      await lockCatalogue(tx);
      await retireRuns(tx, [run.runId]);
      for (const one of added) await insertRun(tx, { ...one, importId: run.importId }, run.seq);
    });
    return true;
  } catch (error) {
    if (isUncommitted(error)) for (const { path } of added) await objects.remove(path);
    if (!(error instanceof CatalogueMoved)) throw error;
    return false;
  }
}
