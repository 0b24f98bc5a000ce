import type { DuckDBInstance } from '@duckdb/node-api';
import { QueryEngine } from '../../src/query/engine.ts';
import { answerHere } from '../../src/query/server.ts';
import { openDuck } from '../../src/storage/duckdb.ts';
import { textList } from '../../src/storage/duckdb-literal.ts';
import { type BenchEvents, benchEvents } from '../support/event-files.ts';
import { median, print, printRatio, timed } from '../support/report.ts';
import { withServers } from '../support/servers.ts';
import { benchQuestion, STEP_NAMES } from './question.ts';
import { otherWays, type Way } from './ways.ts';

/** `--quick` is for trying the benchmark itself. */
const SIZES = process.argv.includes('--quick') ? [50_000, 200_000] : [1_000_000, 10_000_000];
const ROUNDS = 7;

/** Reading the same step events from the same files and grouping them into one list a person. */
async function limit(duck: DuckDBInstance, files: string): Promise<void> {
  const connection = await duck.connect();
  await connection.run(
    `SELECT count(l), sum(len(l)) FROM (
       SELECT list((occurred_at, name)) AS l FROM ${files}
       WHERE name IN (${textList(STEP_NAMES)}) GROUP BY person_id)`,
  );
  connection.closeSync();
}

async function report(engine: QueryEngine, { appId, startMs }: BenchEvents) {
  const question = benchQuestion(appId, startMs);
  return answerHere(engine, 'funnel', question);
}

async function measure(duck: DuckDBInstance, engine: QueryEngine, events: BenchEvents) {
  const files = `read_parquet([${textList(events.files)}])`;
  const ours: number[] = [];
  const theirs: number[] = [];
  await limit(duck, files);
  await report(engine, events);
  for (let round = 0; round < ROUNDS; round += 1) {
    theirs.push(await timed(() => limit(duck, files)));
    ours.push(await timed(() => report(engine, events)));
  }
  return { ours: median(ours), theirs: median(theirs), files };
}

async function measureWays(duck: DuckDBInstance, ways: readonly Way[]): Promise<void> {
  for (const { label, run } of ways) {
    const times: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const connection = await duck.connect();
      times.push(await timed(() => run(connection)));
      connection.closeSync();
    }
    print({ label: `  instead: ${label}`, value: `${median(times).toFixed(0)} ms` });
  }
}

/**
 * A funnel report, from catalogue and log to medians, with late sign-ups stitched and resent events
 * dropped, beside DuckDB merely listing the same events. `--ways` measures other ways as well.
 */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env, dataDir }) => {
    const duck = await openDuck({
      memoryMb: 6_000,
      threads: 2,
      tempDir: `${dataDir}/tmp`,
      tempLimitMb: 1_000,
    });
    const figures: number[] = [];
    for (const size of SIZES) {
      const events = await benchEvents(env.DATABASE_URL ?? '', dataDir, size);
      const engine = new QueryEngine({
        duck,
        hot: events.hot,
        timeoutMs: 60_000,
        onStuck: () => process.exit(1),
      });
      const { ours, theirs, files } = await measure(duck, engine, events);
      figures.push(ours);
      const { total } = await report(engine, events);
      print({
        label: `${size / 1e6} million events: people by step`,
        value: total.people.join(' '),
      });
      print({ label: '  report', value: `${ours.toFixed(0)} ms` });
      print({ label: '  one list a person, read only', value: `${theirs.toFixed(0)} ms` });
      printRatio('  report / list', ours / theirs, '≤ 1.5');
      if (process.argv.includes('--ways')) await measureWays(duck, otherWays(files));
      await events.close();
    }
    const [small = Number.NaN, large = Number.NaN] = figures;
    printRatio('ten times the events take', large / small, '≤ 10');
    duck.closeSync();
  });
}
