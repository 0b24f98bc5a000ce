import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';

async function generated(path: string): Promise<string> {
  if (!existsSync(path)) {
    // Half a key would make everything sealed with it unreadable.
    const staging = `${path}.${process.pid}`;
    await writeFile(staging, `${randomBytes(32).toString('base64')}\n`, {
      mode: 0o600,
      flush: true,
    });
    await rename(staging, path);
  }
  return (await readFile(path, 'utf8')).trim();
}

/** For embedded databases only (0600); configured ones take precedence. */
export async function generatedSecrets(config: Config): Promise<Record<string, string>> {
  if (config.databaseUrl !== undefined) return {};
  const folder = join(config.dataDir, 'secrets');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const secrets: Record<string, string> = {};
  if (config.secretsKeys.length === 0) {
    secrets.SECRETS_KEY = await generated(join(folder, 'secrets-key'));
  }
  if (config.authSecret === undefined) {
    secrets.AUTH_SECRET = await generated(join(folder, 'auth-secret'));
  }
  return secrets;
}
