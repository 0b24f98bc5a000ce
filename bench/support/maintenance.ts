import { insertFile } from '../../src/event-store/catalogue/queries.ts';
import { planJobs, runJob } from '../../src/event-store/maintenance/jobs.ts';
import type { FileLevel } from '../../src/event-store/objects/names.ts';
import type { Compactor } from '../../src/event-store/parquet/compactor.ts';
import { writeEventFile } from '../../src/event-store/parquet/write-file.ts';

export async function addFile(
  compactor: Compactor,
  from: string,
  level: FileLevel,
  day: string | null,
): Promise<void> {
  const file = await writeEventFile(compactor, { from, level, day });
  if (file) await compactor.sql.begin((tx) => insertFile(tx, file, 0));
}

/** Everything that the maintenance workflow would do now. */
export async function maintain(compactor: Compactor): Promise<void> {
  for (let jobs = await planJobs(compactor); jobs.length > 0; jobs = await planJobs(compactor)) {
    for (const job of jobs) await runJob(compactor, job);
  }
}
