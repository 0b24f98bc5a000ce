import { taggedRoutes } from '../../http/route.ts';
import { deleteDemo, getDemo } from './demo.ts';
import { DeleteDemoQuery, DeletedDemo, Demo } from './model.ts';

export const demoRoutes = taggedRoutes('Organizations', '/v1/demo')
  .get('', ({ ctx }) => getDemo(ctx), {
    forOrganization: { permission: 'analytics:read' },
    response: { 200: Demo },
    detail: {
      operationId: 'getDemo',
      summary: 'Whether the organization is the demo',
      description: 'All figures of a demo are made up; its owner can remove it.',
    },
  })
  .delete('', ({ ctx, query }) => deleteDemo(ctx, query), {
    forMember: { roles: ['owner'], errors: ['confirmation_mismatch', 'not_found'] },
    query: DeleteDemoQuery,
    response: { 200: DeletedDemo },
    detail: {
      operationId: 'deleteDemo',
      summary: 'Remove the demo',
      description:
        'The organization that `bun run demo` made, everything in it, and the account that came with it, unless that is a member elsewhere; files and rows follow in the background. Refused for every other organization.',
    },
  });
