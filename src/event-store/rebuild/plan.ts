import { must } from '../../shared/assert.ts';
import { AppError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { readSeq } from '../catalogue/queries.ts';
import type { NewEventFile } from '../file/event-file.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { writeEventFile } from '../parquet/write-file.ts';
import { deletedApps } from '../people/queries.ts';
import { countCovered, type Extent, sharingRows } from './compare-rows.ts';
import { describeFile } from './describe-file.ts';
import { chooseFiles, type FoundFile, findFiles, replacedBy } from './find-files.ts';
import { type CataloguedFile, cataloguedFiles, cataloguedRanges } from './queries.ts';
import { uncoveredSql } from './rows-sql.ts';

export type PlanOptions = {
  dryRun: boolean;
  report: (text: string) => void;
};

export type RebuildPlan = {
  seq: number;
  found: number;
  /** Files without replacement metadata. */
  ofEarlierReleases: number;
  added: NewEventFile[];
  rows: number;
  partly: { path: string; rows: number; added: number }[];
  retired: string[];
  kept: number;
};

async function toExtents(
  { sql }: Pick<Compactor, 'sql'>,
  kept: readonly CataloguedFile[],
  paths: ReadonlySet<string>,
): Promise<Extent[]> {
  const ranges = Map.groupBy(await cataloguedRanges(sql), ({ fileId }) => fileId);
  const missing = kept.filter(({ path }) => !paths.has(path));
  if (missing.length > 0) {
    throw new AppError('unavailable', `${missing.length} event files of the catalogue are gone.`, {
      hint: `The first is ${missing[0]?.path}, and no file records that it replaces it. Nothing was changed. Bring them back, or restore the backup anew with --without-missing-files.`,
    });
  }
  return kept.map((file) => ({ ...file, apps: ranges.get(file.fileId) ?? [] }));
}

function writeRest(
  compactor: Compactor,
  { fileId, level, day }: NewEventFile,
  local: { path: string; format: number },
): Promise<NewEventFile | null> {
  const swap = { swapId: newId('swp'), part: 1, parts: 1, replaces: [fileId] };
  return writeEventFile(compactor, { from: uncoveredSql(local), level, day, swap });
}

async function withoutDeleted(
  { sql }: Pick<Compactor, 'sql'>,
  file: NewEventFile,
): Promise<NewEventFile> {
  const deleted = await deletedApps(
    sql,
    file.apps.map(({ appId }) => appId),
  );
  return { ...file, apps: file.apps.filter(({ appId }) => !deleted.has(appId)) };
}

type Adding = {
  plan: RebuildPlan;
  kept: readonly Extent[];
  taken: Extent[];
  dryRun: boolean;
};

async function isReplaced(
  compactor: Compactor,
  file: NewEventFile,
  kept: readonly Extent[],
): Promise<boolean> {
  for (const { path } of sharingRows(file, kept)) {
    if ((await replacedBy(compactor, path)).includes(file.fileId)) return true;
  }
  return false;
}

/** Nothing, the whole file, or a rewritten remainder. */
async function addFile(
  compactor: Compactor,
  { plan, kept, taken, dryRun }: Adding,
  candidate: FoundFile,
): Promise<void> {
  const described = await describeFile(compactor, candidate);
  const file = described && (await withoutDeleted(compactor, described));
  if (file === null || file.apps.length === 0) return;
  if (await isReplaced(compactor, file, kept)) return;
  const covered = await countCovered(compactor, file, taken);
  const rows = file.rows - covered;
  if (rows === 0) return;
  taken.push(file);
  plan.rows += rows;
  if (covered > 0) plan.partly.push({ path: file.path, rows: file.rows, added: rows });
  if (covered === 0 || dryRun) {
    plan.added.push(file);
    return;
  }
  const local = { path: await compactor.objects.localPath(file.path), format: file.format };
  const rest = must(await writeRest(compactor, file, local), 'rows that no other file has');
  plan.added.push(await withoutDeleted(compactor, rest));
}

/** Every row exists once. Remainders are written, not yet catalogued. */
export async function planRebuild(
  compactor: Compactor,
  { dryRun, report }: PlanOptions,
): Promise<RebuildPlan> {
  const seq = await readSeq(compactor.sql);
  const known = await cataloguedFiles(compactor.sql);
  const catalogued = new Set(known.map(({ fileId }) => fileId));
  const { paths, files } = await findFiles(compactor, catalogued, report);
  const { replaced, candidates } = chooseFiles(files, catalogued);
  const live = known.filter(({ state }) => state === 'live');
  const [gone = [], kept = []] = [true, false].map((isReplaced) =>
    live.filter(({ fileId }) => replaced.has(fileId) === isReplaced),
  );
  const extents = await toExtents(compactor, kept, paths);
  const taken = [...extents];
  const plan: RebuildPlan = {
    seq,
    found: paths.size,
    ofEarlierReleases: files.filter(({ origin }) => origin === null).length,
    added: [],
    rows: 0,
    partly: [],
    retired: gone.map(({ fileId }) => fileId),
    kept: kept.length,
  };
  for (const [index, candidate] of candidates.entries()) {
    report(`comparing rows: file ${index + 1} of ${candidates.length}`);
    await addFile(compactor, { plan, kept: extents, taken, dryRun }, candidate);
  }
  return plan;
}
