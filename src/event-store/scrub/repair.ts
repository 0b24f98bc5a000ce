import { copyFile, rm } from 'node:fs/promises';
import { MINUTE_MS } from '../../shared/time.ts';
import { isNotThere } from '../../storage/object-store/bucket-failure.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import { forgetColumns } from '../catalogue/column-queries.ts';
import * as catalogue from '../catalogue/queries.ts';
import type { KeyRunInfo } from '../dedup/key-index.ts';
import { PROJECTIONS } from '../objects/names.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { writeIdentities } from '../rebuild/identities.ts';
import { differenceOf, readSums } from '../sums/blocks.ts';
import { deleteSums } from '../sums/queries.ts';
import { isLive, markWhole, noteWhole, type StoredFile, selectDamaged } from './queries.ts';
import { readAgain } from './read-again.ts';
import { type Scrub, skipNone } from './scrub.ts';

async function rewriteRun(compactor: Compactor, run: KeyRunInfo): Promise<boolean> {
  const { sql, objects } = compactor;
  const files = await catalogue.liveFilesReceived(sql, run);
  const added = await writeIdentities(compactor, files, run.importId);
  try {
    await sql.begin(async (tx) => {
      await catalogue.lockCatalogue(tx);
      await catalogue.retireRuns(tx, [run.runId]);
      for (const one of added) await catalogue.insertRun(tx, one, run.seq);
    });
    return true;
  } catch (error) {
    if (catalogue.isUncommitted(error)) for (const { path } of added) await objects.remove(path);
    if (!(error instanceof catalogue.CatalogueMoved)) throw error;
    return false;
  }
}

const AT_ONCE = 100;
const RARELY_MS = 10 * MINUTE_MS;

export type Repair = Scrub & {
  objects: ObjectStore;
  copiesOf: (key: string) => AsyncIterable<string>;
  withCompactor: <T>(work: (compactor: Compactor) => Promise<T>) => Promise<T>;
};

function ofNone(thrown: unknown): null {
  if (isNotThere(thrown)) return null;
  throw thrown;
}

async function* candidates({ objects, copiesOf }: Repair, key: string): AsyncIterable<string> {
  const kept = objects.isRemote && (await objects.localPath(key, { when: 'never' }).catch(ofNone));
  if (kept) yield kept;
  yield* copiesOf(key);
}

async function takeCopy(repair: Repair, { path: key, stored }: StoredFile): Promise<boolean> {
  const { objects, sql } = repair;
  for await (const copy of candidates(repair, key)) {
    const scratch = objects.scratchPath(`copy-${crypto.randomUUID()}`);
    try {
      await copyFile(copy, scratch);
      if (
        stored === null ||
        differenceOf(stored, await readSums(scratch, { signal: repair.signal })) !== null
      )
        continue;
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
  const { sql, place, signal, withCompactor } = repair;
  const { path } = file;
  if (!(await isLive(sql, path))) {
    await deleteSums(sql, [path]);
    return null;
  }
  const { sums, fault } = await readAgain(place, file, { signal });
  if (fault === null) {
    await noteWhole(sql, file, sums);
    return 'it is as it was written again';
  }
  if (path.startsWith(PROJECTIONS)) {
    await catalogue.clearProjections(sql, [path]);
    await forgetColumns(sql, [path]);
    await deleteSums(sql, [path]);
    return 'maintenance makes it again';
  }
  if (await takeCopy(repair, file)) return 'from a copy';
  const run = (await catalogue.liveRuns(sql)).find((one) => one.path === path);
  if (run === undefined) return null;
  if (!(await withCompactor((compactor) => rewriteRun(compactor, run)))) return null;
  await deleteSums(sql, [path]);
  return 'made again from event files';
}

/** More rarely the longer a file is damaged. */
export async function repairDamaged(repair: Repair, skipped = skipNone()): Promise<number> {
  const { sql, log, signal } = repair;
  let repaired = 0;
  const damaged = await selectDamaged(sql, { limit: AT_ONCE, except: [...skipped.keys()] });
  for (const { forMs, ...file } of damaged) {
    const { path } = file;
    if (signal?.aborted) break;
    const how = await repairFile(repair, file).catch((err: unknown) => {
      if (signal?.aborted) return null;
      log.warn({ err, path }, 'a damaged file could not be repaired; retrying');
      return null;
    });
    if (how === null)
      skipped.set(path, true, { ttl: Math.ceil(Math.min(RARELY_MS, 1 + Math.max(0, forMs) / 4)) });
    else {
      repaired += 1;
      log.warn({ path, how }, 'a damaged file was repaired');
    }
  }
  return repaired;
}
