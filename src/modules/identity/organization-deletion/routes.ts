import { taggedRoutes } from '../../../http/route.ts';
import { deleteOrganization } from './delete-organization.ts';
import { DeletedOrganization, DeleteOrganizationQuery } from './model.ts';

export const organizationDeletionRoutes = taggedRoutes('Organizations', '/v1/organization').delete(
  '',
  ({ ctx, query }) =>
    deleteOrganization(ctx, {
      orgId: ctx.orgId,
      confirm: query.confirm,
      requestedBy: ctx.userId,
    }),
  {
    forMember: { roles: ['owner'], errors: ['confirmation_mismatch', 'not_found'] },
    query: DeleteOrganizationQuery,
    response: { 200: DeletedOrganization },
    detail: {
      operationId: 'deleteOrganization',
      summary: 'Delete the active organization and everything that it owns',
      description:
        'At once nobody is a member, no key counts and its apps are gone from every answer; files and rows follow in the background. It cannot be undone.',
    },
  },
);
