import { join } from 'node:path';

const PROCESSES = join(import.meta.dir, '../../src/processes');

export type KillableProcess = {
  /** Where it listens; changes with every start. */
  address: () => string;
  pid: () => number;
  kill: (signal: 'SIGKILL' | 'SIGTERM') => Promise<void>;
  start: () => Promise<void>;
};

/** A process of the service that a test may kill and start again. */
export async function killableProcess(
  role: 'api' | 'compactor',
  env: Record<string, string>,
): Promise<KillableProcess> {
  let address = '';
  let child: Bun.Subprocess | null = null;
  const start = async () => {
    const ready = Promise.withResolvers<string>();
    const started = Bun.spawn([process.execPath, join(PROCESSES, `${role}.ts`)], {
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
      stdout: 'ignore',
      stderr: 'inherit',
      ipc: (message) => ready.resolve(message?.details?.address ?? ''),
      onExit: (_process, code) => ready.reject(new Error(`${role} ended with ${code}.`)),
    });
    child = started;
    address = await ready.promise;
  };
  await start();
  return {
    address: () => address,
    pid: () => child?.pid ?? 0,
    start,
    kill: async (signal) => {
      child?.kill(signal);
      await child?.exited;
      child = null;
    },
  };
}
