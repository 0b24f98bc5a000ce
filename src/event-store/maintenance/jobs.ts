import { AppError } from '../../shared/errors.ts';
import type { Sql } from '../../storage/postgres.ts';
import type { EventFileJob } from '../../temporal/contracts/events.ts';
import {
  liveFilesById,
  liveFilesOfApp,
  liveFilesOfLevel,
  lockCatalogue,
  retireFiles,
} from '../catalogue/queries.ts';
import type { EventFile } from '../catalogue/types.ts';
import type { Compactor, EventStore } from '../store.ts';
import { filesToMerge, filesToSplit } from './plan.ts';
import {
  appsWithFiles,
  expiredFiles,
  filesToCorrect,
  heavyBytes,
  wholeExpired,
} from './queries.ts';
import { correctFile, mergeFiles } from './rewrite.ts';
import { splitFiles } from './split.ts';

/** Jobs of one plan. The workflow plans again afterwards, so its history stays short. */
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
 * The jobs that are due now, the most urgent first. None of them changes an answer, but for erased
 * people and expired days.
 */
export async function planJobs({
  sql,
  clock,
}: Pick<EventStore, 'sql' | 'clock'>): Promise<EventFileJob[]> {
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

/**
 * Does one job. Idempotent, also after a crash: a job is over when its files are no longer live.
 */
export async function runJob(compactor: Compactor, job: EventFileJob): Promise<void> {
  const files = await liveFilesById(compactor.sql, job.fileIds);
  if (files.length === 0 || (job.kind !== 'expire' && files.length < job.fileIds.length)) return;
  switch (job.kind) {
    case 'split':
      await splitFiles(compactor, files);
      return;
    case 'merge':
      await mergeFiles(compactor, files);
      return;
    case 'correct':
      for (const file of files) await correctFile(compactor, file);
      return;
    case 'expire':
      await expire(compactor.sql, files);
  }
}

/** Retires files past the app's retention as it is now; the job alone is not believed. */
async function expire(sql: Sql, files: readonly EventFile[]): Promise<void> {
  const fileIds = files.map((file) => file.fileId);
  await sql.begin(async (tx) => {
    await lockCatalogue(tx);
    const expired = await wholeExpired(tx, fileIds);
    if (expired.length < fileIds.length) {
      throw new AppError('conflict', 'The retention of the app still covers these events.');
    }
    await retireFiles(tx, fileIds);
  });
}
