import { afterAll } from 'bun:test';
import { join } from 'node:path';
import { poolerEnv, type TestDatabase } from './postgres.ts';
import { ROOT } from './sources.ts';

const ENTRY = join(ROOT, 'src/app/processes/query.ts');
const running = new Set<Bun.Subprocess>();
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await Promise.all([...running].map((child) => child.exited));
});

/** The real process, as the supervisor starts it; resolves when it says that it is ready. */
export async function startQueryProcess(
  { database, dataDir }: { database: TestDatabase; dataDir: string },
  env: Record<string, string> = {},
): Promise<Bun.Subprocess> {
  const ready = Promise.withResolvers<void>();
  const child = Bun.spawn([process.execPath, ENTRY, '0'], {
    env: {
      ...process.env,
      ...poolerEnv,
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      LOG_LEVEL: 'fatal',
      LOG_FORMAT: 'json',
      QUERY_MEMORY_MB: '256',
      ...env,
    },
    stdout: 'ignore',
    stderr: 'inherit',
    serialization: 'json',
    ipc: (message) => {
      if (message?.details) ready.resolve();
    },
  });
  running.add(child);
  child.exited.then(() => ready.reject(new Error('The process ended.')));
  await ready.promise;
  return child;
}

export async function endQueryProcess(
  child: Bun.Subprocess,
  signal: 'SIGKILL' | 'SIGTERM',
): Promise<void> {
  child.kill(signal);
  await child.exited;
  running.delete(child);
}
