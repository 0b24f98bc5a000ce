import { AppError } from '../../shared/errors.ts';
import type { Sql } from '../../storage/postgres.ts';
import type { EventFileJob } from '../../temporal/contracts/events.ts';
import { liveFilesById, lockCatalogue, retireFiles } from '../catalogue/queries.ts';
import type { EventFile } from '../catalogue/types.ts';
import { correctFile } from '../rewrite/correct.ts';
import { mergeFiles } from '../rewrite/merge.ts';
import type { Rewriting } from '../rewrite/rewrite.ts';
import { splitFiles } from '../rewrite/split.ts';
import { wholeExpired } from './queries.ts';

/**
 * Does one job. Running it again after a crash, or when its files are gone already, changes
 * nothing: a job is over when its files are not live any more.
 */
export async function runJob(r: Rewriting, job: EventFileJob): Promise<void> {
  const files = await liveFilesById(r.sql, job.fileIds);
  if (files.length === 0 || (job.kind !== 'expire' && files.length < job.fileIds.length)) return;
  switch (job.kind) {
    case 'split':
      await splitFiles(r, files);
      return;
    case 'merge':
      await mergeFiles(r, files);
      return;
    case 'correct':
      for (const file of files) await correctFile(r, file);
      return;
    case 'expire':
      await expire(r.sql, files);
  }
}

/** What the app's retention no longer covers by now: the job's word alone retires nothing. */
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
