import { Elysia } from 'elysia';
import { memberContext } from '../../../http/people.ts';
import { deleteOrganization } from './delete-organization.ts';
import { DeletedOrganization, DeleteOrganizationQuery } from './model.ts';

export const organizationDeletionRoutes = new Elysia({
  prefix: '/v1/organization',
  detail: { tags: ['Organizations'] },
}).delete(
  '',
  ({ request, query }) => {
    const ctx = memberContext(request);
    return deleteOrganization(ctx, {
      orgId: ctx.orgId,
      confirm: query.confirm,
      requestedBy: ctx.userId,
    });
  },
  {
    query: DeleteOrganizationQuery,
    response: { 200: DeletedOrganization },
    detail: { summary: 'Delete the active organization and everything that it owns' },
  },
);
