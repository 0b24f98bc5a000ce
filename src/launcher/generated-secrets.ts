import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { writeDurably } from '../storage/files.ts';

async function generated(path: string): Promise<string> {
  if (!existsSync(path)) {
    // Half a key would make everything sealed with it unreadable.
    await writeDurably(path, Buffer.from(`${randomBytes(32).toString('base64')}\n`));
  }
  return (await readFile(path, 'utf8')).trim();
}

/** For embedded databases only (0600); configured ones take precedence. */
export async function generatedSecrets(config: Config): Promise<Record<string, string>> {
  if (config.databaseUrl !== undefined) return {};
  const folder = join(config.dataDir, 'secrets');
  const secrets: Record<string, string> = {};
  if (config.secretsKeys.length === 0) {
    secrets.SECRETS_KEY = await generated(join(folder, 'secrets-key'));
  }
  if (config.authSecret === undefined) {
    secrets.AUTH_SECRET = await generated(join(folder, 'auth-secret'));
  }
  return secrets;
}
