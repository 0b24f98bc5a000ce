import { describe, expect, test } from 'bun:test';
import { cookieOf, createTestMember, createTestPerson, signInAs } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';

const database = await testDatabase();
const service = await startTestService(database);

type Headers = { cookie: string };
const post = (route: string, headers: Headers, body: object) =>
  service.call(`/v1/auth/organization/${route}`, { body, headers });
const get = (route: string, headers: Headers) =>
  service.call(`/v1/auth/organization/${route}`, { headers });

async function newOrg() {
  const org = await createTestOrg(service);
  return { ...org, headers: await signInAs(service, org) };
}

async function invite(org: { headers: Headers }, email: string, role = 'member') {
  return (await post('invite-member', org.headers, { email, role })).body;
}

const memberIdOf = async (headers: Headers, userId: string): Promise<string> => {
  const { body } = await get('list-members', headers);
  return body.find((member: { userId: string }) => member.userId === userId).id;
};

describe('organizations', () => {
  test('are made by anybody signed in, who owns them and works in them', async () => {
    const person = await createTestPerson(service);
    const headers = await signInAs(service, person);
    const made = await post('create', headers, { name: 'Søren & Co' });
    expect(made.status).toBe(200);
    expect(made.body.slug).toMatch(/^s-?ren-co-[a-z0-9]{8}$/);
    const session = (await service.call('/v1/auth/get-session', { headers })).body;
    expect(session).toMatchObject({ activeOrganizationId: made.body.id, role: 'owner' });
    expect((await get('list', headers)).body).toEqual([made.body]);
  });

  test('take a slug that is free', async () => {
    const { headers } = await newOrg();
    const slug = `org-${crypto.randomUUID().slice(0, 8)}`;
    expect((await post('create', headers, { name: 'A', slug })).body.slug).toBe(slug);
    const again = await post('create', headers, { name: 'B', slug });
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'slug_taken' } } });
    expect((await post('create', headers, { name: 'B', slug: 'No Slug' })).status).toBe(400);
  });

  test('are renamed by those who run them', async () => {
    const org = await newOrg();
    const renamed = await post('update', org.headers, { name: 'New name' });
    expect(renamed).toMatchObject({ status: 200, body: { id: org.orgId, name: 'New name' } });
    const member = await createTestMember(service, org, 'member');
    expect((await post('update', member, { name: 'Mine' })).status).toBe(403);
  });

  test('are chosen for the session; foreign and unknown ones are the same 404', async () => {
    const [mine, foreign] = await Promise.all([newOrg(), newOrg()]);
    const second = (await post('create', mine.headers, { name: 'Second' })).body;
    const chosen = await post('set-active', mine.headers, { organizationId: mine.orgId });
    expect(chosen.body).toMatchObject({ activeOrganizationId: mine.orgId, role: 'owner' });
    const wrong = await post('set-active', mine.headers, { organizationId: foreign.orgId });
    const unknown = await post('set-active', mine.headers, { organizationId: 'nothing' });
    expect(wrong.status).toBe(404);
    expect(wrong.text).toBe(unknown.text);
    const session = (await service.call('/v1/auth/get-session', mine)).body;
    expect(session.activeOrganizationId).toBe(mine.orgId);
    expect((await get('list', mine.headers)).body).toHaveLength(2);
    const none = await post('set-active', mine.headers, { organizationId: null });
    expect(none.body).toMatchObject({ activeOrganizationId: null, role: null });
    const answer = await service.call('/v1/apps', { headers: mine.headers });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'no_active_organization' } },
    });
    expect(second.id).not.toBe(mine.orgId);
  });

  test('a new session starts where the last one worked', async () => {
    const org = await newOrg();
    const second = (await post('create', org.headers, { name: 'Second' })).body;
    const headers = await signInAs(service, org);
    const session = (await service.call('/v1/auth/get-session', { headers })).body;
    expect(session.activeOrganizationId).toBe(second.id);
  });
});

describe('invitations', () => {
  test('bring somebody in with the secret that only the inviter saw', async () => {
    const org = await newOrg();
    const email = `${crypto.randomUUID()}@example.com`;
    const invitation = await invite(org, email.toUpperCase(), 'viewer');
    expect(invitation).toMatchObject({ email, role: 'viewer', mailed: false });
    expect(invitation.link).toContain(invitation.id);

    const listed = await get('list-invitations', org.headers);
    expect(listed.body).toMatchObject([{ email, role: 'viewer' }]);
    expect(listed.text).not.toContain(invitation.id);

    const offer = { body: { invitationId: invitation.id } };
    const offered = await service.call('/v1/auth/organization/read-invitation', offer);
    expect(offered.body).toEqual({
      organizationName: 'Test',
      inviterEmail: org.email,
      email,
      role: 'viewer',
      expiresAt: invitation.expiresAt,
    });

    const body = { name: 'New', email, password: 'a long password', invitationId: invitation.id };
    const signedUp = await service.call('/v1/auth/sign-up/email', { body });
    expect(signedUp.status).toBe(200);
    const headers = cookieOf(signedUp.headers);
    const shown = await get(`get-invitation?id=${invitation.id}`, headers);
    expect(shown.body).toMatchObject({ organizationId: org.orgId, inviterEmail: org.email });
    const accepted = await post('accept-invitation', headers, { invitationId: invitation.id });
    expect(accepted.body).toMatchObject({ activeOrganizationId: org.orgId, role: 'viewer' });
    expect((await service.call('/v1/apps', { headers })).status).toBe(200);
    expect((await get('list-invitations', org.headers)).body).toEqual([]);
    const again = await post('accept-invitation', headers, { invitationId: invitation.id });
    expect(again.status).toBe(404);
  });

  test('of others look like none: read, accepted, rejected, signed up with', async () => {
    const org = await newOrg();
    const invitation = await invite(org, 'somebody@example.com');
    const stranger = await signInAs(service, await createTestPerson(service));
    for (const id of [invitation.id, 'nothing']) {
      const body = { invitationId: id };
      const answers = await Promise.all([
        get(`get-invitation?id=${id}`, stranger),
        post('accept-invitation', stranger, body),
        post('reject-invitation', stranger, body),
      ]);
      for (const answer of answers) {
        expect(answer.status).toBe(404);
        expect(answer.text).toBe(answers[0].text);
      }
    }
    const body = {
      name: 'X',
      email: 'x@example.com',
      password: 'a long password',
      invitationId: invitation.id,
    };
    expect((await service.call('/v1/auth/sign-up/email', { body })).status).toBe(403);
  });

  test('are ended by a new one, by those who run the organization, and by time', async () => {
    const org = await newOrg();
    const person = await createTestPerson(service);
    const headers = await signInAs(service, person);
    const accept = (id: string) => post('accept-invitation', headers, { invitationId: id });

    const first = await invite(org, person.email);
    const second = await invite(org, person.email);
    expect((await accept(first.id)).status).toBe(404);
    expect((await post('cancel-invitation', org.headers, { email: person.email })).status).toBe(
      200,
    );
    expect((await accept(second.id)).status).toBe(404);
    expect((await post('cancel-invitation', org.headers, { email: person.email })).status).toBe(
      404,
    );
    const third = await invite(org, person.email);
    await database.sql`
      UPDATE auth.invitation SET "expiresAt" = now() - interval '1 second'
      WHERE email = ${person.email}`;
    expect((await accept(third.id)).status).toBe(404);
    expect((await get(`get-invitation?id=${third.id}`, headers)).status).toBe(404);
    const fourth = await invite(org, person.email);
    expect((await post('reject-invitation', headers, { invitationId: fourth.id })).status).toBe(
      200,
    );
    expect((await accept(fourth.id)).status).toBe(404);
  });

  test('accepted twice at once make one membership', async () => {
    const org = await newOrg();
    const person = await createTestPerson(service);
    const headers = await signInAs(service, person);
    const { id } = await invite(org, person.email);
    const answers = await Promise.all(
      [1, 2, 3].map(() => post('accept-invitation', headers, { invitationId: id })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await get('list-members', org.headers)).body).toHaveLength(2);
  });

  test('go out to owners from owners only, and not to members', async () => {
    const org = await newOrg();
    const admin = await createTestMember(service, org, 'admin');
    const asOwner = { email: 'boss@example.com', role: 'owner' };
    expect((await post('invite-member', admin, asOwner)).status).toBe(403);
    expect((await post('invite-member', org.headers, asOwner)).status).toBe(200);
    const known = await post('invite-member', org.headers, { email: admin.email, role: 'member' });
    expect(known).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    const bad = await post('invite-member', org.headers, { email: 'a@example.com', role: 'king' });
    expect(bad.status).toBe(400);
  });
});

describe('members', () => {
  test('who are removed have no active organization any more', async () => {
    const org = await newOrg();
    const member = await createTestMember(service, org, 'member');
    expect((await service.call('/v1/apps', { headers: member })).status).toBe(200);
    const memberId = await memberIdOf(org.headers, member.userId);
    expect((await post('remove-member', org.headers, { memberId })).status).toBe(200);
    const answer = await service.call('/v1/apps', { headers: member });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'no_active_organization' } },
    });
  });

  test('of another organization look like none', async () => {
    const [org, other] = await Promise.all([newOrg(), newOrg()]);
    const foreign = await memberIdOf(other.headers, other.userId);
    for (const route of ['remove-member', 'update-member-role']) {
      const extra = route === 'update-member-role' ? { role: 'viewer' } : {};
      const wrong = await post(route, org.headers, { memberId: foreign, ...extra });
      const unknown = await post(route, org.headers, { memberId: 'nothing', ...extra });
      expect(wrong.status).toBe(404);
      expect(wrong.text).toBe(unknown.text);
    }
    expect((await get('list-members', other.headers)).body).toHaveLength(1);
  });

  test('change roles: felt at once, owners only by owners', async () => {
    const org = await newOrg();
    const [admin, viewer] = await Promise.all([
      createTestMember(service, org, 'admin'),
      createTestMember(service, org, 'viewer'),
    ]);
    const change = async (by: Headers, userId: string, role: string) =>
      post('update-member-role', by, { memberId: await memberIdOf(org.headers, userId), role });
    expect((await get('list-invitations', viewer)).status).toBe(403);
    expect((await change(admin, viewer.userId, 'admin')).body.role).toBe('admin');
    expect((await get('list-invitations', viewer)).status).toBe(200);
    expect((await change(admin, viewer.userId, 'owner')).status).toBe(403);
    expect((await change(admin, org.userId, 'viewer')).status).toBe(403);
    expect((await change(org.headers, viewer.userId, 'owner')).status).toBe(200);
    expect((await change(viewer, org.userId, 'viewer')).status).toBe(200);
    expect((await change(viewer, org.userId, 'owner,admin')).status).toBe(400);
  });

  test('the last owner stays an owner, whatever is tried', async () => {
    const org = await newOrg();
    const admin = await createTestMember(service, org, 'admin');
    const memberId = await memberIdOf(org.headers, org.userId);
    const tries = await Promise.all([
      post('leave', org.headers, { organizationId: org.orgId }),
      post('remove-member', org.headers, { memberId }),
      post('update-member-role', org.headers, { memberId, role: 'admin' }),
    ]);
    for (const answer of tries) {
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    }
    expect((await post('remove-member', admin, { memberId })).status).toBe(403);
    expect((await post('leave', admin, { organizationId: org.orgId })).status).toBe(200);
    expect((await post('leave', admin, { organizationId: org.orgId })).status).toBe(404);
  });

  test('two owners who leave at the same moment do not both leave', async () => {
    for (let round = 0; round < 5; round += 1) {
      const org = await newOrg();
      const other = await createTestMember(service, org, 'owner');
      const leave = (headers: Headers) => post('leave', headers, { organizationId: org.orgId });
      const answers = await Promise.all([leave(org.headers), leave({ cookie: other.cookie })]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    }
  });
});

test('one person is in at most fifty organizations', async () => {
  const person = await createTestPerson(service);
  await service.deps.sql`
    WITH made AS (
      INSERT INTO auth.organization (id, name, slug, "createdAt")
      SELECT gen_random_uuid()::text, 'Test', gen_random_uuid()::text, now()
      FROM generate_series(1, 49) RETURNING id)
    INSERT INTO auth.member (id, "organizationId", "userId", role, "createdAt")
    SELECT gen_random_uuid()::text, id, ${person.userId}, 'owner', now() FROM made`;
  const headers = await signInAs(service, person);
  const make = (slug: string) => post('create', headers, { name: 'Test', slug });
  expect((await make('fiftieth-of-one')).status).toBe(200);
  const refused = await make('one-too-many');
  expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict']);
});
