import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import type { Config } from '../config.ts';
import { parser } from '../shared/schema.ts';
import { generatedSecrets } from './generated-secrets.ts';
import { identify, isAlive } from './identity.ts';

const Running = Type.Object({
  pid: Type.Integer({ minimum: 1 }),
  startedAt: Type.String(),
  /** `DATABASE_URL` and `TEMPORAL_ADDRESS` where the supervisor has them from embedded servers. */
  env: Type.Record(Type.String(), Type.String()),
  places: Type.Record(Type.String(), Type.String()),
});
const running = parser(Running, 'running.json');

export type RunningService = typeof Running.static;

const pathIn = (dataDir: string) => join(dataDir, 'running.json');

/** Tells `bun run admin` and others on this host where the service that is running has what. */
export async function writeRunning(
  dataDir: string,
  content: Pick<RunningService, 'env' | 'places'>,
): Promise<void> {
  const path = pathIn(dataDir);
  const staging = `${path}.${process.pid}`;
  const text = JSON.stringify({ ...identify(process.pid), ...content }, null, 2);
  await writeFile(staging, `${text}\n`, { mode: 0o600 });
  await rename(staging, path);
}

export async function removeRunning(dataDir: string): Promise<void> {
  const found = await readRunning(dataDir);
  if (found?.pid === process.pid) await rm(pathIn(dataDir), { force: true });
}

/** The service that runs on this data folder, or undefined when none does. */
export async function readRunning(dataDir: string): Promise<RunningService | undefined> {
  try {
    const found = running.parse(JSON.parse(await readFile(pathIn(dataDir), 'utf8')));
    return isAlive(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What `loadConfig` lacks on an embedded installation: the addresses of the servers that run now,
 * and the generated secrets. Empty where everything is configured.
 */
export async function runningEnvironment(config: Config): Promise<Record<string, string>> {
  const found = await readRunning(config.dataDir);
  return { ...(await generatedSecrets(config)), ...found?.env };
}
