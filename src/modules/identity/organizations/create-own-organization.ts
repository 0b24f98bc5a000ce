import type { VisitorContext, WithCookies } from '../../../context.ts';
import { AppError } from '../../../shared/errors.ts';
import { authHeaders } from '../accounts/visitor.ts';
import { callAuth } from './auth-errors.ts';
import { createOrganization } from './create-organization.ts';
import type { Organization } from './model.ts';
import { countMemberships } from './queries.ts';

const MAX_ORGANIZATIONS = 50;

/**
 * Makes an organization, its caller the owner, and makes it the active one of this session.
 * Throws `slug_taken`, or `conflict` for somebody who is in 50 organizations.
 */
export async function createOwnOrganization(
  ctx: VisitorContext & { userId: string },
  { name, slug }: { name: string; slug?: string | undefined },
): Promise<WithCookies<Organization>> {
  const {
    sql,
    identity: { auth, authenticator },
  } = ctx.deps;
  if ((await countMemberships(sql, ctx.userId)) >= MAX_ORGANIZATIONS) {
    throw new AppError('conflict', `One person is in at most ${MAX_ORGANIZATIONS} organizations.`);
  }
  const value = await createOrganization(auth, { name, slug, ownerId: ctx.userId });
  const { headers } = await callAuth(() =>
    auth.api.setActiveOrganization({
      body: { organizationId: value.id },
      headers: authHeaders(ctx),
      returnHeaders: true,
    }),
  );
  authenticator.forgetUser(ctx.userId);
  return { value, cookies: headers.getSetCookie() };
}
