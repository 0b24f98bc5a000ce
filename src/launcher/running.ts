import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { type Config, givenSettings } from '../config.ts';
import { identify, isAlive } from '../shared/process-identity.ts';
import { parser } from '../shared/schema.ts';
import { generatedSecrets } from './generated-secrets.ts';

const Running = Type.Object({
  pid: Type.Integer({ minimum: 1 }),
  startedAt: Type.String(),
  env: Type.Record(Type.String(), Type.String()),
  places: Type.Record(Type.String(), Type.String()),
});
const running = parser(Running, 'running.json');

export type RunningService = typeof Running.static;

const pathIn = (dataDir: string) => join(dataDir, 'running.json');

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

export async function readRunning(dataDir: string): Promise<RunningService | undefined> {
  try {
    const service = running.parse(JSON.parse(await readFile(pathIn(dataDir), 'utf8')));
    return isAlive(service) ? service : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined when the environment names another database. */
export async function readSameService({
  dataDir,
  databaseUrl,
}: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<RunningService | undefined> {
  const service = await readRunning(dataDir);
  const isSame = databaseUrl === undefined || databaseUrl === service?.env.DATABASE_URL;
  return isSame ? service : undefined;
}

/** Commands work with the service's database, bucket and keys from anywhere. */
export async function runningEnvironment(
  config: Config,
  own: Record<string, string | undefined> = givenSettings(),
): Promise<Record<string, string>> {
  const service = await readSameService(config);
  const published = Object.entries(service?.env ?? {}).filter(([name]) => own[name] === undefined);
  const lacking = Object.fromEntries(published);
  const hasSecrets = lacking.SECRETS_KEY !== undefined && lacking.AUTH_SECRET !== undefined;
  return { ...(hasSecrets ? {} : await generatedSecrets(config)), ...lacking };
}
