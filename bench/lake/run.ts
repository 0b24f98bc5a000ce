import { latestSnapshot } from '../../src/query/reading/lake/queries.ts';
import { must } from '../../src/shared/assert.ts';
import { createSql } from '../../src/storage/postgres.ts';
import { publishFolder } from '../../test/support/lake/lake.ts';
import { LOCAL_FILES, overPostgres } from '../../test/support/lake/trino-catalogs.ts';
import { findTrino } from '../../test/support/lake/trino-install.ts';
import {
  type Measured,
  measureWorkers,
  rowsInCatalogue,
  workersQuestion,
} from '../../test/support/lake/trino-shares.ts';
import { BENCH_ORG, benchApp, benchFiles } from '../support/event-files.ts';
import { option } from '../support/options.ts';
import { median, print, timed } from '../support/report.ts';
import { type BenchServers, withServers } from '../support/servers.ts';

const EVENTS = Number(option('events') ?? 10_000_000);
const ROUNDS = Number(option('rounds') ?? 3);
const HEAP_MB = Number(option('heap') ?? 4_096);

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

function printShares({ shares }: Measured): void {
  for (const what of ['bytes', 'rows'] as const) {
    const counts = shares.map((share) => share[what]).toSorted((a, b) => b - a);
    const sum = counts.reduce((total, count) => total + count, 0);
    const value = `${counts.map((count) => percent(count / sum)).join(' : ')}   (of ${Math.round(sum)})`;
    print({ label: `${what} of two workers (goal 60 : 40 or better)`, value });
  }
}

/** How many files were read, and of how many not each row once. */
function printFiles({ rowsByFile }: Measured, known: ReadonlyMap<string, number>): void {
  const paths = new Set([...rowsByFile.keys(), ...known.keys()]);
  const wrong = [...paths].filter((path) => rowsByFile.get(path) !== known.get(path));
  print({
    label: 'files, those of which a row was not read just once',
    value: `${known.size}, ${wrong.length}`,
  });
}

async function measure({ env, dataDir }: BenchServers): Promise<void> {
  const install = await findTrino();
  if (!install) {
    console.log(
      '  not run: Trino needs 3 GB of disk, Maven Central, and python3 with pip for its Java.',
    );
    return;
  }
  const databaseUrl = must(env.DATABASE_URL, 'the database');
  const sql = createSql(databaseUrl, { maxConnections: 4, applicationName: 'bench' });
  const owner = { orgId: BENCH_ORG, appId: benchApp(EVENTS) };
  let startMs = 0;
  const ms = await timed(async () => {
    const { objects, startMs: start } = await benchFiles(sql, dataDir, EVENTS, owner);
    startMs = start;
    await publishFolder(sql, objects, dataDir);
  });
  print({
    label: `${EVENTS / 1e6} million events made and published`,
    value: `${Math.round(ms / 1_000)} s`,
  });
  const asked = {
    catalog: { ...overPostgres(databaseUrl, `file://${dataDir}/events`), ...LOCAL_FILES },
    snapshot: must(await latestSnapshot(sql), 'it was published'),
    question: workersQuestion(owner, startMs),
  };
  const two = await measureWorkers(install, asked, { workers: 2, rounds: ROUNDS, heapMb: HEAP_MB });
  const one = await measureWorkers(install, asked, { workers: 1, rounds: ROUNDS, heapMb: HEAP_MB });
  const files = await rowsInCatalogue(sql, `file://${dataDir}/events`);
  await sql.end();
  printShares(two);
  printFiles(two, files);
  const same = Bun.deepEquals(two.answer, one.answer);
  print({
    label: 'people at each step, the same from one and two workers',
    value: `${two.answer.total.people.join(' ')}, ${same}`,
  });
  const [ofTwo, ofOne] = [median(two.ms), median(one.ms)];
  print({
    label: 'one worker on one processor',
    value: `${ofOne} ms   (rounds ${one.ms.join(' ')})`,
  });
  print({
    label: 'two workers on one processor each',
    value: `${ofTwo} ms   (rounds ${two.ms.join(' ')})`,
  });
  print({ label: 'one beside two', value: `${(ofOne / ofTwo).toFixed(2)} ×` });
}

export default () => withServers(['postgres'], measure);
