import { expect, test } from 'bun:test';
import { cookieOf, createTestMember, createTestPerson, signInAs } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';
import { codeNow } from '../../support/totp.ts';

const service = await startTestService(await testDatabase());
const { sql } = service.deps;
const own = await createTestOrg(service);
const owner = await signInAs(service, own);
type Ask = Parameters<typeof service.call>[1];

/** What the document's examples do not reach: test/contract/audit.test.ts has the rest. */
async function once(operation: string, path: string, init: Ask) {
  const answer = await service.call(path, init);
  expect({ operation, status: answer.status < 300, body: answer.body }).toMatchObject({
    status: true,
  });
  const rows = await sql<{ operation: string; orgId: string | null }[]>`
    SELECT operation, org_id AS "orgId" FROM audit_entries
    WHERE request_id = ${answer.headers.get('x-request-id')}`;
  expect(rows.map((row) => row.operation)).toEqual([operation]);
  return { ...answer, orgId: rows[0]?.orgId };
}

async function invited() {
  const person = await createTestPerson(service);
  const body = { email: person.email, role: 'member' };
  const path = '/v1/auth/organization/invite-member';
  const made = await service.call(path, { headers: owner, body });
  const headers = await signInAs(service, person);
  return { person, headers, body: { invitationId: String(made.body.id) } };
}

test('an invitation accepted, rejected or taken back is one entry', async () => {
  const guest = await invited();
  const path = '/v1/auth/organization';
  const accepted = await once('acceptInvitation', `${path}/accept-invitation`, guest);
  expect(accepted.orgId).toBe(own.orgId);
  await once('rejectInvitation', `${path}/reject-invitation`, await invited());
  const { person } = await invited();
  const body = { email: person.email };
  await once('cancelInvitation', `${path}/cancel-invitation`, { headers: owner, body });
});

test('a changed password is one entry, without either', async () => {
  const person = await createTestPerson(service);
  const headers = await signInAs(service, person);
  const body = { currentPassword: person.password, newPassword: 'quite another password' };
  await once('changePassword', '/v1/auth/change-password', { headers, body });
  const rows = await sql<{ text: string }[]>`
    SELECT to_jsonb(e)::text AS text FROM audit_entries e WHERE operation = 'changePassword'`;
  expect(JSON.stringify(rows)).not.toContain('password"');
  expect(JSON.stringify(rows)).not.toContain(body.newPassword);
  expect(JSON.stringify(rows)).not.toContain(body.currentPassword);
});

test('each step of a second factor is one entry, without secret or codes', async () => {
  const { password, cookie } = await createTestMember(service, own, 'owner');
  const path = '/v1/auth/second-factor';
  const body = { currentPassword: password };
  const made = await once('setUpSecondFactor', path, { headers: { cookie }, body });
  const { secret, recoveryCodes } = made.body;
  const confirm = { headers: { cookie }, body: { code: codeNow(secret) } };
  const confirmed = await once('confirmSecondFactor', `${path}/confirm`, confirm);
  const headers = cookieOf(confirmed.headers);
  const require = { method: 'PUT', headers, body: { secondFactorRequired: true } };
  await once('setOrganizationSecurity', '/v1/auth/organization/security', require);
  const freed = { ...require, body: { secondFactorRequired: false } };
  await once('setOrganizationSecurity', '/v1/auth/organization/security', freed);
  const again = { ...body, code: recoveryCodes[1] };
  const renewed = await once('renewRecoveryCodes', `${path}/recovery-codes`, {
    headers,
    body: again,
  });
  const [code] = renewed.body.recoveryCodes;
  await once('removeSecondFactor', `${path}/remove`, { headers, body: { ...body, code } });
  const rows = await sql<{ text: string }[]>`
    SELECT to_jsonb(e)::text AS text FROM audit_entries e`;
  for (const told of [secret, recoveryCodes[0], code, password]) {
    expect(JSON.stringify(rows)).not.toContain(told);
  }
});

test('an arm shown by hand and an arm shipped are one entry each', async () => {
  const { appId } = await createTestApp(service, own.orgId);
  const { key: headers } = own;
  const path = `/v1/apps/${appId}`;
  const onboarding = { name: 'one', config: {} };
  const { id } = (await service.call(`${path}/onboardings`, { headers, body: onboarding })).body;
  const arms = ['a', 'b'].map((name) => ({ name, weight: 1, onboardingId: id }));
  const experiments = `${path}/experiments`;
  const made = await service.call(experiments, { headers, body: { name: 'ab', arms } });
  const one = `${experiments}/${made.body.id}`;
  const running = { method: 'PATCH', headers, body: { status: 'running' } };
  await service.call(one, running);
  const { id: armId } = made.body.arms[0];
  const shown = { method: 'PUT', headers, body: { anonymousId: 'shown-by-hand', armId } };
  await once('setExperimentOverride', `${one}/overrides`, shown);
  const gone = { method: 'DELETE', headers };
  await once('deleteExperimentOverride', `${one}/overrides?anonymousId=shown-by-hand`, gone);
  await once('shipExperimentArm', `${one}/ship`, { headers, body: { armId } });
});

test('a list that is set to what it was is one entry too, without changes', async () => {
  const { appId } = await createTestApp(service, own.orgId);
  const asked = { method: 'PUT', headers: own.key };
  const path = `/v1/apps/${appId}`;
  await once('setNamedEntitlements', `${path}/entitlements`, {
    ...asked,
    body: { entitlements: [] },
  });
  await once('setOfferings', `${path}/offerings`, {
    ...asked,
    body: { offerings: [], defaultOffering: null, flag: null },
  });
});
