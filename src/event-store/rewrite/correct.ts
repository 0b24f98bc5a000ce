import { localFiles } from '../catalogue/event-sources.ts';
import type { EventFile } from '../catalogue/types.ts';
import { affectedSql, loadCorrections, readCorrections } from './corrections.ts';
import { appsOfFiles, markCorrected } from './queries.ts';
import { type Rewriting, rewriteFiles } from './rewrite.ts';

/**
 * Brings one file up to date with the map of people, erasures and retention. A file that none of
 * them touches is only marked: most late mappings are of people who have no rows in it.
 */
export async function correctFile(r: Rewriting, file: EventFile): Promise<boolean> {
  const corrections = await readCorrections(
    r.sql,
    await appsOfFiles(r.sql, [file.fileId]),
    file.peopleSeq,
  );
  await loadCorrections(r.connection, corrections);
  const reader = await r.connection.runAndReadAll(
    affectedSql(await localFiles(r.objects, [file]), corrections),
  );
  const affected = Number(reader.getRowObjects()[0]?.n ?? 0);
  if (affected === 0) {
    await markCorrected(r.sql, [file.fileId], corrections.seq);
    return true;
  }
  const { level, day } = file;
  return rewriteFiles(r, [file], async (from) => [{ from, level, day }]);
}
