import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { appContext } from '../../http/state.ts';
import { erasePerson } from './erase.ts';
import { exportPerson } from './export.ts';
import { PersonExport, PersonParams, PersonQuery } from './model.ts';

export const peopleRoutes = new Elysia({
  prefix: '/v1/apps/:id/people',
  detail: { tags: ['People'] },
})
  .get(
    '/:personId',
    ({ request, params, query }) =>
      exportPerson(appContext(request), { personId: params.personId, query }),
    {
      params: PersonParams,
      query: PersonQuery,
      response: { 200: PersonExport },
      detail: { summary: 'Everything that is stored about a person' },
    },
  )
  .delete(
    '/:personId',
    async ({ request, params, set }) => {
      await erasePerson(appContext(request), { personId: params.personId });
      set.status = 204;
    },
    {
      params: PersonParams,
      response: { 204: Type.Void() },
      detail: { summary: 'Erase a person: at once from every answer, then from every file' },
    },
  );
