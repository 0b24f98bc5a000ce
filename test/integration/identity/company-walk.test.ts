import { expect, test } from 'bun:test';
import { startLyingIssuer } from '../../simulators/issuer/server.ts';
import { makeOwned, PROBES } from '../../support/access/probes.ts';
import { ACCESS } from '../../support/access/table.ts';
import { CLIENT_SECRET, companyDoors } from '../../support/company.ts';
import { sentExample } from '../../support/example-body.ts';
import { startListening } from '../../support/listening.ts';
import { newBrowser } from '../../support/oidc-issuer.ts';
import { type Operation, operationsOf } from '../../support/openapi.ts';
import { createTestMember, signInAs } from '../../support/people.ts';
import { createTestApp, createTestOrg } from '../../support/service.ts';
import { testTemporal } from '../../support/temporal.ts';

const issuer = await startLyingIssuer();
const NOWHERE = 'http://127.0.0.1:1';
const { service, url } = await startListening(
  {
    EGRESS_ALLOW: `127.0.0.1:${issuer.port}`,
    STORE_API_URL: NOWHERE,
    STORE_SERVER_API_URL: NOWHERE,
  },
  await testTemporal(),
);
const { sql } = service.deps;
const doors = companyDoors(service, url);
const document = (await service.call('/openapi.json')).body;

const org = await createTestOrg(service);
const own = { ...org, app: await createTestApp(service, org.orgId) };
const elsewhere = await createTestOrg(service);
const stage = { service, own, other: own, principals: [] };
const slugOf = async (orgId: string) => {
  const [row] = await sql<{ slug: string }[]>`
    SELECT slug FROM auth.organization WHERE id = ${orgId}`;
  return row?.slug ?? '';
};
const slug = await slugOf(own.orgId);

/** An owner of both, who wrote and chose things that are theirs alone. */
const person = await createTestMember(service, own, 'owner');
const SECRETS = ['what they build', 'the elsewhere', await slugOf(elsewhere.orgId)];
await sql`UPDATE auth.organization SET name = 'the elsewhere' WHERE id = ${elsewhere.orgId}`;
await sql`INSERT INTO auth.member (id, "organizationId", "userId", role, "createdAt")
  VALUES (${crypto.randomUUID()}, ${elsewhere.orgId}, ${person.userId}, 'owner', now())`;
await service.call('/v1/onboarding', {
  body: { source: 'friend', building: 'what they build' },
  headers: await signInAs(service, person),
});

async function byCompany() {
  const browser = doors.hold(newBrowser(), await signInAs(service, person));
  issuer.state.says = {
    ...{ sub: 'the person', email: person.email, email_verified: true },
    ...{ name: 'As the issuer says', groups: ['owners'] },
  };
  const hash = await doors.join(browser, slug);
  expect(hash).toBe('');
  return doors.headersOf(browser);
}

const set = await service.call('/v1/auth/organization/provider', {
  method: 'PUT',
  body: {
    issuer: issuer.issuer,
    clientId: 'control-plane',
    clientSecret: CLIENT_SECRET,
    domains: ['example.com'],
    groupsClaim: 'groups',
    roles: [{ group: 'owners', role: 'owner' }],
    roleWithoutGroup: 'viewer',
    isOnlyWay: false,
  },
  headers: await signInAs(service, own),
});
expect(set.status).toBe(200);
await byCompany();

/** All that is the person's and not of this organization, and all of the other one. */
async function whatIsElsewhere(): Promise<string> {
  const { userId } = person;
  const rows = await sql`
    SELECT 'user' AS what, to_jsonb(u) AS row FROM auth."user" u WHERE id = ${userId}
    UNION ALL SELECT 'account', to_jsonb(a) FROM auth.account a WHERE "userId" = ${userId}
    UNION ALL SELECT 'factor', to_jsonb(f) FROM auth."twoFactor" f WHERE "userId" = ${userId}
    UNION ALL SELECT 'member', to_jsonb(m) FROM auth.member m
      WHERE "userId" = ${userId} AND "organizationId" <> ${own.orgId}
    UNION ALL SELECT 'survey', to_jsonb(s) FROM onboarding_surveys s WHERE user_id = ${userId}
    UNION ALL SELECT 'organization', to_jsonb(o) FROM auth.organization o
      WHERE id <> ${own.orgId}
    UNION ALL SELECT 'invitation', to_jsonb(i) FROM auth.invitation i
      WHERE "organizationId" <> ${own.orgId}
    ORDER BY 1, 2`;
  return JSON.stringify(rows, null, 1);
}

const ownSessions = async () =>
  (
    await sql<{ id: string }[]>`
      SELECT id FROM auth.session WHERE "userId" = ${person.userId} AND provider_org_id IS NULL`
  ).map(({ id }) => id);

/** They end what the walk needs. */
const LAST = new Set(['deleteOrganization', 'signOut', 'leaveOrganization']);
const OF_SESSIONS = operationsOf(document).filter(({ route }) => {
  const { who = [] } = ACCESS[route] ?? {};
  return who.length === 0 || who.includes('session');
});
const [walked, last] = [
  OF_SESSIONS.filter(({ operationId }) => !LAST.has(operationId)),
  OF_SESSIONS.filter(({ operationId }) => LAST.has(operationId)),
];

async function pathOf({ path, route }: Operation): Promise<string> {
  let filled = path.replace('{id}', own.app.appId);
  for (const [param, check] of Object.entries(ACCESS[route]?.owns ?? {})) {
    filled = filled.replace(`{${param}}`, await makeOwned(check, stage));
  }
  return `${filled.replaceAll(/\{\w+\}/g, 'nobody')}${PROBES[route]?.query ?? ''}`;
}

/** Every place of a body that may name an organization names the other one. */
function pointedElsewhere(body: any): any {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return 'organizationId' in body ? { ...body, organizationId: elsewhere.orgId } : body;
}

/** Where rows of people are; elsewhere a body that fits would wait for the store and the like. */
const OF_PEOPLE = /^\/v1\/(auth|organization|onboarding|audit|digests|demo)\b/;
const UNFITTING = 12_345;

function bodyOf(operation: Operation): unknown {
  if (!operation.requestBody) return undefined;
  if (!OF_PEOPLE.test(operation.path)) return UNFITTING;
  return pointedElsewhere(sentExample(operation, { appId: own.app.appId, onboardings: [] }));
}

async function ask(operation: Operation, headers: Record<string, string>) {
  const body = bodyOf(operation);
  return service.call(await pathOf(operation), {
    method: operation.method,
    headers,
    ...(body !== undefined && { body }),
  });
}

test('a session of a company reaches nothing of its person but the organization', async () => {
  let headers = await byCompany();
  const ownIds = await ownSessions();
  const held = await whatIsElsewhere();
  const statuses = new Map<number, number>();
  const told: string[] = [];
  for (const operation of [...walked, ...last]) {
    // Some acts end it (another provider, a role): then a new one goes on.
    const is = await service.call('/v1/auth/get-session', { headers });
    if (is.body === null) headers = await byCompany();
    const answer = await ask(operation, headers);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    const leaks = [...SECRETS, elsewhere.orgId, ...ownIds].filter((one) =>
      answer.text.includes(one),
    );
    if (leaks.length > 0) told.push(`${operation.operationId}: ${leaks}`);
  }
  expect(told).toEqual([]);
  expect(await whatIsElsewhere()).toBe(held);
  expect(await ownSessions()).toEqual(expect.arrayContaining(ownIds));
  expect((statuses.get(200) ?? 0) > 40).toBe(true);
  expect((statuses.get(403) ?? 0) > 10).toBe(true);
});
