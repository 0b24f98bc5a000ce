import { must, onlyRow } from '../../shared/assert.ts';
import { newId } from '../../shared/ids.ts';
import { localFiles } from '../catalogue/event-sources.ts';
import * as catalogue from '../catalogue/queries.ts';
import type { EventFile, NewEventFile } from '../file/event-file.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { type WriteFile, writeEventFile } from '../parquet/write-file.ts';
import { writeProjection } from '../projection/write.ts';
import { correctedSql, countAffectedSql, loadCorrections, ofErased } from './corrections.ts';
import { filesToCoalesce } from './plan.ts';
import * as queries from './queries.ts';

export async function removeFiles(
  { objects }: Compactor,
  files: readonly NewEventFile[],
): Promise<void> {
  for (const { path, projection } of files) {
    if (projection !== null) await objects.remove(projection);
    await objects.remove(path);
  }
}

export async function writeParts(
  compactor: Compactor,
  parts: readonly WriteFile[],
  replaces: readonly string[],
): Promise<NewEventFile[]> {
  const written: NewEventFile[] = [];
  const swap = { swapId: newId('swp'), parts: parts.length, replaces: [...replaces] };
  try {
    for (const [index, part] of parts.entries()) {
      const file = await writeEventFile(compactor, { ...part, swap: { ...swap, part: index + 1 } });
      if (file) written.push(file);
    }
    return written;
  } catch (error) {
    await removeFiles(compactor, written);
    throw error;
  }
}

/** False, without changes, when the files changed. */
export async function rewriteFiles(
  compactor: Compactor,
  files: readonly EventFile[],
  divide: (correctedRows: string) => Promise<WriteFile[]>,
): Promise<boolean> {
  const { sql, connection, objects } = compactor;
  const fileIds = files.map((file) => file.fileId);
  const sinceSeq = Math.min(...files.map((file) => file.peopleSeq));
  const corrections = await queries.readCorrections(sql, fileIds, sinceSeq);
  await loadCorrections(connection, corrections);
  const parts = await divide(
    correctedSql(await localFiles(objects, files, { when: 'anew' }), corrections),
  );
  const added = await writeParts(compactor, parts, fileIds);
  try {
    await sql.begin((tx) =>
      queries.swapFiles(tx, { retired: fileIds, added, seq: corrections.seq }),
    );
    return true;
  } catch (error) {
    if (catalogue.isUncommitted(error)) await removeFiles(compactor, added);
    if (!(error instanceof catalogue.CatalogueMoved)) throw error;
    return false;
  }
}

export async function coalesceOnce(compactor: Compactor): Promise<number> {
  const files = filesToCoalesce(await catalogue.liveFilesOfLevel(compactor.sql, 0));
  if (files.length === 0) return 0;
  await rewriteFiles(compactor, files, async (from) => [{ from, level: 0, day: null }]);
  return files.length;
}

export async function renewFile(compactor: Compactor, file: EventFile): Promise<boolean> {
  const isOfMany = (await queries.countApps(compactor.sql, file.fileId)) > 1;
  const { level, day } = isOfMany ? { level: 0 as const, day: null } : file;
  return rewriteFiles(compactor, [file], async (from) => [{ from, level, day }]);
}

export async function projectFile(compactor: Compactor, file: EventFile): Promise<boolean> {
  const { sql, objects } = compactor;
  const owner = {
    orgId: must(file.orgId, 'a file of one app has its organization'),
    appId: must(file.appId, 'a file of one app has its app'),
  };
  const local = await objects.localPath(file.path);
  const made = await writeProjection(compactor, local, owner, file.rows);
  const { projection, projectionFormat } = made;
  const isSet = await catalogue.setProjection(sql, file.fileId, made, projectionFormat);
  const unused = isSet ? file.projection : projection;
  if (unused !== null) await objects.remove(unused);
  return isSet;
}

export function mergeFiles(compactor: Compactor, files: readonly EventFile[]): Promise<boolean> {
  const days = new Set(files.map((file) => file.day));
  const [first = null] = days;
  const day = days.size === 1 ? first : null;
  return rewriteFiles(compactor, files, async (from) => [
    { from, level: day === null ? 2 : 1, day },
  ]);
}

/** Rewrites for rows to remove; for late aliases only above their limit. */
export async function correctFile(compactor: Compactor, file: EventFile): Promise<boolean> {
  const { sql, connection, objects } = compactor;
  const { fileId, peopleSeq } = file;
  const corrections = await queries.readCorrections(sql, [fileId], peopleSeq);
  const isLate = await queries.isDueByAliases(sql, fileId);
  const wanted = isLate ? corrections : ofErased(corrections);
  await loadCorrections(connection, wanted);
  const local = await localFiles(objects, [file]);
  const counting = countAffectedSql(local, wanted, isLate ? 'any' : 'removed');
  const reader = await connection.runAndReadAll(counting);
  if (Number(onlyRow(reader.getRowObjects()).affected) > 0) return renewFile(compactor, file);
  if (isLate) await sql.begin((tx) => queries.markCorrected(tx, [fileId], corrections.seq));
  else await queries.markErased(sql, fileId, corrections.seq);
  return true;
}
