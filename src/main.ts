import { ConfigError, loadConfig } from './config.ts';
import { findTemporalCli } from './embedded/temporal-cli.ts';
import { createLogger } from './observability/log.ts';
import { announcement } from './supervisor/announce.ts';
import { reloadOnChange } from './supervisor/reload.ts';
import { Supervisor } from './supervisor/supervise.ts';

/** What the operator reads goes to standard error; standard output carries the log. */
const say = (text: string) => process.stderr.write(`${text}\n`);

/** Past this nothing is waited for: whatever still runs ends with us. */
const STOP_LIMIT_MS = 9_500;

function stopOnSignal(supervisor: Supervisor): void {
  let asked = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, async () => {
      asked += 1;
      if (asked > 1) return;
      say('Stopping …');
      const late = Bun.sleep(STOP_LIMIT_MS).then(() => 1);
      const code = await Promise.race([supervisor.stop().then(() => 0), late]);
      supervisor.killAll();
      process.exit(code);
    });
  }
}

async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLogger(config, 'supervisor');
  const findCli = () => findTemporalCli(config.temporal, say);
  const supervisor = new Supervisor({ config, log, findCli });
  stopOnSignal(supervisor);
  try {
    const where = await supervisor.start();
    say(announcement(where, config.dataDir));
    if (process.argv.includes('--reload')) reloadOnChange(() => supervisor.reload(), log);
  } catch (error) {
    // A stop during the start: its own handler ends the process.
    if (supervisor.isStopping) return;
    await supervisor.stop();
    throw error;
  }
}

try {
  await main();
} catch (error) {
  const expected = error instanceof ConfigError || error instanceof Error;
  say(expected ? `The service could not start. ${error.message}` : String(error));
  process.exit(1);
}
