import { expect, test } from 'bun:test';
import { createTestMember, createTestPerson, signInAs } from '../../support/people.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const database = await testDatabase();
const service = await startTestService(database);
const org = await createTestOrg(service);

/** The answer to a request whose session is ended while it is under way. */
async function endedMeanwhile(
  { userId, cookie }: { userId: string; cookie: string },
  path: string,
  body: unknown,
) {
  const ending = await database.sql.reserve();
  await ending`BEGIN`;
  await ending`DELETE FROM auth.session WHERE "userId" = ${userId}`;
  const answer = service.call(`/v1/auth/organization/${path}`, { headers: { cookie }, body });
  await until('the request waits for its session', async () => {
    const waiting = await service.deps.sql`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
        AND wait_event_type = 'Lock' AND query ILIKE 'update%session%'`;
    return waiting.length > 0;
  });
  await ending`COMMIT`;
  ending.release();
  return answer;
}

const newcomer = async () => {
  const person = await createTestPerson(service);
  return { ...person, ...(await signInAs(service, person)) };
};

const SIGNED_OUT = { error: { code: 'not_signed_in', message: 'You are not signed in.' } };

test('who is signed out while an organization is made is told so', async () => {
  const { status, body } = await endedMeanwhile(await newcomer(), 'create', { name: 'Meanwhile' });
  expect([status, body]).toEqual([401, SIGNED_OUT]);
});

test('who is signed out while another organization is chosen is told so', async () => {
  const member = await createTestMember(service, org, 'member');
  for (const organizationId of [org.orgId, null]) {
    const again = { ...member, ...(await signInAs(service, member)) };
    const { status, body } = await endedMeanwhile(again, 'set-active', { organizationId });
    expect([status, body]).toEqual([401, SIGNED_OUT]);
  }
});

test('who is signed out while an invitation is accepted is told so', async () => {
  const guest = await newcomer();
  const invited = await service.call('/v1/auth/organization/invite-member', {
    headers: await signInAs(service, org),
    body: { email: guest.email, role: 'member' },
  });
  const { status, body } = await endedMeanwhile(guest, 'accept-invitation', {
    invitationId: invited.body.id,
  });
  expect([status, body]).toEqual([401, SIGNED_OUT]);
});

test('who is signed out while leaving has left', async () => {
  const member = await createTestMember(service, org, 'member');
  const { status } = await endedMeanwhile(member, 'leave', { organizationId: org.orgId });
  expect(status).toBe(200);
});
