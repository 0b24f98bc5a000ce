import { planJobs } from '../../src/event-store/maintenance/jobs.ts';
import { systemClock } from '../../src/shared/time.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { fillCatalogue } from '../../test/support/synthetic-catalogue.ts';
import { print, timed } from '../support/report.ts';
import { withServers } from '../support/servers.ts';

const SIZE = { apps: 10_000, filesPerApp: 19, sharedFiles: 60, aliases: 2_000_000 };
const ROUNDS = 5;

/** One plan of file maintenance over the catalogue of a large installation. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env }) => {
    const sql = createSql(env.DATABASE_URL ?? '', { maxConnections: 4, applicationName: 'bench' });
    await fillCatalogue(sql, SIZE);
    await sql`VACUUM`;
    const times: number[] = [];
    let jobs = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      times.push(
        await timed(async () => {
          jobs = (await planJobs({ sql, clock: systemClock })).length;
        }),
      );
    }
    await sql.end();
    const median = times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
    const { apps, filesPerApp, sharedFiles } = SIZE;
    const files = apps * filesPerApp + sharedFiles;
    print({
      label: `a plan over ${apps} apps and ${files} files, ${jobs} jobs due`,
      value: `${median.toFixed(0)} ms   (goal ≤ 1000)`,
    });
    print({ label: 'each of them', value: `${times.map((ms) => ms.toFixed(0)).join(', ')} ms` });
  });
}
