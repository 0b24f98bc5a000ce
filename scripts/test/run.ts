import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/config.ts';
import { killRuns, runBunTest, type TestRun } from './bun-test.ts';
import { add, type Counts, NONE, summary } from './counts.ts';
import { runInLanes } from './lanes.ts';
import { endLeftovers } from './leftovers.ts';
import { type Job, planJobs } from './plan.ts';
import { lastSaid } from './said.ts';
import { keepSeconds, type Measure, readMeasures, recordedSeconds } from './seconds.ts';
import { type ServerName, selectTests, type TestFile } from './select.ts';
import { startServers } from './servers.ts';
import { timesTable } from './times.ts';

const USAGE = `bun run test [PATH …] [-t PATTERN]
PATH is a file, a folder, or a part of a path. Without one, every suite runs.
--times prints the fifty files that took the most processor time, and their waits; --times=all, all.
--record keeps the seconds of each file in scripts/test/seconds.json: the longest begin first.
TEST_FULL=1 runs the crash tests with their full counts; TEST_CONTAINERS=1 uses Docker.`;

/** As a shell reports a program that Ctrl-C has ended. */
const INTERRUPTED = 130;
const INTERRUPTED_WITHIN_MS = 60_000;

type Options = {
  paths: string[];
  flags: string[];
  help: boolean;
  record: boolean;
  times: string | undefined;
};

function readArguments(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    // `parseArgs` knows no option with a value that may be omitted.
    args: args.map((arg) => (arg === '--times' ? '--times=slowest' : arg)),
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      'test-name-pattern': { type: 'string', short: 't' },
      record: { type: 'boolean' },
      times: { type: 'string' },
    },
  });
  const pattern = values['test-name-pattern'];
  return {
    paths: positionals,
    flags: pattern === undefined ? [] : ['--test-name-pattern', pattern],
    help: values.help === true,
    record: values.record === true,
    times: values.times,
  };
}

/** Why tests did not run: the lines that they print themselves. */
const reasonsOf = (output: string): string[] =>
  output.split('\n').filter((line) => /^(not run|only with TEST_FULL=1): /.test(line));

/** Of a job that failed everything is shown: its output, and what its services have said. */
async function report(label: string, run: TestRun, live: boolean, saidDir: string): Promise<void> {
  const mark = run.counts.failed > 0 ? '✗' : '✓';
  if (run.counts.failed > 0) {
    const shown = run.output.split('\n').filter((line) => !line.startsWith('(pass)'));
    if (!live) console.log(shown.join('\n'));
    console.log((await lastSaid(saidDir)).join('\n'));
  }
  console.log(`${mark} ${label}: ${summary(run.counts)} (${run.seconds.toFixed(1)} s)`);
}

/** A namespace for each file that uses Temporal, by its path. */
function namespacesOf(files: readonly TestFile[]): Map<string, string> {
  const users = files.filter((file) => file.needs.has('temporal'));
  return new Map(users.map((file, index) => [file.path, `suite-${index + 1}`]));
}

/** On Ctrl-C nothing more begins and what runs ends; a SIGKILL is covered by the sentinels. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      controller.abort();
      killRuns();
      setTimeout(() => process.exit(INTERRUPTED), INTERRUPTED_WITHIN_MS).unref();
    });
  }
  return controller.signal;
}

async function runAll(
  files: TestFile[],
  options: Options,
  runDir: string,
  interrupted: AbortSignal,
): Promise<Counts> {
  const servers = await startServers({
    needs: new Set<ServerName>(files.flatMap((file) => [...file.needs])),
    namespaces: [...namespacesOf(files).values()],
    runDir,
  });
  try {
    const namespaces = namespacesOf(files);
    const live = files.length === 1;
    const { cacheDir } = loadConfig(process.env).temporal;
    const measures: Measure[] = [];
    let processor = 0;
    const jobs = planJobs(files, await recordedSeconds(cacheDir));
    let counts = NONE;
    const reasons = new Set<string>();
    const run = async (job: Job) => {
      const paths = job.files.map((file) => file.path);
      const saidDir = join(runDir, `said-${jobs.indexOf(job)}`);
      const timesFile = join(runDir, `times-${jobs.indexOf(job)}`);
      const env = {
        ...servers.env,
        // Whatever a test puts into the temporary folder goes away with this run.
        TMPDIR: runDir,
        TEST_SAID_DIR: saidDir,
        // Of one file all is shown as it comes, of several only what failed.
        TEST_LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? (live ? 'fatal' : 'error'),
        TEST_TEMPORAL_NAMESPACES: JSON.stringify(Object.fromEntries(namespaces)),
        TEST_TIMES_FILE: timesFile,
        TEST_TIMES_WAITS: options.times === undefined ? '' : '1',
      };
      const ran = await runBunTest(paths, env, { live, flags: options.flags });
      await report(job.label, ran, live, saidDir);
      counts = add(counts, ran.counts);
      for (const reason of reasonsOf(ran.output)) reasons.add(reason);
      measures.push(...(await readMeasures(timesFile)));
      processor += ran.processorSeconds;
    };
    await runInLanes(jobs, run, { full: process.env.TEST_FULL === '1', interrupted });
    if (!live) for (const reason of [...reasons].toSorted()) console.log(reason);
    if (options.times !== undefined) {
      console.log(timesTable(measures, options.times === 'all').join('\n'));
    }
    console.log(`${processor.toFixed(0)} s of processor in tests and what they started`);
    const isWhole = options.paths.length === 0 && counts.failed === 0 && !interrupted.aborted;
    if (options.record || isWhole) {
      await keepSeconds(measures, { cacheDir, inRepository: options.record });
    }
    return counts;
  } finally {
    await servers.stop();
  }
}

/** Runs the selected tests; returns the exit code. The last line says how many passed. */
export async function runTests(args: readonly string[]): Promise<number> {
  const options = readArguments(args);
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const files = selectTests(options.paths);
  // Short, since Unix sockets are made below it; searchable, since other accounts work there.
  const runDir = await mkdtemp(join(tmpdir(), 'mcp-test-'));
  await chmod(runDir, 0o711);
  const interrupted = interruption();
  let counts = NONE;
  try {
    counts = await runAll(files, options, runDir, interrupted);
    const leftovers = await endLeftovers(runDir);
    for (const leftover of leftovers) console.log(`A test left a process behind: ${leftover}`);
    counts = add(counts, { ...NONE, failed: leftovers.length });
  } finally {
    await rm(runDir, { recursive: true, force: true });
  }
  if (interrupted.aborted) return INTERRUPTED;
  if (counts.passed + counts.failed === 0) console.log(`No test ran. ${USAGE}`);
  console.log(summary(counts));
  return counts.failed > 0 || counts.passed === 0 ? 1 : 0;
}
