import type { Clock } from '../../shared/time.ts';
import type { Sql } from '../../storage/postgres.ts';
import type { EventFileJob } from '../../temporal/contracts/events.ts';
import { liveFilesOfApp, liveFilesOfLevel } from '../catalogue/queries.ts';
import type { EventFile } from '../catalogue/types.ts';
import { filesToMerge, filesToSplit } from '../rewrite/plan.ts';
import { appsWithFiles, expiredFiles, filesToCorrect, heavyBytes } from './queries.ts';

/** Jobs of one plan: a run plans again when they are done, so a history stays short. */
const MAX_JOBS = 100;
const MAX_FILES_PER_EXPIRY = 500;

const jobOf = (kind: EventFileJob['kind'], files: readonly EventFile[]): EventFileJob => ({
  kind,
  fileIds: files.map((file) => file.fileId),
});

async function mergeJobs(sql: Sql, nowMs: number, limit: number): Promise<EventFileJob[]> {
  const jobs: EventFileJob[] = [];
  for (const appId of await appsWithFiles(sql, 10 * limit)) {
    if (jobs.length >= limit) break;
    const groups = filesToMerge(await liveFilesOfApp(sql, appId), nowMs);
    jobs.push(...groups.map((group) => jobOf('merge', group)));
  }
  return jobs;
}

/**
 * What there is to do with the event files now, the most urgent first: nothing of it changes an
 * answer, but for people and days that have to be forgotten.
 */
export async function planJobs(deps: { sql: Sql; clock: Clock }): Promise<EventFileJob[]> {
  const { sql, clock } = deps;
  const nowMs = clock().getTime();
  const expired = await expiredFiles(sql, MAX_FILES_PER_EXPIRY);
  const single = (kind: EventFileJob['kind']) => (id: string) => ({ kind, fileIds: [id] });
  const level0 = await liveFilesOfLevel(sql, 0);
  const jobs: EventFileJob[] = [
    ...(expired.whole.length > 0 ? [{ kind: 'expire' as const, fileIds: expired.whole }] : []),
    ...(await filesToCorrect(sql, MAX_JOBS)).map(single('correct')),
    ...filesToSplit(level0, await heavyBytes(sql), nowMs).map((files) => jobOf('split', files)),
    ...expired.partly.map(single('correct')),
  ].slice(0, MAX_JOBS);
  if (jobs.length > 0) return jobs;
  return (await mergeJobs(sql, nowMs, MAX_JOBS)).slice(0, MAX_JOBS);
}
