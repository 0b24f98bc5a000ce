import type { DuckDBConnection } from '@duckdb/node-api';
import type { Clock } from '../../shared/time.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import type { Sql } from '../../storage/postgres.ts';
import { localFiles } from '../catalogue/event-sources.ts';
import { CatalogueMoved } from '../catalogue/queries.ts';
import type { EventFile, FileLevel, NewEventFile } from '../catalogue/types.ts';
import { writeEventFile } from '../parquet/write-file.ts';
import { correctedSql, loadCorrections, readCorrections } from './corrections.ts';
import { appsOfFiles, swapFiles } from './queries.ts';

/** What rewriting works with; `connection` is used by one job at a time. */
export type Rewriting = {
  sql: Sql;
  objects: ObjectStore;
  connection: DuckDBConnection;
  clock: Clock;
};

/** Rows of the input that become one file. */
export type Part = { from: string; level: FileLevel; day: string | null };

async function writeParts(r: Rewriting, parts: readonly Part[]): Promise<NewEventFile[]> {
  const written: NewEventFile[] = [];
  try {
    for (const part of parts) {
      const file = await writeEventFile({ ...r, ...part, createdAt: r.clock() });
      if (file) written.push(file);
    }
    return written;
  } catch (error) {
    await removeAll(r, written);
    throw error;
  }
}

async function removeAll(r: Rewriting, files: readonly NewEventFile[]): Promise<void> {
  for (const file of files) await r.objects.remove(file.path);
}

/**
 * Writes the rows of `files` anew, with every correction that is due, into the parts that `divide`
 * names (given the SQL of the corrected rows), and swaps them in one transaction. False when the
 * files changed in the meantime; then there is nothing to undo.
 */
export async function rewriteFiles(
  r: Rewriting,
  files: readonly EventFile[],
  divide: (correctedRows: string) => Promise<Part[]>,
): Promise<boolean> {
  const fileIds = files.map((file) => file.fileId);
  const sinceSeq = Math.min(...files.map((file) => file.peopleSeq));
  const corrections = await readCorrections(r.sql, await appsOfFiles(r.sql, fileIds), sinceSeq);
  await loadCorrections(r.connection, corrections);
  const parts = await divide(correctedSql(await localFiles(r.objects, files), corrections));
  const added = await writeParts(r, parts);
  try {
    await r.sql.begin((tx) => swapFiles(tx, { retired: fileIds, added, seq: corrections.seq }));
    return true;
  } catch (error) {
    if (!(error instanceof CatalogueMoved)) throw error;
    await removeAll(r, added);
    return false;
  }
}
