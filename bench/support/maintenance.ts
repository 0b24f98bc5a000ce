import { insertFile } from '../../src/event-store/catalogue/queries.ts';
import type { FileLevel } from '../../src/event-store/catalogue/types.ts';
import { planJobs } from '../../src/event-store/maintenance/plan-jobs.ts';
import { runJob } from '../../src/event-store/maintenance/run-job.ts';
import { writeEventFile } from '../../src/event-store/parquet/write-file.ts';
import type { Rewriting } from '../../src/event-store/rewrite/rewrite.ts';

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
