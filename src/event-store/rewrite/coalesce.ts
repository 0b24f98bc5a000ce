import { liveFilesOfLevel } from '../catalogue/queries.ts';
import { filesToCoalesce } from './plan.ts';
import { type Rewriting, rewriteFiles } from './rewrite.ts';

/** Puts the smallest files of many apps together; the number of files it took, 0 when none is due. */
export async function coalesceOnce(r: Rewriting): Promise<number> {
  const files = filesToCoalesce(await liveFilesOfLevel(r.sql, 0));
  if (files.length === 0) return 0;
  await rewriteFiles(r, files, async (from) => [{ from, level: 0, day: null }]);
  return files.length;
}
