import type { Deps } from '../../src/context.ts';
import { createAccount } from '../../src/modules/identity/accounts/operator.ts';
import type { Role } from '../../src/shared/permissions.ts';
import type { TestOrg } from './service.ts';

export type Cookie = { cookie: string };

/** The `Cookie` header that a browser would send after this answer. */
export function cookieOf(headers: Headers): Cookie {
  const pairs = headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  return { cookie: pairs.filter((pair) => !pair.endsWith('=')).join('; ') };
}

/** Signs in without the HTTP layer, so that its rate limits are not used up. */
export async function signInAs(
  { deps }: { deps: Deps },
  { email, password }: { email: string; password: string },
): Promise<Cookie> {
  const { headers } = await deps.identity.auth.api.signInEmail({
    body: { email, password },
    returnHeaders: true,
  });
  return cookieOf(headers);
}

export type TestPerson = { userId: string; email: string; password: string };

/** An account that belongs to no organization. */
export async function createTestPerson({ deps }: { deps: Deps }): Promise<TestPerson> {
  const email = `${crypto.randomUUID()}@example.com`;
  const password = 'a long password';
  const userId = await createAccount(deps.identity.auth, { email, name: 'Test', password });
  return { userId, email, password };
}

/** A member of the organization with this role, signed in. */
export async function createTestMember(
  service: { deps: Deps },
  org: Pick<TestOrg, 'orgId'>,
  role: Role,
): Promise<TestPerson & Cookie> {
  const person = await createTestPerson(service);
  await service.deps.sql`
    INSERT INTO auth.member (id, "organizationId", "userId", role, "createdAt")
    VALUES (${crypto.randomUUID()}, ${org.orgId}, ${person.userId}, ${role}, now())`;
  return { ...person, ...(await signInAs(service, person)) };
}
