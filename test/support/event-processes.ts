import { processCommand } from '../../src/launcher/bun-process.ts';
import { findBundle } from '../../src/launcher/bundle/find.ts';
import { runtimeSettings } from '../../src/launcher/runtime-settings.ts';
import { PLACES } from './places.ts';
import { keepSaid, readText } from './streams.ts';

export type KillableProcess = {
  /** Where it listens; changes with every start. */
  address: () => string;
  pid: () => number;
  /** What it has logged, over all its runs. */
  output: () => string;
  kill: (signal: 'SIGKILL' | 'SIGTERM') => Promise<void>;
  start: () => Promise<void>;
};

/**
 * A process of the service that a test may kill and start again; `within` is a command that runs
 * it, such as in another network namespace.
 */
export async function killableProcess(
  role: 'api' | 'compactor',
  env: Record<string, string>,
  within: readonly string[] = [],
): Promise<KillableProcess> {
  let address = '';
  let output = '';
  let child: Bun.Subprocess | null = null;
  const bundle = findBundle(console);
  const begin = async (): Promise<string> => {
    const ready = Promise.withResolvers<string>();
    const started = Bun.spawn([...within, ...processCommand({ role, index: 0, bundle })], {
      env: {
        ...PLACES,
        ...runtimeSettings(role),
        ...env,
      },
      stdout: 'pipe',
      stderr: 'inherit',
      ipc: (message) => {
        // Before it is ready it says that it lives.
        if (message?.details) ready.resolve(message.details.address ?? '');
      },
      onExit: (_process, code) => ready.reject(new Error(`${role} ended with ${code}.`)),
    });
    child = started;
    void readText(started.stdout, (text) => {
      output += text;
      keepSaid(`${role} ${started.pid}`, text);
    });
    return ready.promise;
  };
  /** As the supervisor does: on a starved machine PostgreSQL may be too late for the first try. */
  const start = async () => {
    address = await begin().catch(begin);
  };
  await start();
  return {
    address: () => address,
    pid: () => child?.pid ?? 0,
    output: () => output,
    start,
    kill: async (signal) => {
      child?.kill(signal);
      await child?.exited;
      child = null;
    },
  };
}
