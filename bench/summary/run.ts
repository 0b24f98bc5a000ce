import type { DuckDBInstance } from '@duckdb/node-api';
import { QueryEngine } from '../../src/query/engine.ts';
import { answerHere } from '../../src/query/server.ts';
import { openDuck } from '../../src/storage/duckdb.ts';
import { textList } from '../../src/storage/duckdb-literal.ts';
import { BENCH_DAYS, BENCH_ORG, type BenchEvents, benchEvents } from '../support/event-files.ts';
import { median, print, printRatio, timed } from '../support/report.ts';
import { withServers } from '../support/servers.ts';

const EVENTS = process.argv.includes('--quick') ? 200_000 : 10_000_000;
const ROUNDS = 5;
const DAY_US = 86_400_000_000;

async function limit(duck: DuckDBInstance, files: readonly string[]): Promise<void> {
  const connection = await duck.connect();
  await connection.run(`SELECT count(DISTINCT person_id) FROM read_parquet([${textList(files)}])`);
  connection.closeSync();
}

function summary(engine: QueryEngine, { appId, startMs }: BenchEvents) {
  const question = {
    orgId: BENCH_ORG,
    appId,
    fromUs: startMs * 1_000,
    beforeUs: startMs * 1_000 + (BENCH_DAYS + 1) * DAY_US,
    limit: 500,
  };
  return answerHere(engine, 'summary', question);
}

/** The whole summary, with late sign-ups stitched, beside one exact distinct count. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env, dataDir }) => {
    const duck = await openDuck({
      memoryMb: 6_000,
      threads: 2,
      tempDir: `${dataDir}/tmp`,
      tempLimitMb: 1_000,
    });
    const events = await benchEvents(env.DATABASE_URL ?? '', dataDir, EVENTS);
    const engine = new QueryEngine({
      duck,
      hot: events.hot,
      timeoutMs: 60_000,
      onStuck: () => process.exit(1),
    });
    const ours: number[] = [];
    const theirs: number[] = [];
    const { people, names } = await summary(engine, events);
    await limit(duck, events.files);
    for (let round = 0; round < ROUNDS; round += 1) {
      theirs.push(await timed(() => limit(duck, events.files)));
      ours.push(await timed(() => summary(engine, events)));
    }
    print({
      label: `${EVENTS / 1e6} million events`,
      value: `${people} people, ${names.length} names`,
    });
    print({ label: '  summary', value: `${median(ours).toFixed(0)} ms` });
    print({ label: '  one exact distinct count', value: `${median(theirs).toFixed(0)} ms` });
    printRatio('  summary / distinct count', median(ours) / median(theirs), '≤ 1.5');
    await events.close();
    duck.closeSync();
  });
}
