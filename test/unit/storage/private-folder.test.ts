import { describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, mkdtempSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../../src/config.ts';
import { makePrivateFolder } from '../../../src/storage/files.ts';

const parent = mkdtempSync(join(tmpdir(), 'private-'));

describe('a private folder', () => {
  test('is for its owner alone, also when it was there already', () => {
    const path = join(parent, 'new');
    makePrivateFolder(path);
    chmodSync(path, 0o777);
    makePrivateFolder(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  test.skipIf(process.getuid?.() !== 0)('of another account is refused', () => {
    const path = join(parent, 'foreign');
    mkdirSync(path, { mode: 0o777 });
    Bun.spawnSync(['chown', '65534:65534', path]);
    expect(() => makePrivateFolder(path)).toThrow('belongs to another account');
  });

  test('is no link to one', () => {
    const path = join(parent, 'link');
    symlinkSync(join(parent, 'new'), path);
    expect(() => makePrivateFolder(path)).toThrow('belongs to another account');
  });
});

test('processes that work on events only are told no secret of the rest', () => {
  const secrets = { SECRETS_KEY: 'k', AUTH_SECRET: 'a', PUBLISHER_API_KEY: 'p' };
  const env = { ...secrets, DATABASE_URL: 'd', S3_SECRET_ACCESS_KEY: 's' };
  for (const role of ['query', 'compactor'] as const) {
    const given = childEnvironment(env, role);
    expect(given).toMatchObject({ DATABASE_URL: 'd', S3_SECRET_ACCESS_KEY: 's' });
    for (const name of Object.keys(secrets)) expect(given[name]).toBeUndefined();
  }
  for (const role of ['api', 'worker'] as const)
    expect(childEnvironment(env, role)).toMatchObject(env);
});

test('a process that answers questions knows the engine of the lake, a compactor does not', () => {
  const env = { LAKE: 'on', LAKE_ENGINE_URL: 'trino+https://t', LAKE_ENGINE_PASSWORD: 'p' };
  expect(childEnvironment(env, 'query')).toMatchObject(env);
  expect(childEnvironment(env, 'compactor').LAKE_ENGINE_URL).toBeUndefined();
  expect(childEnvironment(env, 'compactor').LAKE_ENGINE_PASSWORD).toBeUndefined();
});
