import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { runCli } from '../../../src/admin/cli.ts';
import { COMMANDS } from '../../../src/admin/commands/index.ts';
import { createTestPerson } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { testTemporal } from '../../support/temporal.ts';

const service = await startTestService(await testDatabase(), { temporal: await testTemporal() });
const { sql } = service.deps;
const own = await createTestOrg(service);
const app = await createTestApp(service, own.orgId);
const doomed = await createTestOrg(service);
const person = await createTestPerson(service);
const newEmail = () => `${crypto.randomUUID()}@example.com`;

async function file(name: string, text: string): Promise<string> {
  const path = join(service.dataDir, name);
  await Bun.write(path, text);
  return path;
}
const event = {
  ...{ event: 'signup', uuid: crypto.randomUUID(), distinct_id: 'one' },
  ...{ timestamp: '2026-07-01T10:00:00.000Z', properties: {} },
};
const events = await file('events.jsonl', `${JSON.stringify(event)}\n`);
const purchases = await file('purchases.csv', 'userId,originalTransactionId\nada,2000000000001\n');

async function run(...words: string[]) {
  const said: string[] = [];
  const code = await runCli(COMMANDS, words, {
    terminal: { out: (text) => said.push(text), err: (text) => said.push(text) },
    connect: async () => ({
      ctx: { deps: service.deps, requestId: 'test' },
      close: async () => {},
    }),
  });
  return { code, text: said.join('\n') };
}

const [{ slug = '' } = {}] = await sql<{ slug: string }[]>`
  SELECT slug FROM auth.organization WHERE id = ${doomed.orgId}`;
const [{ id: keyId = '' } = {}] = await sql<{ id: string }[]>`
  SELECT id FROM auth.apikey WHERE "referenceId" = ${own.orgId}`;

await sql`
  INSERT INTO auth."twoFactor" (id, secret, "sealedRecoveryCodes", "userId", verified)
  SELECT 'factor', 'T0secret', 'T0secret', id, true FROM auth."user"
  WHERE email = ${person.email}`;

await sql`
  INSERT INTO identity_providers (org_id, issuer, client_id, sealed_client_secret, domains,
    groups_claim, roles, role_without_group, is_only_way, updated_at)
  VALUES (${own.orgId}, 'https://login.example.com', 'here', 'T0secret', '{}', 'groups', '[]', null,
    false, now())`;

const leaver = await createTestPerson(service);
const ofOrg = ['--org', own.orgId];
const ofApp = ['--app', app.appId];
const CALLS: Record<string, string[]> = {
  bootstrap: ['--org', 'New', '--email', newEmail(), '--password', 'chosen password'],
  'member role': [...ofOrg, '--email', person.email, '--role', 'viewer', '--existing'],
  'second-factor remove': ['--email', person.email],
  'provider off': ofOrg,
  'account erase': ['--email', leaver.email],
  'password reset': ['--email', person.email, '--password', 'another password'],
  'sign-up invite': ['--email', newEmail()],
  'funnel-window': [...ofApp, '--hours', '12'],
  limits: [...ofApp, '--name', 'events', '--points', '6000'],
  'preview set': [...ofApp, '--command', 'TOKEN=T0secret run'],
  retention: [...ofApp, '--events', '3000', '--delete-older'],
  'import events': [events, ...ofApp],
  'import purchases': [purchases, ...ofApp],
  'key create': [...ofOrg, '--name', 'CI', '--permissions', 'app:read'],
  'key revoke': [...ofOrg, '--key', keyId],
  'organization delete': ['--org', doomed.orgId, '--confirm', slug],
  'secrets rotate': [],
};
const WITHOUT_ORGANIZATION = [
  'account erase',
  'password reset',
  'second-factor remove',
  'sign-up invite',
  'secrets rotate',
];

/** Keys shown once. */
const told: string[] = [];

const entriesOf = (operation: string) => sql<{ actorKind: string; orgId: string | null }[]>`
  SELECT actor_kind AS "actorKind", org_id AS "orgId" FROM audit_entries
  WHERE operation = ${operation}`;

/** Where its provider is simulated: test/workflows/backend-provisioning.test.ts. */
const ELSEWHERE = ['backend assign'];
const audited = COMMANDS.filter(({ audited }) => audited)
  .map(({ name }) => name)
  .filter((name) => !ELSEWHERE.includes(name));

test.each(audited)(
  '%s is in the audit as the operator',
  async (name) => {
    const { code, text } = await run(...name.split(' '), ...(CALLS[name] ?? []));
    expect({ code, text }).toMatchObject({ code: 0 });
    told.push(...(text.match(/svk_\S+/g) ?? []));
    const entries = await entriesOf(name);
    expect(entries.length).toBeGreaterThan(0);
    for (const { actorKind, orgId } of entries) {
      expect(actorKind).toBe('operator');
      if (!WITHOUT_ORGANIZATION.includes(name) && name !== 'bootstrap') {
        expect(orgId).toBe(name === 'organization delete' ? doomed.orgId : own.orgId);
      }
    }
  },
  60_000,
);

test('only looking, keeping data and the installation are in no audit', async () => {
  const others = COMMANDS.filter(({ audited }) => !audited).map(({ name }) => name);
  expect(others.toSorted()).toEqual([
    'backup',
    'backup gone',
    'backup verify',
    'downgrade',
    'events compact',
    'events rebuild-catalogue',
    'import rates',
    'key list',
    'member list',
    'migrate',
    'organization list',
    'restore',
    'restore settle',
    'upgrade',
  ]);
});

test('a look by a command that may change something, and a dry run, leave nothing', async () => {
  const before = (await entriesOf('limits')).length + (await entriesOf('import events')).length;
  expect((await run('limits', ...ofApp)).code).toBe(0);
  expect((await run('import', 'events', events, ...ofApp, '--dry-run')).code).toBe(0);
  const after = (await entriesOf('limits')).length + (await entriesOf('import events')).length;
  expect(after).toBe(before);
});

test('no secret of a command is in its entry', async () => {
  const [{ text = '' } = {}] = await sql<{ text: string }[]>`
    SELECT string_agg(to_jsonb(entry)::text, '') AS text FROM audit_entries AS entry`;
  expect(told).toHaveLength(2);
  for (const secret of ['chosen password', 'another password', 'T0secret', ...told]) {
    expect(text).not.toContain(secret);
  }
});
