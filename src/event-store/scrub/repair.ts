import { copyFile, rm } from 'node:fs/promises';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import { forgetColumns } from '../catalogue/column-queries.ts';
import { clearProjections, liveRuns } from '../catalogue/queries.ts';
import { PROJECTIONS } from '../names.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { differenceOf, readSums } from '../sums/blocks.ts';
import { deleteSums } from '../sums/queries.ts';
import { isLive, markWhole, selectDamaged, type StoredFile } from './queries.ts';
import { readAgain } from './read-again.ts';
import { rewriteRun } from './rewrite-run.ts';
import type { Scrub } from './scrub.ts';

const AT_ONCE = 100;

export type Repair = Scrub & {
  objects: ObjectStore;
  copiesOf: (key: string) => AsyncIterable<string>;
  withCompactor: <T>(work: (compactor: Compactor) => Promise<T>) => Promise<T>;
};

async function* candidates({ objects, copiesOf }: Repair, key: string): AsyncIterable<string> {
  if (objects.isRemote) yield await objects.localPath(key, { when: 'never' });
  yield* copiesOf(key);
}

async function takeCopy(repair: Repair, { path: key, stored }: StoredFile): Promise<boolean> {
  const { objects, sql } = repair;
  for await (const copy of candidates(repair, key)) {
    const scratch = objects.scratchPath(`copy-${crypto.randomUUID()}`);
    try {
      await copyFile(copy, scratch);
      if (stored === null || differenceOf(stored, await readSums(scratch)) !== null) continue;
      await objects.adopt(scratch, key);
      await markWhole(sql, key);
      return true;
    } finally {
      await rm(scratch, { force: true });
    }
  }
  return false;
}

async function repairFile(repair: Repair, file: StoredFile): Promise<string | null> {
  const { sql, place, withCompactor } = repair;
  const { path } = file;
  if (!(await isLive(sql, path))) {
    await deleteSums(sql, [path]);
    return null;
  }
  if ((await readAgain(place, file)).fault === null) {
    await markWhole(sql, path);
    return 'it is as it was written again';
  }
  if (path.startsWith(PROJECTIONS)) {
    await clearProjections(sql, [path]);
    await forgetColumns(sql, [path]);
    await deleteSums(sql, [path]);
    return 'maintenance makes it again';
  }
  if (await takeCopy(repair, file)) return 'from a copy';
  const run = (await liveRuns(sql)).find((one) => one.path === path);
  if (run === undefined) return null;
  if (!(await withCompactor((compactor) => rewriteRun(compactor, run)))) return null;
  await deleteSums(sql, [path]);
  return 'made again from event files';
}

export async function repairDamaged(repair: Repair): Promise<number> {
  const { sql, log } = repair;
  let repaired = 0;
  for (const file of await selectDamaged(sql, AT_ONCE)) {
    const how = await repairFile(repair, file);
    if (how === null) continue;
    repaired += 1;
    log.warn({ path: file.path, how }, 'a damaged file was repaired');
  }
  return repaired;
}
