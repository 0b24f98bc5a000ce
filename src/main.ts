import { loadConfig, operatorFormat } from './config.ts';
import { announcedFields, announcement, readiness, type Started } from './launcher/announce.ts';
import { findTemporalCli } from './launcher/embedded/temporal-cli.ts';
import { reloadOnChange } from './launcher/reload.ts';
import { requireNeeds } from './launcher/require-needs.ts';
import { Supervisor } from './launcher/supervise.ts';
import { createLogger, createOperatorLog } from './observability/log.ts';
import { withTimeout } from './shared/timeout.ts';

/** Stderr is for the operator, stdout for the log. */
const operatorLog = operatorFormat() === 'json' ? createOperatorLog() : null;

function print(text: string): void {
  if (operatorLog) operatorLog.info(text);
  else process.stderr.write(`${text}\n`);
}

function announce(started: Started, dataDir: string): void {
  if (operatorLog) operatorLog.info(announcedFields(started, dataDir), readiness(started));
  else print(announcement(started, dataDir));
}

function printFailure(error: unknown): void {
  const text = `The service could not start. ${error instanceof Error ? error.message : String(error)}`;
  if (operatorLog) operatorLog.fatal(text);
  else print(text);
}

/** Hard shutdown deadline. */
const STOP_LIMIT_MS = 9_500;

async function stop(supervisor: Supervisor): Promise<never> {
  print('Stopping …');
  const stopped = supervisor.stop().then(() => 0);
  const code = await withTimeout(stopped, STOP_LIMIT_MS, () => 1);
  supervisor.killAll();
  process.exit(code);
}

/** Leaves SIGHUP alone, for `nohup`. */
function stopOnSignal(supervisor: Supervisor): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (!supervisor.isStopping) void stop(supervisor);
    });
  }
}

async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLogger(config, 'supervisor');
  const findCli = () => findTemporalCli(config.temporal, print);
  if (process.getuid?.() === 0) {
    log.warn(
      'Running as root. Start the service as an ordinary user, so that a fault in it cannot reach the rest of the machine.',
    );
  }
  const fromSource = process.argv.includes('--reload');
  const supervisor = new Supervisor({ config, log, findCli, fromSource });
  stopOnSignal(supervisor);
  try {
    announce(await supervisor.start(), config.dataDir);
    if (fromSource) reloadOnChange(() => supervisor.reload(), log);
    await requireNeeds(config, { log, stopping: supervisor.signal });
  } catch (error) {
    // Stopped during the start: the handler ends the process.
    if (supervisor.isStopping) return;
    await supervisor.stop();
    throw error;
  }
}

try {
  await main();
} catch (error) {
  printFailure(error);
  process.exit(1);
}
