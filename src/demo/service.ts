import { createDeps } from '../app/deps.ts';
import { type Config, childEnvironment, loadConfig } from '../config.ts';
import type { Deps } from '../context.ts';
import { findTemporalCli } from '../launcher/embedded/temporal-cli.ts';
import { readRunning, runningEnvironment } from '../launcher/running.ts';
import { Supervisor } from '../launcher/supervise.ts';
import { createLogger } from '../observability/log.ts';

export type DemoService = {
  address: string;
  /** With what an embedded service knows beside the environment. */
  config: Config;
  /** Ends the service if the demo started it. */
  stop: () => Promise<void>;
  /** It ends with the demo. */
  isOwn: boolean;
};

type Say = (text: string) => void;

async function startOwn(config: Config, say: Say): Promise<() => Promise<void>> {
  say('No service runs here, so the demo starts one …');
  const supervisor = new Supervisor({
    config,
    log: createLogger(config, 'supervisor'),
    findCli: () => findTemporalCli(config.temporal, say),
  });
  const stop = () => supervisor.stop();
  process.on('SIGINT', () => stop().then(() => process.exit(130)));
  await supervisor.start();
  return stop;
}

/** The service that runs on `DATA_DIR` or is configured; else one that runs while the demo does. */
export async function findOrStartService(say: Say): Promise<DemoService> {
  const config = loadConfig();
  const isOwn = !config.databaseUrl && !(await readRunning(config.dataDir));
  const stop = isOwn ? await startOwn(config, say) : async () => {};
  const running = await readRunning(config.dataDir);
  const environment = await runningEnvironment(config);
  const address = running?.places.API ?? config.publicUrl ?? `http://${config.host}:${config.port}`;
  return { address, config: loadConfig(childEnvironment(environment)), stop, isOwn };
}

/** Works with the dependencies of an operator's command, and closes them. */
export async function withDeps<T>(config: Config, work: (deps: Deps) => Promise<T>): Promise<T> {
  const deps = await createDeps(config, 'admin');
  try {
    return await work(deps);
  } finally {
    await deps.close();
  }
}
