import { describe, expect, test } from 'bun:test';
import { createTestPerson, signInAs, type TestPerson } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const CONSOLE = 'https://console.example.com';
const service = await startTestService(await testDatabase(), { env: { CONSOLE_ORIGINS: CONSOLE } });
const { sql } = service.deps;

async function makeOrganization() {
  const org = await createTestOrg(service);
  return { ...org, app: await createTestApp(service, org.orgId) };
}
type Organization = Awaited<ReturnType<typeof makeOrganization>>;

async function join({ userId }: TestPerson, { orgId }: Organization, role: string) {
  const id = crypto.randomUUID();
  await sql`
    INSERT INTO auth.member (id, "organizationId", "userId", role, "createdAt")
    VALUES (${id}, ${orgId}, ${userId}, ${role}, now())`;
  return id;
}

/** Owner of the one where the session works, viewer in the other. */
async function inTwo() {
  const [active, other] = [await makeOrganization(), await makeOrganization()];
  const person = await createTestPerson(service);
  await join(person, active, 'owner');
  const memberId = await join(person, other, 'viewer');
  const session = await signInAs(service, person);
  const named = (org: Organization) => ({ ...session, 'x-organization': org.orgId });
  return { active, other, person, memberId, session, named };
}

const appsOf = async (headers: Record<string, string>) => {
  const { status, body } = await service.call('/v1/apps', { headers });
  return status === 200 ? body.map((app: { id: string }) => app.id) : status;
};

describe('a session in the organization that its request names', () => {
  test('has the role that it has there, however requests follow one another', async () => {
    const { active, other, session, named } = await inTwo();
    const body = { name: 'CI', permissions: ['app:read'] };
    for (const headers of [named(other), session, named(active), named(other), session]) {
      const org = Reflect.get(headers, 'x-organization') === other.orgId ? other : active;
      const isOwner = org === active;
      const made = await service.call('/v1/organization/keys', { headers, body });
      expect(made.status).toBe(isOwner ? 201 : 403);
      expect(await appsOf(headers)).toEqual([org.app.appId]);
      const read = await service.call('/v1/auth/get-session', { headers });
      expect(read.body).toMatchObject({
        activeOrganizationId: org.orgId,
        role: isOwner ? 'owner' : 'viewer',
      });
    }
  });

  test('is refused there without the second factor that is required there, and there only', async () => {
    const { active, other, session, named } = await inTwo();
    await sql`
      INSERT INTO organization_security (org_id, second_factor_required, updated_at)
      VALUES (${other.orgId}, true, now())`;
    const refused = await service.call('/v1/apps', { headers: named(other) });
    expect([refused.status, refused.body.error.hint]).toEqual([
      403,
      'Set one up under “Your account”, or with POST /v1/auth/second-factor.',
    ]);
    expect(refused.text).not.toContain(other.orgId);
    const read = await service.call('/v1/auth/get-session', { headers: named(other) });
    expect(read.body.needsSecondFactor).toBe(true);
    const body = { organizationId: other.orgId };
    await service.call('/v1/auth/organization/set-active', { headers: session, body });
    expect(await appsOf(session)).toBe(403);
    expect(await appsOf(named(active))).toEqual([active.app.appId]);
  });

  test('is out as soon as it is no member, and its sign-out ends it whatever it names', async () => {
    const { active, other, memberId, session, named } = await inTwo();
    expect(await appsOf(named(other))).toEqual([other.app.appId]);
    const owner = await signInAs(service, other);
    const removed = await service.call('/v1/auth/organization/remove-member', {
      headers: owner,
      body: { memberId },
    });
    expect(removed.status).toBe(200);
    expect(await appsOf(named(other))).toBe(404);
    expect(await appsOf(session)).toEqual([active.app.appId]);
    await service.call('/v1/auth/sign-out', { method: 'POST', headers: named(other) });
    for (const headers of [session, named(active), named(other)]) {
      expect(await appsOf(headers)).toBe(401);
    }
  });

  test('by a company stays in its own', async () => {
    const { active, other, person, named } = await inTwo();
    await sql`
      UPDATE auth.session SET provider_org_id = ${active.orgId} WHERE "userId" = ${person.userId}`;
    expect(await appsOf(named(other))).toBe(404);
    const list = await service.call('/v1/auth/organization/list', { headers: named(other) });
    expect(list.body.map(({ id }: { id: string }) => id)).toEqual([active.orgId]);
    const read = await service.call('/v1/auth/get-session', { headers: named(other) });
    expect(read.status).toBe(404);
  });

  test('chooses and finds others: the one chosen, the one of an app', async () => {
    const { active, other, session, named } = await inTwo();
    const chosen = await service.call('/v1/auth/organization/set-active', {
      headers: named(active),
      body: { organizationId: other.orgId },
    });
    expect(chosen.body).toMatchObject({ activeOrganizationId: other.orgId, role: 'viewer' });
    expect(await appsOf(named(active))).toEqual([active.app.appId]);
    const foreign = await makeOrganization();
    for (const [org, found] of [
      [active, [active.orgId]],
      [other, [other.orgId]],
      [foreign, []],
    ] as const) {
      const path = `/v1/auth/organization/list?app=${org.app.appId}`;
      const list = await service.call(path, { headers: session });
      expect(list.body.map(({ id }: { id: string }) => id)).toEqual(found);
    }
  });

  test('asks by an assistant and as CSV there too', async () => {
    const { active, other, session, named } = await inTwo();
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'listApps' } };
    const mcp = { accept: 'application/json, text/event-stream' };
    for (const [headers, own, others] of [
      [named(other), other, active],
      [session, active, other],
    ] as const) {
      const told = await service.call('/v1/mcp', { headers: { ...headers, ...mcp }, body: call });
      expect(told.text).toContain(own.app.appId);
      expect(told.text).not.toContain(others.app.appId);
    }
    await join({ ...active }, other, 'owner');
    const owner = await signInAs(service, active);
    await service.call('/v1/organization/keys', {
      headers: { ...owner, 'x-organization': other.orgId },
      body: { name: 'Marked', permissions: ['app:read'] },
    });
    const csv = async (org: Organization) => {
      const headers = { ...owner, 'x-organization': org.orgId, accept: 'text/csv' };
      return (await service.call('/v1/audit', { headers })).text;
    };
    expect(await csv(other)).toContain('Marked');
    expect(await csv(active)).not.toContain('Marked');
  });
});

test('a key acts in its own organization, whatever is named', async () => {
  const [own, other] = [await makeOrganization(), await makeOrganization()];
  expect(await appsOf({ ...own.key, 'x-organization': other.orgId })).toEqual([own.app.appId]);
});

test('pages of the console may send the name, pages of others nothing', async () => {
  const { other, named } = await inTwo();
  const preflight = (origin: string) =>
    service.call('/v1/apps', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
  const allowed = (await preflight(CONSOLE)).headers.get('access-control-allow-headers');
  expect(allowed).toContain('x-organization');
  const refused = (await preflight('https://evil.example')).headers;
  expect(refused.get('access-control-allow-headers')).toBeNull();
  const forged = await service.call('/v1/apps', {
    headers: { ...named(other), origin: 'https://evil.example' },
    body: {},
  });
  expect([forged.status, forged.body.error.code]).toEqual([403, 'origin_not_allowed']);
});
