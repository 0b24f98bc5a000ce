import { at } from '../../shared/assert.ts';
import { AppError } from '../../shared/errors.ts';
import type { Sql } from '../../storage/postgres.ts';
import type { EventFileJob } from '../../temporal/contracts/events.ts';
import { filesWithoutColumns } from '../catalogue/column-queries.ts';
import * as catalogue from '../catalogue/queries.ts';
import { chooseProperties, DEFAULT_COLUMN_BYTES } from '../columns/choose.ts';
import { writeColumns } from '../columns/write-columns.ts';
import { EVENT_FILE_FORMAT } from '../event/columns.ts';
import type { EventFile } from '../file/event-file.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { PROJECTION_REVISION } from '../projection/format.ts';
import type { EventStore } from '../store.ts';
import { filesOfJob } from './due.ts';
import { filesToMerge, filesToSplit, isSortable, openSinceMs } from './plan.ts';
import { appsOfFiles, appsToMerge, expiredFiles, filesToCorrect, heavyBytes } from './queries.ts';
import { correctFile, mergeFiles, projectFile, renewFile } from './rewrite.ts';
import { splitFiles } from './split.ts';

/** Bounds the workflow's history. */
const MAX_JOBS = 100;
/** Minimum jobs per kind, so that none starves. */
const SHARES = { expire: 1, correct: 30, split: 30, merge: 25, renew: 5 } as const;
const MAX_FILES_PER_EXPIRY = 500;
const MAX_APPS = 2 * MAX_JOBS;

const toJobs = (kind: EventFileJob['kind'], groups: readonly (readonly string[])[]) =>
  groups.map((group): EventFileJob => ({ kind, fileIds: [...group] }));

const toIds = (groups: readonly (readonly EventFile[])[]) =>
  groups.map((group) => group.map((file) => file.fileId));

async function mergeGroups(sql: Sql, nowMs: number): Promise<EventFile[][]> {
  const appIds = await appsToMerge(sql, new Date(openSinceMs(nowMs)), MAX_APPS);
  const files = await catalogue.liveFilesOfApps(sql, appIds);
  return [...Map.groupBy(files, (file) => file.appId).values()]
    .flatMap((ofApp) => filesToMerge(ofApp, nowMs))
    .slice(0, MAX_JOBS);
}

async function filesToRenew(sql: Sql): Promise<EventFile[][]> {
  const old = await catalogue.liveFilesBefore(sql, EVENT_FILE_FORMAT, MAX_JOBS);
  const bare = await catalogue.liveFilesToProject(
    sql,
    PROJECTION_REVISION,
    EVENT_FILE_FORMAT,
    MAX_JOBS,
  );
  const lacking = await catalogue.liveFilesById(sql, await filesWithoutColumns(sql, MAX_JOBS));
  const known = new Set(bare.map(({ fileId }) => fileId));
  return [
    ...old.map((file) => [file]).filter(isSortable),
    ...bare.map((file) => [file]),
    ...lacking.filter(({ fileId }) => !known.has(fileId)).map((file) => [file]),
  ];
}

/** Leftovers go in order of urgency. */
export function shareOut(due: Record<keyof typeof SHARES, EventFileJob[]>): EventFileJob[] {
  const kinds = [due.expire, due.correct, due.split, due.merge, due.renew];
  const { expire, correct, split, merge, renew } = SHARES;
  const shares = [expire, correct, split, merge, renew];
  const taken = kinds.map((jobs, kind) => Math.min(jobs.length, at(shares, kind)));
  for (const [kind, jobs] of kinds.entries()) {
    const free = MAX_JOBS - taken.reduce((sum, count) => sum + count, 0);
    taken[kind] = Math.min(jobs.length, at(taken, kind) + free);
  }
  return kinds.flatMap((jobs, kind) => jobs.slice(0, at(taken, kind)));
}

async function withApps(sql: Sql, jobs: readonly EventFileJob[]): Promise<EventFileJob[]> {
  const appOf = await appsOfFiles(
    sql,
    jobs.flatMap((job) => job.fileIds),
  );
  return jobs.map((job) => {
    const [appId, ...others] = new Set(job.fileIds.map((fileId) => appOf.get(fileId)));
    return appId === undefined || others.length > 0 ? job : { ...job, appId };
  });
}

export async function planJobs(
  { sql, clock }: Pick<EventStore, 'sql' | 'clock'>,
  columnBytes = DEFAULT_COLUMN_BYTES,
): Promise<EventFileJob[]> {
  await chooseProperties(sql, columnBytes);
  const nowMs = clock().getTime();
  const expired = await expiredFiles(sql, MAX_FILES_PER_EXPIRY);
  const corrections = new Set([...(await filesToCorrect(sql, MAX_JOBS)), ...expired.partly]);
  const level0 = await catalogue.liveFilesOfLevel(sql, 0);
  const splits = filesToSplit(level0, await heavyBytes(sql), nowMs);
  const jobs = shareOut({
    expire: expired.whole.length > 0 ? toJobs('expire', [expired.whole]) : [],
    correct: toJobs(
      'correct',
      [...corrections].map((fileId) => [fileId]),
    ),
    split: toJobs('split', toIds(splits)),
    merge: toJobs('merge', toIds(await mergeGroups(sql, nowMs))),
    renew: toJobs('renew', toIds(await filesToRenew(sql))),
  });
  return withApps(sql, jobs);
}

/** Idempotent: a job is done once its files are not live. */
export async function runJob(compactor: Compactor, job: EventFileJob): Promise<void> {
  const { kind, files } = await filesOfJob(compactor, job);
  if (files.length === 0) return;
  switch (kind) {
    case 'split':
      await splitFiles(compactor, files);
      return;
    case 'merge':
      await mergeFiles(compactor, files);
      return;
    case 'correct':
      for (const file of files) await correctFile(compactor, file);
      return;
    case 'renew':
      for (const file of files) {
        if (file.format < EVENT_FILE_FORMAT) await renewFile(compactor, file);
        else await addToFile(compactor, file);
      }
      return;
    case 'expire':
      await expire(compactor.sql, files);
  }
}

async function addToFile(compactor: Compactor, file: EventFile): Promise<void> {
  if (file.projectionFormat < PROJECTION_REVISION) await projectFile(compactor, file);
  for (const present of await catalogue.liveFilesById(compactor.sql, [file.fileId])) {
    await writeColumns(compactor, present);
  }
}

async function expire(sql: Sql, files: readonly EventFile[]): Promise<void> {
  const fileIds = files.map((file) => file.fileId);
  await sql.begin(async (tx) => {
    await catalogue.lockCatalogue(tx);
    const { whole } = await expiredFiles(tx, fileIds.length, fileIds);
    if (whole.length < fileIds.length) {
      throw new AppError('conflict', 'The retention of the app still covers these events.');
    }
    await catalogue.retireFiles(tx, fileIds);
  });
}
