import type { EventFile } from '../catalogue/types.ts';
import { type Rewriting, rewriteFiles } from './rewrite.ts';

/** Makes one file of several of one app. False when they changed in the meantime. */
export async function mergeFiles(r: Rewriting, files: readonly EventFile[]): Promise<boolean> {
  const days = new Set(files.map((file) => file.day));
  const [day = null] = days;
  const isOneDay = days.size === 1 && day !== null;
  return rewriteFiles(r, files, async (from) => [
    { from, level: isOneDay ? 1 : 2, day: isOneDay ? day : null },
  ]);
}
