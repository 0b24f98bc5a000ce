import { insertFile } from '../../src/modules/events/catalogue/store.ts';
import type { FileLevel } from '../../src/modules/events/catalogue/types.ts';
import { planJobs } from '../../src/modules/events/maintenance/plan-jobs.ts';
import { runJob } from '../../src/modules/events/maintenance/run-job.ts';
import { writeEventFile } from '../../src/modules/events/parquet/write-file.ts';
import type { Rewriting } from '../../src/modules/events/rewrite/rewrite.ts';

export async function addFile(
  r: Rewriting,
  from: string,
  level: FileLevel,
  day: string | null,
): Promise<void> {
  const file = await writeEventFile({ ...r, from, level, day, createdAt: r.clock() });
  if (file) await r.sql.begin((tx) => insertFile(tx, file, 0));
}

/** Everything that the maintenance workflow would do now. */
export async function maintain(r: Rewriting): Promise<void> {
  for (let jobs = await planJobs(r); jobs.length > 0; jobs = await planJobs(r)) {
    for (const job of jobs) await runJob(r, job);
  }
}
