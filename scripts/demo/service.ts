import { type Config, childEnvironment, loadConfig } from '../../src/config.ts';
import { findTemporalCli } from '../../src/launcher/embedded/temporal-cli.ts';
import { readRunning, runningEnvironment } from '../../src/launcher/running.ts';
import { Supervisor } from '../../src/launcher/supervise.ts';
import { createLogger } from '../../src/observability/log.ts';

export type DemoService = {
  address: string;
  /** With what an embedded service knows beside the environment. */
  config: Config;
  stop: () => Promise<void>;
  /** It ends with the demo. */
  isOwn: boolean;
};

/** Whether a service is configured, or runs on `DATA_DIR`. */
export async function isServiceThere(): Promise<boolean> {
  const config = loadConfig();
  return config.databaseUrl !== undefined || (await readRunning(config.dataDir)) !== undefined;
}

/** The service that runs on `DATA_DIR` or is configured; else one that runs while the demo does. */
export async function findOrStartService(say: (text: string) => void): Promise<DemoService> {
  // What the demo has to say should not drown in the log.
  const config = loadConfig({ LOG_LEVEL: 'warn', ...Bun.env });
  let stop = async () => {};
  const isOwn = !config.databaseUrl && !(await readRunning(config.dataDir));
  if (isOwn) {
    say('No service runs here, so the demo starts one …');
    Bun.env.LOG_LEVEL ??= 'warn';
    const supervisor = new Supervisor({
      config,
      log: createLogger(config, 'supervisor'),
      findCli: () => findTemporalCli(config.temporal, say),
    });
    stop = () => supervisor.stop();
    process.on('SIGINT', () => stop().then(() => process.exit(130)));
    await supervisor.start();
  }
  const running = await readRunning(config.dataDir);
  const environment = await runningEnvironment(config);
  const address = running?.places.API ?? config.publicUrl ?? `http://${config.host}:${config.port}`;
  return { address, config: loadConfig(childEnvironment(environment)), stop, isOwn };
}
