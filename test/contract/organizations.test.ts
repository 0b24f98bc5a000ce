import { describe, expect, test } from 'bun:test';
import { UNAUDITED } from '../../src/http/audited.ts';
import { makeOwned, PROBES } from '../support/access/probes.ts';
import { ACCESS } from '../support/access/table.ts';
import { sentExample } from '../support/example-body.ts';
import { answerNoQuestions } from '../support/no-query-process.ts';
import { type Operation, operationsOf } from '../support/openapi.ts';
import { createTestPerson, signInAs } from '../support/people.ts';
import { testDatabase } from '../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';

const NOWHERE = 'http://127.0.0.1:1';
const service = await startTestService(await testDatabase(), {
  temporal: await testTemporal(),
  env: { STORE_API_URL: NOWHERE, STORE_SERVER_API_URL: NOWHERE },
});
answerNoQuestions(service);
const { sql } = service.deps;
const document = (await service.call('/openapi.json')).body;

const BY_SESSION = operationsOf(document).filter(
  ({ method, route }) => method !== 'GET' && ACCESS[route]?.who.includes('session'),
);
const isOfOrganization = ({ route }: Operation) => ACCESS[route]?.scope !== 'none';
/** What ends the organization or its app comes last: the others need them. */
const LAST = ['deleteApp', 'deleteDemo', 'deleteOrganization'];
const OPERATIONS = BY_SESSION.filter(isOfOrganization)
  .toSorted((one, other) => LAST.indexOf(one.operationId) - LAST.indexOf(other.operationId))
  .map((operation): [string, Operation] => [operation.operationId, operation]);

const makeOrganization = async () => {
  const org = await createTestOrg(service);
  return { ...org, app: await createTestApp(service, org.orgId) };
};
type Organization = Awaited<ReturnType<typeof makeOrganization>>;

async function join(userId: string, { orgId }: Organization, role = 'owner'): Promise<void> {
  await sql`
    INSERT INTO auth.member (id, "organizationId", "userId", role, "createdAt")
    VALUES (${crypto.randomUUID()}, ${orgId}, ${userId}, ${role}, now())`;
}

const stranger = await makeOrganization();

/** A person who owns two organizations; their session works in the first that they joined. */
async function inTwo() {
  const [active, named] = [await makeOrganization(), await makeOrganization()];
  const person = await createTestPerson(service);
  await join(person.userId, active);
  await join(person.userId, named);
  const onboardings: string[] = [];
  for (const name of ['long', 'short']) {
    const path = `/v1/apps/${named.app.appId}/onboardings`;
    const made = await service.call(path, { headers: named.key, body: { name, config: {} } });
    onboardings.push(made.body.id);
  }
  const session = await signInAs(service, person);
  return { active, named, onboardings, person, session };
}
type Tab = Awaited<ReturnType<typeof inTwo>>;

const inOrganization = (tab: Tab, id: string) => ({ ...tab.session, 'x-organization': id });

async function slugOf(table: string, column: string, id: string): Promise<string> {
  const [row] = await sql<{ slug: string }[]>`
    SELECT slug FROM ${sql.unsafe(table)} WHERE ${sql(column)} = ${id}`;
  return row?.slug ?? '';
}

async function queryOf({ operationId, route }: Operation, { named }: Tab): Promise<string> {
  if (operationId === 'deleteOrganization') {
    return `?confirm=${await slugOf('auth.organization', 'id', named.orgId)}`;
  }
  if (operationId === 'deleteApp') {
    return `?confirm=${await slugOf('apps', 'app_id', named.app.appId)}`;
  }
  return PROBES[route]?.query ?? '';
}

/** A real request, with the things of `of` in its path. */
async function requestOf(operation: Operation, tab: Tab, of = tab.named) {
  const stage = { service, own: of, other: of, principals: [] };
  let path = operation.path.replace('{id}', of.app.appId);
  for (const [param, check] of Object.entries(ACCESS[operation.route]?.owns ?? {})) {
    path = path.replace(`{${param}}`, await makeOwned(check, stage));
  }
  path = path.replaceAll(/\{\w+\}/g, 'nobody');
  // It would go on asking for the store, which is not here.
  const isComplete = operation.operationId !== 'connectStore';
  const body =
    operation.requestBody && isComplete
      ? sentExample(operation, { appId: of.app.appId, onboardings: tab.onboardings })
      : operation.requestBody && {};
  return {
    path: `${path}${await queryOf(operation, tab)}`,
    call: { method: operation.method, ...(body !== undefined && { body }) },
  };
}

const TABLES = await sql<{ name: string; column: string }[]>`
  SELECT format('%I.%I', table_schema, table_name) AS name, column_name AS column
  FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
  WHERE column_name IN ('org_id', 'organizationId', 'referenceId') AND table_type = 'BASE TABLE'
    AND table_schema NOT IN ('information_schema', 'pg_catalog')`;

/** Every row of an organization, but for what use and the background note on it. */
async function rowsOf(orgId: string): Promise<Record<string, string>> {
  const parts = TABLES.map(
    ({ name, column }) => `
      SELECT '${name}' AS of, string_agg((to_jsonb(t) - '{run_ensured_at,last_used_at}'::text[])::text,
        E'\\n' ORDER BY to_jsonb(t)::text) AS rows
      FROM ${name} t WHERE "${column}" = $1`,
  );
  const rows = await sql.unsafe<{ of: string; rows: string | null }[]>(parts.join(' UNION ALL '), [
    orgId,
  ]);
  return Object.fromEntries(rows.flatMap(({ of, rows: text }) => (text ? [[of, text]] : [])));
}

const FIRST_TAB = await inTwo();
const SECOND = await inTwo();
await service.call('/v1/auth/organization/set-active', {
  headers: SECOND.session,
  body: { organizationId: SECOND.named.orgId },
});
/** The other direction: the session works in the one that was joined last. */
const SECOND_TAB: Tab = { ...SECOND, active: SECOND.named, named: SECOND.active };
for (const name of ['long', 'short']) {
  const path = `/v1/apps/${SECOND_TAB.named.app.appId}/onboardings`;
  const { key } = SECOND_TAB.named;
  const { body } = await service.call(path, { headers: key, body: { name, config: {} } });
  SECOND_TAB.onboardings.splice(name === 'long' ? 0 : 1, 1, body.id);
}

describe.each([
  ['joined first', FIRST_TAB],
  ['joined last', SECOND_TAB],
])('a tab names an organization while the session works in another, %s', (_, tab) => {
  const named = inOrganization(tab, tab.named.orgId);
  let before: Record<string, string>;
  let succeeded = 0;

  test('all rows of the other are noted', async () => {
    before = await rowsOf(tab.active.orgId);
    expect(Object.keys(before).length).toBeGreaterThan(3);
    const session = await service.call('/v1/auth/get-session', { headers: tab.session });
    expect(session.body.activeOrganizationId).toBe(tab.active.orgId);
  });

  test.each(OPERATIONS)('%s acts in the named one', async (id, operation) => {
    // Of the organization where the session works: not there, for who names another.
    if (ACCESS[operation.route]?.scope === 'app') {
      const path = operation.path
        .replace('{id}', tab.active.app.appId)
        .replaceAll(/\{\w+\}/g, 'nobody');
      const call = { method: operation.method, headers: named };
      expect((await service.call(path, call)).status).toBe(404);
    }
    const { path, call } = await requestOf(operation, tab);
    const answer = await service.call(path, { ...call, headers: named });
    const rows = await sql<{ orgId: string; actor: string }[]>`
      SELECT org_id AS "orgId", actor_id AS actor FROM audit_entries
      WHERE request_id = ${answer.headers.get('x-request-id')}`;
    const isAudited = answer.status < 300 && !UNAUDITED.has(id);
    expect(rows.map(({ orgId, actor }) => [orgId, actor])).toEqual(
      isAudited ? [[tab.named.orgId, tab.person.userId]] : [],
    );
    if (answer.status < 300) succeeded += 1;
  });

  test('and nothing changed in the other', async () => {
    expect(succeeded).toBeGreaterThan(60);
    expect(await rowsOf(tab.active.orgId)).toEqual(before);
  });
});

describe('an organization of others is answered as one that never existed', async () => {
  const tab = await inTwo();
  const theirs = inOrganization(tab, stranger.orgId);
  const nobodys = inOrganization(tab, 'q8Jt2mWk0vXcB5nLr7YhZs3DfGpA1eUi');
  const before = await rowsOf(stranger.orgId);

  test.each(OPERATIONS)('%s', async (_, operation) => {
    const ids = [stranger.app.appId, tab.active.app.appId];
    for (const id of ACCESS[operation.route]?.scope === 'app' ? ids : ['']) {
      const path = operation.path.replace('{id}', id).replaceAll(/\{\w+\}/g, 'nobody');
      const call = { method: operation.method };
      const [refused, never] = [
        await service.call(path, { ...call, headers: theirs }),
        await service.call(path, { ...call, headers: nobodys }),
      ];
      expect([refused.status, refused.body.error.code]).toEqual([404, 'not_found']);
      expect(refused.text).toBe(never.text);
    }
  });

  test('reading too, and nothing is told or changed', async () => {
    for (const path of ['/v1/apps', '/v1/auth/get-session', '/v1/auth/organization/list-members']) {
      for (const headers of [
        theirs,
        nobodys,
        inOrganization(tab, ''),
        inOrganization(tab, 'x'.repeat(65)),
      ]) {
        const answer = await service.call(path, { headers });
        expect([path, answer.status]).toEqual([path, 404]);
        expect(answer.text).not.toContain(stranger.orgId);
      }
    }
    expect(await rowsOf(stranger.orgId)).toEqual(before);
  });
});

/** Of a person: whatever organization is named, they act on the account or on what their body names. */
test('which operations of a session belong to no organization is known', () => {
  const ofPerson = BY_SESSION.filter((one) => !isOfOrganization(one)).map((one) => one.operationId);
  expect(ofPerson.toSorted()).toEqual([
    'acceptInvitation',
    'answerOnboardingSurvey',
    'changePassword',
    'confirmSecondFactor',
    'createOrganization',
    'eraseAccount',
    'joinCompany',
    'leaveOrganization',
    'rejectInvitation',
    'removeSecondFactor',
    'renewRecoveryCodes',
    'revokeOtherSessions',
    'revokeSession',
    'setActiveOrganization',
    'setUpSecondFactor',
  ]);
});
