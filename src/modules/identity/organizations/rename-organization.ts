import type { MemberContext } from '../../../context.ts';
import { AppError, invalidInput } from '../../../shared/errors.ts';
import { toIso } from '../../../shared/time.ts';
import { authHeaders } from '../accounts/visitor.ts';
import { callAuth } from './auth-errors.ts';
import type { Organization } from './model.ts';

/** Changes the name or the slug of the active organization. Throws `slug_taken`. */
export async function renameOrganization(
  ctx: MemberContext,
  data: { name?: string | undefined; slug?: string | undefined },
): Promise<Organization> {
  const { name, slug } = data;
  if (name === undefined && slug === undefined) throw invalidInput('name', 'or slug is needed');
  const made = await callAuth(() =>
    ctx.deps.identity.auth.api.updateOrganization({
      body: {
        organizationId: ctx.orgId,
        data: { ...(name !== undefined && { name }), ...(slug !== undefined && { slug }) },
      },
      headers: authHeaders(ctx),
    }),
  );
  if (!made) throw new AppError('internal', 'The organization was not changed.');
  return { id: made.id, name: made.name, slug: made.slug, createdAt: toIso(made.createdAt) };
}
