import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import type { Config } from '../config.ts';
import { identify, isAlive } from '../shared/process-identity.ts';
import { parser } from '../shared/schema.ts';
import { generatedSecrets } from './generated-secrets.ts';

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

/** Publishes addresses of the running service to `bun run admin` and others on this host. */
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
  const service = await readRunning(dataDir);
  if (service?.pid === process.pid) await rm(pathIn(dataDir), { force: true });
}

/** The running service of this data folder, or undefined. */
export async function readRunning(dataDir: string): Promise<RunningService | undefined> {
  try {
    const service = running.parse(JSON.parse(await readFile(pathIn(dataDir), 'utf8')));
    return isAlive(service) ? service : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Settings that `loadConfig` lacks on an embedded installation: addresses of the running servers and
 * generated secrets. Empty where everything is configured.
 */
export async function runningEnvironment(config: Config): Promise<Record<string, string>> {
  const service = await readRunning(config.dataDir);
  return { ...(await generatedSecrets(config)), ...service?.env };
}
