import { describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, operatorFormat } from '../../../src/config.ts';
import {
  announcedFields,
  announcement,
  places,
  readiness,
} from '../../../src/launcher/announce.ts';
import { generatedSecrets } from '../../../src/launcher/generated-secrets.ts';
import {
  readRunning,
  removeRunning,
  runningEnvironment,
  writeRunning,
} from '../../../src/launcher/running.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'data-'));
const modeOf = (path: string) => statSync(path).mode & 0o777;
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

describe('generated secrets', () => {
  test('are made once, 32 bytes each, for the owner only', async () => {
    const config = loadConfig({ DATA_DIR: newFolder() });
    const first = await generatedSecrets(config);
    expect(Object.keys(first)).toEqual(['SECRETS_KEY', 'AUTH_SECRET']);
    for (const value of Object.values(first)) {
      expect(Buffer.from(value, 'base64')).toHaveLength(32);
    }
    expect(first.SECRETS_KEY).not.toBe(first.AUTH_SECRET);
    expect(await generatedSecrets(config)).toEqual(first);
    const folder = join(config.dataDir, 'secrets');
    expect(readdirSync(folder).map((name) => modeOf(join(folder, name)))).toEqual([0o600, 0o600]);
    expect(loadConfig({ ...first, DATA_DIR: config.dataDir }).secretsKeys).toHaveLength(1);
  });

  test('configured ones win', async () => {
    const env = { DATA_DIR: newFolder(), SECRETS_KEY, AUTH_SECRET: 'a'.repeat(40) };
    expect(await generatedSecrets(loadConfig(env))).toEqual({});
  });

  test("are not made beside the operator's own database", async () => {
    const config = loadConfig({ DATA_DIR: newFolder(), DATABASE_URL: 'postgres://db/x' });
    expect(await generatedSecrets(config)).toEqual({});
    expect(readdirSync(config.dataDir)).toEqual([]);
  });
});

describe('running.json', () => {
  const env = { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x', TEMPORAL_ADDRESS: '127.0.0.1:2' };

  test('tells where the service is, to the owner only, while it runs', async () => {
    const dataDir = newFolder();
    await writeRunning(dataDir, { env, places: { API: 'http://127.0.0.1:3' } });
    expect(modeOf(join(dataDir, 'running.json'))).toBe(0o600);
    expect((await readRunning(dataDir))?.env).toEqual(env);
    expect(await runningEnvironment(loadConfig({ DATA_DIR: dataDir }))).toMatchObject(env);
    // What is set stays, and the keys of a service on another database are none of this one's.
    const own = { DATA_DIR: dataDir, TEMPORAL_ADDRESS: '127.0.0.1:9' };
    const lacking = await runningEnvironment(loadConfig(own), own);
    expect(lacking.TEMPORAL_ADDRESS).toBeUndefined();
    const other = { DATA_DIR: dataDir, DATABASE_URL: 'postgres://u:p@127.0.0.1:1/other' };
    expect(await runningEnvironment(loadConfig(other), other)).toEqual({});
    await removeRunning(dataDir);
    expect(await readRunning(dataDir)).toBeUndefined();
  });

  test('of a service that has died counts for nothing', async () => {
    const dataDir = newFolder();
    const content = { pid: process.pid, startedAt: 'long ago', env, places: {} };
    writeFileSync(join(dataDir, 'running.json'), JSON.stringify(content));
    expect(await readRunning(dataDir)).toBeUndefined();
    writeFileSync(join(dataDir, 'running.json'), '{"pid":');
    expect(await readRunning(dataDir)).toBeUndefined();
  });
});

describe('the announcement', () => {
  test('names what there is, and nothing else', () => {
    const config = loadConfig({ DATA_DIR: '/srv/data' });
    const where = places(config, 'http://127.0.0.1:3000', 8233);
    expect(where).toEqual({
      API: 'http://localhost:3000',
      Docs: 'http://localhost:3000/docs',
      OpenAPI: 'http://localhost:3000/openapi.json',
      'Temporal UI': 'http://127.0.0.1:8233',
      'Data folder': '/srv/data',
    });
    const worker = loadConfig({ DATA_DIR: '/srv/data', TEMPORAL_ADDRESS: 'temporal:7233' });
    expect(places(worker, undefined, undefined)).toEqual({
      Temporal: 'temporal:7233',
      'Data folder': '/srv/data',
    });
  });

  test('prefers the public address', () => {
    const config = loadConfig({ PUBLIC_URL: 'https://cp.example.com' });
    expect(places(config, 'http://127.0.0.1:3000', undefined).API).toBe('https://cp.example.com');
  });

  const started = { places: { API: 'https://cp.example.com' }, isPublic: false };
  const nobody = { ...started, firstAccountCode: 'ABCD-EFGH-JKLM' };

  test('gives a command that works as it stands', () => {
    const command = (dataDir: string) => announcement(nobody, dataDir);
    expect(command('/srv/data')).toContain('DATA_DIR=/srv/data bun run admin bootstrap');
    expect(command('/srv/my data')).toContain("DATA_DIR='/srv/my data' bun run admin");
    expect(command(join(process.cwd(), '.data'))).toContain('\n  bun run admin bootstrap');
  });

  test('asks for the code of the first account wherever others reach the service', () => {
    const [local, open] = [nobody, { ...nobody, isPublic: true }].map((one) =>
      announcement(one, '/srv/data'),
    );
    expect(local).toContain('From another machine you need this code: ABCD-EFGH-JKLM');
    expect(open).toContain(
      'Open https://cp.example.com and create the first one with this code: ABCD-EFGH-JKLM',
    );
    expect(open).not.toContain('this machine');
  });

  test('is fields of one line where JSON is asked for', () => {
    expect(announcedFields(nobody, '/srv/data')).toEqual({
      isReady: true,
      places: nobody.places,
      firstSteps: [
        expect.stringContaining('on this machine'),
        'From another machine you need this code: ABCD-EFGH-JKLM',
        expect.stringContaining('in another terminal'),
        expect.stringContaining('DATA_DIR=/srv/data bun run admin bootstrap'),
      ],
    });
    const fault = { ...started, firstAccountCode: undefined, workflowFault: 'No namespace.' };
    expect(readiness(fault)).toContain('is not ready');
    expect(announcedFields(fault, '/srv/data')).toEqual({
      isReady: false,
      workflowFault: 'No namespace.',
      places: started.places,
    });
    expect([{ LOG_FORMAT: 'json' }, {}, { LOG_FORMAT: 'xml' }].map(operatorFormat)).toEqual([
      'json',
      'pretty',
      'pretty',
    ]);
  });

  test('speaks of no first account where somebody has one', () => {
    const text = announcement({ ...started, firstAccountCode: undefined }, '/srv/data');
    expect(text).not.toContain('bootstrap');
    expect(text).toContain('To stop: Ctrl-C.');
  });
});
