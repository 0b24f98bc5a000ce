import { errorMessage } from '../../shared/errors.ts';
import { SECOND_MS, sleep } from '../../shared/time.ts';
import type { Sql } from '../../storage/postgres.ts';
import { ownedFiles, sharedFiles, shareFiles } from '../catalogue/sources-queries.ts';
import { holdsOnly, parseFileStats } from '../file/file-stats.ts';
import type { Reporter } from '../store.ts';

const RETRY_MS = 10 * SECOND_MS;
const SHOWN_IDS = 20;

type CheckDeps = { sql: Sql; log: Reporter };

export async function checkOwnersOnce({ sql, log }: CheckDeps): Promise<string[]> {
  for await (const files of ownedFiles(sql)) {
    const mixed = files
      .filter(({ stats, ...owner }) => !holdsOnly(parseFileStats(stats), owner))
      .map(({ fileId }) => fileId);
    if (mixed.length > 0) await shareFiles(sql, mixed);
  }
  const found = await sharedFiles(sql);
  if (found.length > 0) {
    log.error(
      { files: found.length, fileIds: found.slice(0, SHOWN_IDS) },
      'single-app event files hold rows of several apps; each app still reads only its own rows, and maintenance splits the files: see "Event files of several apps" in docs/runbook.md',
    );
  }
  return found;
}

/** Runs at worker start, once the database answers. */
export async function checkOwners(deps: CheckDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await checkOwnersOnce(deps);
      return;
    } catch (error) {
      deps.log.warn({ err: errorMessage(error) }, 'event files could not be checked; retrying');
      await sleep(RETRY_MS, signal);
    }
  }
}
