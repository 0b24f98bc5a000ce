import { describe, expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../../src/admin/cli.ts';
import { COMMANDS } from '../../../src/admin/commands/index.ts';
import { writeRunning } from '../../../src/launcher/running.ts';
import { signInAs } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const database = await testDatabase();
const service = await startTestService(database);
const MAIN = join(import.meta.dir, '../../../src/admin/main.ts');
const newEmail = () => `${crypto.randomUUID()}@example.com`;

async function admin(...argv: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(COMMANDS, argv, {
    terminal: { out: (text) => out.push(text), err: (text) => err.push(text) },
    connect: async () => ({
      ctx: { deps: service.deps, requestId: 'test' },
      close: async () => {},
    }),
  });
  const text = out.join('\n');
  const data = argv.includes('--json') && text !== '' ? JSON.parse(text) : undefined;
  const failure = argv.includes('--json') && err.length > 0 ? JSON.parse(err.join()) : undefined;
  return { code, text, err: err.join('\n'), data, failure };
}

describe('bootstrap', () => {
  test('makes an organization, its owner and a key that can do everything', async () => {
    const email = newEmail();
    const made = await admin('bootstrap', '--org', 'Acme', '--email', email, '--json');
    expect(made.code).toBe(0);
    expect(Object.keys(made.data)).toEqual([
      'organizationId',
      'userId',
      'email',
      'password',
      'apiKey',
    ]);
    const key = { 'x-api-key': made.data.apiKey };
    expect((await service.call('/v1/apps', { headers: key })).status).toBe(200);
    const headers = await signInAs(service, made.data);
    const { body } = await service.call('/v1/auth/get-session', { headers });
    expect(body).toMatchObject({ activeOrganizationId: made.data.organizationId, role: 'owner' });
  });

  test('makes another organization for an address that has an account', async () => {
    const org = await createTestOrg(service);
    const email = org.email.toUpperCase();
    const { data } = await admin('bootstrap', '--org', 'Two', '--email', email, '--json');
    expect(data).toMatchObject({ userId: org.userId, email: org.email, password: null });
    expect(data.organizationId).not.toBe(org.orgId);
    const headers = await signInAs(service, org);
    const listed = await service.call('/v1/auth/organization/list', { headers });
    expect(listed.body).toHaveLength(2);
  });

  test('takes a password, and says in plain text what it made', async () => {
    const email = newEmail();
    const words = ['--org', 'Acme', '--email', email, '--password', 'chosen password'];
    const made = await admin('bootstrap', ...words);
    expect(made.text).toContain('svk_');
    expect(made.text).toContain('chosen password');
    expect(await signInAs(service, { email, password: 'chosen password' })).toBeDefined();
  });
});

describe('the program', () => {
  async function run(env: Record<string, string>, ...argv: string[]) {
    const child = Bun.spawn([process.execPath, MAIN, ...argv], {
      env: { PATH: process.env.PATH ?? '', DATA_DIR: service.dataDir, ...env },
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { out, err, code };
  }

  test('prints one JSON value and nothing else', async () => {
    const env = { DATABASE_URL: database.url, AUTH_SECRET: service.deps.config.authSecret ?? '' };
    const made = await run(env, 'bootstrap', '--org', 'Acme', '--email', newEmail(), '--json');
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.out.trim().split('\n')).toHaveLength(1);
    const key = { 'x-api-key': JSON.parse(made.out).apiKey };
    expect((await service.call('/v1/apps', { headers: key })).status).toBe(200);
  });

  test('gives links that lead to the port on which the service runs', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'cp-admin-'));
    await writeRunning(dataDir, { env: {}, places: { API: 'http://localhost:4567' } });
    const env = {
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      AUTH_SECRET: service.deps.config.authSecret ?? '',
    };
    const { out } = await run(env, 'sign-up', 'invite', '--email', newEmail());
    expect(out).toStartWith('http://localhost:4567/sign-up#invitation=');
  });

  test('says what is missing when it finds no service', async () => {
    const { code, err, out } = await run({}, 'organization', 'list');
    expect(code).toBe(2);
    expect(err).toContain('DATABASE_URL');
    expect(out).toBe('');
    const nowhere = { DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none' };
    const away = await run(nowhere, 'organization', 'list', '--json');
    expect(away.code).toBe(1);
    expect(JSON.parse(away.err).error.code).toBe('unavailable');
  });
});

describe('what is wrong on the command line', () => {
  test.each([
    [['bootstrap', '--org', 'Acme'], '--email is required'],
    [['bootstrap', '--org', 'Acme', '--email', 'nobody'], '--email'],
    [['bootstrap', '--org', '', '--email', 'a@example.com'], '--org'],
    [['bootstrap', '--org', 'A', '--email', 'a@example.com', '--password', 'short'], '--password'],
    [['bootstrap', '--organisation', 'Acme'], '--organisation'],
    [['key', 'create', '--org', 'x', '--name', 'n', '--permissions', 'app:own'], '--permissions'],
    [['limits', '--app', 'x', '--name', 'events', '--points', 'many'], '--points'],
    [['migrate', 'now'], 'now'],
    [['no-such-thing'], 'no-such-thing'],
    [['key'], 'key'],
  ])('%p is refused with exit code 2', async (argv, named) => {
    const plain = await admin(...argv);
    expect(plain.code).toBe(2);
    expect(plain.text).toBe('');
    expect(plain.err).toContain(named);
    expect(plain.err).toContain('--help');
    const json = await admin(...argv, '--json');
    expect(json).toMatchObject({ code: 2, failure: { error: { code: 'usage' } } });
  });

  test('what does not exist is refused with exit code 1', async () => {
    for (const argv of [
      ['key', 'create', '--org', 'nothing', '--name', 'n', '--permissions', 'app:read'],
      ['key', 'revoke', '--org', 'nothing', '--key', 'nothing'],
      ['member', 'role', '--org', 'nothing', '--email', newEmail(), '--role', 'admin'],
      ['password', 'reset', '--email', newEmail()],
      ['limits', '--app', 'nothing'],
    ]) {
      const answer = await admin(...argv, '--json');
      expect(answer).toMatchObject({ code: 1, failure: { error: { code: 'not_found' } } });
    }
  });

  test('a database that is not migrated is named as that', async () => {
    const fails = async () => {
      throw Object.assign(new Error('relation "x" does not exist'), { code: '42P01' });
    };
    const err: string[] = [];
    const terminal = { out: () => {}, err: (text: string) => void err.push(text) };
    expect(await runCli(COMMANDS, ['migrate'], { terminal, connect: fails })).toBe(1);
    expect(err.join()).toContain('admin migrate');
  });
});

describe('help', () => {
  test('lists every command, and every option of one', async () => {
    const all = await admin('--help');
    expect(all.code).toBe(0);
    for (const { name, summary } of COMMANDS) {
      expect(all.text).toContain(name);
      expect(all.text).toContain(summary);
      expect(summary.length).toBeLessThan(80);
    }
    expect((await admin()).text).toBe(all.text);
    const one = await admin('bootstrap', '--help');
    expect(one.text).toContain(
      '--org ORG --email EMAIL [--password PASSWORD] [--existing] [--json]',
    );
  });

  test('no command hides another, in whatever order they are listed', async () => {
    const names = COMMANDS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const commands of [COMMANDS, COMMANDS.toReversed()]) {
      for (const name of names) {
        const shown: string[] = [];
        const terminal = { out: (text: string) => shown.push(text), err: () => {} };
        const connect = () => Promise.reject(new Error('Help needs no connection.'));
        await runCli(commands, [...name.split(' '), '--help'], { terminal, connect });
        expect(shown.join('')).toContain(`bun run admin ${name} `);
      }
    }
  });
});

describe('keys, members, passwords, sign-up', () => {
  test('a key is made, listed and revoked', async () => {
    const org = await createTestOrg(service);
    const words = ['--org', org.orgId, '--name', 'CI', '--permissions', 'app:read, analytics:read'];
    const made = await admin('key', 'create', ...words, '--json');
    expect(made.data.key.permissions.toSorted()).toEqual(['analytics:read', 'app:read']);
    const key = { 'x-api-key': made.data.secret };
    expect((await service.call('/v1/apps', { headers: key })).status).toBe(200);
    const id = made.data.key.id;
    expect((await admin('key', 'revoke', '--org', org.orgId, '--key', id)).code).toBe(0);
    expect((await service.call('/v1/apps', { headers: key })).status).toBe(401);
    const listed = await admin('key', 'list', '--org', org.orgId);
    expect(listed.text).toContain('bootstrap');
    expect(listed.text).toMatch(/CI +svk_\w{6} +\S+ +revoked/);
  });

  test('a role is given to members and to others; the last owner keeps theirs', async () => {
    const [org, other] = await Promise.all([createTestOrg(service), createTestOrg(service)]);
    const role = (email: string, word: string) =>
      admin('member', 'role', '--org', org.orgId, '--email', email, '--role', word, '--json');
    expect((await role(org.email, 'admin')).failure.error.code).toBe('conflict');
    expect((await role(other.email, 'owner')).code).toBe(0);
    expect((await role(org.email, 'viewer')).code).toBe(0);
    const { data } = await admin('member', 'list', '--org', org.orgId, '--json');
    expect(data.map(({ role }: { role: string }) => role).toSorted()).toEqual(['owner', 'viewer']);
  });

  test('a password is set and the old sessions end', async () => {
    const org = await createTestOrg(service);
    const headers = await signInAs(service, org);
    const reset = await admin('password', 'reset', '--email', org.email, '--json');
    const session = await service.call('/v1/auth/get-session', { headers });
    expect(session.body).toBeNull();
    await expect(signInAs(service, org)).rejects.toThrow();
    expect(await signInAs(service, reset.data)).toBeDefined();
  });

  test('an invited person signs up once, with that address only', async () => {
    const email = newEmail();
    const invited = await admin('sign-up', 'invite', '--email', email, '--json');
    const { invitationId } = invited.data;
    const signUp = (address: string) =>
      service.call('/v1/auth/sign-up/email', {
        body: { name: 'New', email: address, password: 'a long password', invitationId },
      });
    expect((await signUp(newEmail())).status).toBe(403);
    expect((await signUp(email)).status).toBe(200);
    const stored = JSON.stringify(await database.sql`SELECT * FROM auth.verification`);
    expect(stored).not.toContain(invitationId);
    const again = await admin('sign-up', 'invite', '--email', email, '--json');
    expect(again.failure.error.code).toBe('conflict');
  });
});

describe('limits', () => {
  test('are raised for one app and put back', async () => {
    const org = await createTestOrg(service);
    const { appId } = await createTestApp(service, org.orgId);
    const limits = (...words: string[]) => admin('limits', '--app', appId, ...words, '--json');
    expect((await limits()).data).toEqual([]);
    const raised = await limits('--name', 'events', '--points', '6000');
    expect(raised.data).toEqual([{ name: 'events', points: 6000 }]);
    expect((await limits('--name', 'events', '--points', '0')).data).toEqual([]);
    expect((await limits('--name', 'events')).failure.error.code).toBe('invalid_input');
    expect((await limits('--name', 'default', '--points', '1')).code).toBe(2);
  });
});
