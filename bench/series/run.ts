import { join } from 'node:path';
import type { DuckDBInstance } from '@duckdb/node-api';
import { QueryEngine } from '../../src/query/engine.ts';
import { retentionNeeds, retentionWindow } from '../../src/query/retention/cohorts.ts';
import { countRetention } from '../../src/query/retention/count.ts';
import type { RetentionQuestion } from '../../src/query/retention/model.ts';
import { countSeries, seriesNeeds } from '../../src/query/series/count.ts';
import type { SeriesQuestion } from '../../src/query/series/model.ts';
import { calendarBoundaries } from '../../src/shared/calendar.ts';
import { DAY_MS } from '../../src/shared/time.ts';
import { openDuck } from '../../src/storage/duckdb.ts';
import { BENCH_ORG, type BenchEvents, benchEvents } from '../support/event-files.ts';
import { median, print, printRatio, timed } from '../support/report.ts';
import { withServers } from '../support/servers.ts';

const EVENTS = process.argv.includes('--quick') ? 200_000 : 10_000_000;
const ROUNDS = 5;
const DAYS = 28;
const WEEKS = 8;

const inMicros = (boundaries: readonly number[]) => boundaries.map((ms) => ms * 1_000);

/** People and events of 28 days, as `GET …/events/series?compare=false` asks for them. */
function dauQuestion({ appId, startMs }: BenchEvents): SeriesQuestion {
  const window = { fromMs: startMs, toMs: startMs + DAYS * DAY_MS };
  return {
    orgId: BENCH_ORG,
    appId,
    boundariesUs: inMicros(calendarBoundaries(window, 'day', 'UTC')),
    names: null,
    breakdown: null,
    valuesFrom: 0,
    filters: {},
    ranges: Array.from({ length: DAYS }, (_, day) => [day, day + 1]),
  };
}

/** Who of eight weekly cohorts came back in which week. */
function retentionQuestion({ appId, startMs }: BenchEvents): RetentionQuestion {
  const endMs = startMs + 31 * DAY_MS;
  const window = { fromMs: endMs - (WEEKS - 1) * 7 * DAY_MS, toMs: endMs };
  return {
    orgId: BENCH_ORG,
    appId,
    boundariesUs: inMicros(calendarBoundaries(window, 'week', 'UTC')),
    cohorts: WEEKS,
    cohort: 'first',
    criterion: 'on',
    periodUs: null,
    periods: WEEKS - 1,
    startName: null,
    returnName: null,
  };
}

function dau(engine: QueryEngine, question: SeriesQuestion) {
  const [fromUs = 0] = question.boundariesUs;
  const window = { ...question, fromUs, beforeUs: question.boundariesUs.at(-1) ?? 0 };
  return engine.run(window, seriesNeeds(question), ({ connection, source }) =>
    countSeries(connection, source, question),
  );
}

function retention(engine: QueryEngine, question: RetentionQuestion) {
  const window = { ...question, ...retentionWindow(question) };
  return engine.run(window, retentionNeeds(question), ({ connection, source }) =>
    countRetention(connection, source, question),
  );
}

/** The lines of a stream, one a call; empty when it has ended. */
function lineReader(stream: ReadableStream<Uint8Array>): () => Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let read = '';
  return async () => {
    while (!read.includes('\n')) {
      const { value, done } = await reader.read();
      if (done) return '';
      read += decoder.decode(value, { stream: true });
    }
    const end = read.indexOf('\n');
    const line = read.slice(0, end);
    read = read.slice(end + 1);
    return line;
  };
}

/** ClickHouse in a process of its own, with the same events and without sign-ups to stitch. */
async function openChdb(dataDir: string, question: SeriesQuestion) {
  const python = `${dataDir}/chdb/bin/python`;
  const install = [
    ['python3', '-m', 'venv', `${dataDir}/chdb`],
    [python, '-m', 'pip', 'install', '--quiet', 'chdb==4.4.0'],
  ];
  for (const command of install) {
    if ((await Bun.spawn(command, { stderr: 'ignore' }).exited) !== 0) return null;
  }
  const pattern = `${dataDir}/events/**/*.parquet`;
  const [fromUs = 0] = question.boundariesUs;
  const bounds = [fromUs, question.boundariesUs.at(-1) ?? 0].map(String);
  const script = join(import.meta.dir, 'clickhouse.py');
  const child = Bun.spawn([python, script, `${dataDir}/chdb-data`, pattern, ...bounds], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const line = lineReader(child.stdout);
  // What it prints while it loads comes first.
  while (!['ready', ''].includes(await line()));
  return {
    ask: async (question: 'dau' | 'retention') => {
      child.stdin.write(`${question}\n`);
      await child.stdin.flush();
      const [milliseconds, people] = (await line()).split(' ').map(Number);
      return { milliseconds: milliseconds ?? Number.NaN, people: people ?? Number.NaN };
    },
    close: () => {
      child.kill();
    },
  };
}

async function measure(
  kind: 'dau' | 'retention',
  ours: () => Promise<unknown>,
  chdb: NonNullable<Awaited<ReturnType<typeof openChdb>>> | null,
): Promise<void> {
  const times: number[] = [];
  const theirs: number[] = [];
  await ours();
  await chdb?.ask(kind);
  for (let round = 0; round < ROUNDS; round += 1) {
    times.push(await timed(ours));
    if (chdb) theirs.push((await chdb.ask(kind)).milliseconds);
  }
  print({ label: `  ${kind}`, value: `${median(times).toFixed(0)} ms` });
  if (!chdb) return print({ label: '  ClickHouse', value: 'not run: chDB cannot be installed' });
  print({ label: `  ClickHouse (chDB), ${kind}`, value: `${median(theirs).toFixed(0)} ms` });
  printRatio(`  ${kind} / ClickHouse`, median(times) / median(theirs), '≤ 1.0');
}

async function openBenchDuck(dataDir: string): Promise<DuckDBInstance> {
  return openDuck({
    memoryMb: 6_000,
    threads: 2,
    tempDir: `${dataDir}/tmp`,
    tempLimitMb: 1_000,
  });
}

/**
 * DAU over 28 days and weekly retention over 8 weeks, from catalogue and log, with late sign-ups
 * stitched; beside ClickHouse (chDB) on a MergeTree of its own, ordered by person, without them.
 */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env, dataDir }) => {
    const duck = await openBenchDuck(dataDir);
    const events = await benchEvents(env.DATABASE_URL ?? '', dataDir, EVENTS);
    const { hot } = events;
    const onStuck = () => process.exit(1);
    const engine = new QueryEngine({ duck, hot, timeoutMs: 60_000, onStuck });
    const series = dauQuestion(events);
    const cohorts = retentionQuestion(events);
    const chdb = await openChdb(dataDir, series);
    const { total } = await dau(engine, series);
    const { people } = await retention(engine, cohorts);
    const daily = total.people.reduce((sum, count) => sum + count, 0);
    print({
      label: `${EVENTS / 1e6} million events`,
      value: `${people} people, ${daily} people by day (ClickHouse: ${(await chdb?.ask('dau'))?.people})`,
    });
    await measure('dau', () => dau(engine, series), chdb);
    await measure('retention', () => retention(engine, cohorts), chdb);
    chdb?.close();
    await events.close();
    duck.closeSync();
  });
}
