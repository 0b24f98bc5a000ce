import { type Static, Type } from '@sinclair/typebox';
import { AppError } from '../../shared/errors.ts';
import { OneOf, parser } from '../../shared/schema.ts';
import type { EventFileJob } from '../../temporal/contracts/events.ts';
import { filesWithoutColumns } from '../catalogue/column-queries.ts';
import { liveFilesById, liveFilesOfApp, liveFilesOfLevel } from '../catalogue/queries.ts';
import { EVENT_FILE_FORMAT } from '../event/columns.ts';
import type { EventFile } from '../file/event-file.ts';
import { PROJECTION_REVISION } from '../projection/format.ts';
import type { EventStore } from '../store.ts';
import { dueToSplit, filesToMerge, isOneSplit, isSortable } from './plan.ts';
import { expiredFiles, filesToCorrect, heavyBytes } from './queries.ts';

/** Above any plan's job size; a file has at least one row. */
const MAX_FILES = 100_000;

const Job = Type.Object({
  kind: OneOf(['split', 'merge', 'correct', 'expire', 'renew']),
  fileIds: Type.Array(Type.String(), { minItems: 1, maxItems: MAX_FILES, uniqueItems: true }),
});

const parseJob = parser(Job, 'job on event files');

type Kind = Static<typeof Job>['kind'];
type Store = Pick<EventStore, 'sql' | 'clock'>;

const toIds = (files: readonly EventFile[]) => files.map(({ fileId }) => fileId);

function refuse(message: string): never {
  throw new AppError('conflict', message);
}

/** Throws `conflict` for files of several apps. */
function onlyApp(files: readonly EventFile[]): string {
  const [appId = null, ...others] = new Set(files.map((file) => file.appId));
  if (appId === null || others.length > 0) refuse('These event files belong to several apps.');
  return appId;
}

async function isSplitDue({ sql, clock }: Store, files: readonly EventFile[]): Promise<boolean> {
  if (files.some(({ level }) => level > 0)) refuse('A single-app event file is never split.');
  if (!isOneSplit(files)) refuse('These are too many event files to split together.');
  const shared = await liveFilesOfLevel(sql, 0);
  const due = new Set(toIds(dueToSplit(shared, await heavyBytes(sql), clock().getTime())));
  return toIds(files).every((fileId) => due.has(fileId));
}

async function isMergeDue({ sql, clock }: Store, files: readonly EventFile[]): Promise<boolean> {
  const ofApp = await liveFilesOfApp(sql, onlyApp(files));
  const groups = filesToMerge(ofApp, clock().getTime()).map((group) => new Set(toIds(group)));
  const fileIds = toIds(files);
  return files.length > 1 && groups.some((group) => fileIds.every((id) => group.has(id)));
}

async function isCorrectionDue({ sql }: Store, files: readonly EventFile[]): Promise<boolean> {
  const fileIds = toIds(files);
  const { partly } = await expiredFiles(sql, fileIds.length, fileIds);
  const due = new Set([...partly, ...(await filesToCorrect(sql, fileIds.length, fileIds))]);
  return fileIds.every((fileId) => due.has(fileId));
}

async function isRenewable({ sql }: Store, files: readonly EventFile[]): Promise<boolean> {
  const lacking = new Set(await filesWithoutColumns(sql, files.length, toIds(files)));
  return files.every((file) => {
    if (file.format < EVENT_FILE_FORMAT) return isSortable([file]);
    if (file.format > EVENT_FILE_FORMAT) return false;
    return file.projectionFormat < PROJECTION_REVISION || lacking.has(file.fileId);
  });
}

function isDue(store: Store, kind: Kind, files: readonly EventFile[]): Promise<boolean> | boolean {
  switch (kind) {
    case 'split':
      return isSplitDue(store, files);
    case 'merge':
      return isMergeDue(store, files);
    case 'correct':
      return isCorrectionDue(store, files);
    case 'renew':
      onlyApp(files);
      return isRenewable(store, files);
    case 'expire':
      return true;
  }
}

/**
 * Empty when done or no longer planned: Temporal is not trusted. Throws `conflict` for combinations
 * no plan makes.
 */
export async function filesOfJob(
  store: Store,
  job: EventFileJob,
): Promise<{ kind: Kind; files: EventFile[] }> {
  const { kind, fileIds } = parseJob.parse(job);
  const files = await liveFilesById(store.sql, fileIds);
  const isWhole = kind === 'expire' || files.length === fileIds.length;
  const isWanted = files.length > 0 && isWhole && (await isDue(store, kind, files));
  return { kind, files: isWanted ? files : [] };
}
