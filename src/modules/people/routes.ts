import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { access } from '../../http/route.ts';
import { erasePerson } from './erase.ts';
import { exportPerson } from './export.ts';
import { PersonExport, PersonParams, PersonQuery } from './model.ts';

export const peopleRoutes = new Elysia({
  prefix: '/v1/apps/:id/people',
  detail: { tags: ['People'] },
})
  .use(access)
  .get(
    '/:personId',
    ({ ctx, params, query }) => exportPerson(ctx, { personId: params.personId, query }),
    {
      forApp: { permission: 'analytics:read' },
      params: PersonParams,
      query: PersonQuery,
      response: { 200: PersonExport },
      detail: {
        operationId: 'exportPerson',
        summary: 'Everything that is stored about a person',
        description:
          'By user id or anonymous id: their ids and events in order of receipt, a page at a time.',
      },
    },
  )
  .delete(
    '/:personId',
    async ({ ctx, params, set }) => {
      await erasePerson(ctx, { personId: params.personId });
      set.status = 204;
    },
    {
      forApp: { permission: 'integration:manage' },
      params: PersonParams,
      response: { 204: Type.Void() },
      detail: {
        operationId: 'erasePerson',
        summary: 'Erase a person: at once from every answer, then from every file',
        description: 'It cannot be undone: events that come for these ids later are erased too.',
      },
    },
  );
