import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { seeded } from '../../src/shared/random.ts';
import { killRuns, runBunTest, type TestRun } from './bun-test.ts';
import { delayServers, shuffle, startBusyLoops } from './chance.ts';
import { add, type Counts, NONE, summary } from './counts.ts';
import { runInLanes } from './lanes.ts';
import { endLeftovers } from './leftovers.ts';
import { type Options, readOptions, repeatCommand, USAGE } from './options.ts';
import type { Job } from './plan.ts';
import { lastSaid } from './said.ts';
import { makeRunDir } from './scratch.ts';
import { keepSeconds, type Measure, readMeasures, recordedSeconds } from './seconds.ts';
import { type ServerName, selectTests, type TestFile } from './select.ts';
import { startServers } from './servers.ts';
import { timesTable } from './times.ts';
import { planAroundTools, watchTools } from './tools.ts';

/** As a shell reports a program that Ctrl-C has ended. */
const INTERRUPTED = 130;
const INTERRUPTED_WITHIN_MS = 60_000;

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

type Results = {
  counts: Counts;
  measures: Measure[];
  processorSeconds: number;
  /** Why tests were left out. */
  reasons: Set<string>;
};

type Setting = {
  runDir: string;
  serverEnv: Readonly<Record<string, string>>;
  namespaces: ReadonlyMap<string, string>;
  live: boolean;
  options: Options;
};

/** One `bun test`, added to the results. */
async function runJob(job: Job, place: string, setting: Setting, results: Results): Promise<void> {
  const { runDir, live, options } = setting;
  const saidDir = join(runDir, `said-${place}`);
  const tempDir = join(runDir, place);
  const timesFile = join(runDir, `times-${place}`);
  const env = {
    ...setting.serverEnv,
    // Whatever a test puts into the temporary folder goes away with this job.
    TMPDIR: tempDir,
    TEST_SAID_DIR: saidDir,
    // Of one file all is shown as it comes, of several only what failed.
    TEST_LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? (live ? 'fatal' : 'error'),
    TEST_TEMPORAL_NAMESPACES: JSON.stringify(Object.fromEntries(setting.namespaces)),
    TEST_TIMES_FILE: timesFile,
    TEST_TIMES_WAITS: options.times === undefined ? '' : '1',
  };
  const paths = job.files.map((file) => file.path);
  await mkdir(tempDir, { mode: 0o711 });
  const ran = await runBunTest(paths, env, { live, flags: options.flags });
  await report(job.label, ran, live, saidDir);
  results.counts = add(results.counts, ran.counts);
  for (const reason of reasonsOf(ran.output)) results.reasons.add(reason);
  results.measures.push(...(await readMeasures(timesFile)));
  results.processorSeconds += ran.processorSeconds;
  // What still ends there writes meanwhile; the rest goes with the run.
  await rm(tempDir, { recursive: true, force: true }).catch(() => undefined);
}

async function printTimes(
  { measures, processorSeconds, counts, reasons }: Results,
  setting: Setting,
  isWhole: boolean,
): Promise<void> {
  const { options } = setting;
  if (!setting.live) for (const reason of [...reasons].toSorted()) console.log(reason);
  if (options.times !== undefined) {
    console.log(timesTable(measures, options.times === 'all').join('\n'));
  }
  console.log(
    `${processorSeconds.toFixed(0)} s of processor in tests and in processes they started`,
  );
  if (options.record || (isWhole && counts.failed === 0)) {
    const { cacheDir } = loadConfig(process.env).temporal;
    await keepSeconds(measures, { cacheDir, inRepository: options.record });
  }
}

async function runAll(
  selected: TestFile[],
  options: Options,
  runDir: string,
  interrupted: AbortSignal,
): Promise<Counts> {
  const random = seeded(options.seed).next;
  const files = options.shuffle ? shuffle(selected, random) : selected;
  const namespaces = namespacesOf(files);
  const servers = await startServers({
    needs: new Set<ServerName>(files.flatMap((file) => [...file.needs])),
    namespaces: [...namespaces.values()],
    runDir,
    pooler: options.pooler,
  });
  const stopBusyLoops = startBusyLoops(options.beside);
  try {
    const serverEnv = options.delay ? await delayServers(servers.env, random) : servers.env;
    const live = files.length === 1 && options.repeat === 1;
    const setting = { runDir, serverEnv, namespaces, live, options };
    const installer = process.env.TEST_TOOLS_PID;
    const tools = watchTools(installer, interrupted);
    const seconds = await recordedSeconds(loadConfig(process.env).temporal.cacheDir);
    const planned = planAroundTools(files, seconds, installer);
    const jobs = options.shuffle ? shuffle(planned, random) : planned;
    const results: Results = {
      counts: NONE,
      measures: [],
      processorSeconds: 0,
      reasons: new Set(),
    };
    const run = (job: Job) => runJob(job, String(jobs.indexOf(job)), setting, results);
    await runInLanes(jobs, run, { full: process.env.TEST_FULL === '1', interrupted, tools });
    const isWhole = options.paths.length === 0 && options.flags.length === 0;
    await printTimes(results, setting, isWhole && !interrupted.aborted);
    return results.counts;
  } finally {
    stopBusyLoops();
    await servers.stop();
  }
}

/** In a folder of its own, of which nothing remains; a process left behind counts as a failure. */
async function runOnce(
  files: TestFile[],
  options: Options,
  interrupted: AbortSignal,
): Promise<Counts> {
  const runDir = makeRunDir();
  try {
    const counts = await runAll(files, options, runDir, interrupted);
    const leftovers = await endLeftovers(runDir);
    for (const leftover of leftovers) console.log(`A test left a process behind: ${leftover}`);
    return add(counts, { ...NONE, failed: leftovers.length });
  } finally {
    await rm(runDir, { recursive: true, force: true });
  }
}

/** Runs the selected tests; returns the exit code. The last line says how many passed. */
export async function runTests(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const files = selectTests(options.paths);
  const interrupted = interruption();
  let counts = NONE;
  for (let round = 0; round < options.repeat && !interrupted.aborted; round += 1) {
    const seed = options.seed + round;
    const ran = await runOnce(files, { ...options, seed }, interrupted);
    if (ran.failed > 0) console.log(`To repeat: ${repeatCommand({ ...options, seed })}`);
    counts = add(counts, ran);
  }
  if (interrupted.aborted) return INTERRUPTED;
  if (counts.passed + counts.failed === 0) console.log(`No test ran. ${USAGE}`);
  console.log(summary(counts));
  return counts.failed > 0 || counts.passed === 0 ? 1 : 0;
}
