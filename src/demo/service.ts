import { createDeps } from '../app/deps.ts';
import { type Config, childEnvironment, loadConfig } from '../config.ts';
import type { Deps } from '../context.ts';
import { findTemporalCli } from '../launcher/embedded/temporal-cli.ts';
import { readRunning, runningEnvironment } from '../launcher/running.ts';
import { Supervisor } from '../launcher/supervise.ts';
import { createLogger } from '../observability/log.ts';

export type DemoService = {
  address: string;
  config: Config;
  stop: () => Promise<void>;
};

type Say = (text: string) => void;

async function startOwn(
  config: Config,
  say: Say,
  egressAllow: readonly string[],
): Promise<() => Promise<void>> {
  say('No service runs here, so the demo starts one …');
  const supervisor = new Supervisor({
    config,
    log: createLogger(config, 'supervisor'),
    findCli: () => findTemporalCli(config.temporal, say),
    settings: { EGRESS_ALLOW: [...config.egressAllow, ...egressAllow].join(',') },
  });
  const stop = () => supervisor.stop();
  process.on('SIGINT', () => stop().then(() => process.exit(130)));
  await supervisor.start();
  return stop;
}

export async function findOrStartService(
  say: Say,
  egressAllow: readonly string[] = [],
): Promise<DemoService> {
  const config = loadConfig();
  const isOwn = !config.databaseUrl && !(await readRunning(config.dataDir));
  const stop = isOwn ? await startOwn(config, say, egressAllow) : async () => {};
  const running = await readRunning(config.dataDir);
  const environment = await runningEnvironment(config);
  const address = running?.places.API ?? config.publicUrl ?? `http://${config.host}:${config.port}`;
  return { address, config: loadConfig(childEnvironment(environment)), stop };
}

export async function withDeps<T>(config: Config, work: (deps: Deps) => Promise<T>): Promise<T> {
  const deps = await createDeps(config, 'admin');
  try {
    return await work(deps);
  } finally {
    await deps.close();
  }
}
