import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { removed } from '../../http/acts.ts';
import { taggedRoutes } from '../../http/route.ts';
import { erasePerson } from './erase.ts';
import { exportPerson } from './export.ts';
import * as model from './model.ts';
import { describePeople, searchPeople } from './search.ts';

const FREE_TEXT = `Not searched: ${model.NOT_SEARCHED}.`;

const ANY_ID =
  'The id stands in the query, so any id means its person: `.` and `..` in a path are resolved on the way.';

/** Clients and proxies resolve dots in paths. */
const byIdRoutes = taggedRoutes('People', '/v1/apps/:id/person')
  .get('', ({ ctx, query: { personId, ...query } }) => exportPerson(ctx, { personId, query }), {
    forApp: { permission: 'analytics:read' },
    query: model.PersonByIdQuery,
    response: { 200: model.PersonExport },
    detail: {
      operationId: 'exportPersonById',
      summary: 'Everything that is stored about the person of an id',
      description: `As \`exportPerson\`. ${ANY_ID}`,
      'x-same-as': 'exportPerson',
    },
  })
  .delete('', async ({ ctx, query, status }) => status(204, await erasePerson(ctx, query)), {
    forApp: { permission: 'integration:manage' },
    query: model.ErasedByIdQuery,
    response: { 204: Type.Void() },
    detail: {
      operationId: 'erasePersonById',
      summary: 'Erase the person of an id: at once from every answer, then from every file',
      description: `As \`erasePerson\`; it cannot be undone. ${FREE_TEXT} ${ANY_ID}`,
      'x-same-as': 'erasePerson',
    },
  })
  .post('/facts', ({ ctx, body }) => describePeople(ctx, body), {
    forApp: { permission: 'analytics:read' },
    body: model.DescribeBody,
    response: { 200: model.DescribedPeople },
    detail: {
      operationId: 'describePeople',
      'x-asks': 'people',
      summary: 'Describe people by id: first and last seen, version, country, product, state',
      description:
        'By the ids that lists of people give; an id of nobody has nothing but nulls. As known, without asking a store.',
    },
  });

const byPathRoutes = taggedRoutes('People', '/v1/apps/:id/people')
  .get('', ({ ctx, query }) => searchPeople(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: model.SearchQuery,
    response: { 200: model.FoundPeople },
    detail: {
      operationId: 'searchPeople',
      summary: 'Find people by the beginning of an id',
      description:
        'By user id or anonymous id, in either environment. Who signed in is found by their devices, too.',
    },
  })
  .get(
    '/:personId',
    ({ ctx, params, query }) => exportPerson(ctx, { personId: params.personId, query }),
    {
      forApp: { permission: 'analytics:read' },
      params: model.PersonParams,
      query: model.PersonQuery,
      response: { 200: model.PersonExport },
      detail: {
        operationId: 'exportPerson',
        summary: 'Everything that is stored about a person',
        description:
          'By any of their ids, a page at a time until `nextCursor` is null: all that `erasePerson` with the same id would remove. First their events in order of receipt, then what else is stored: purchases, grants, arms shown by hand, log entries, deliveries. An id that nothing is known of is 404.',
      },
    },
  )
  .delete('/:personId', removed(erasePerson), {
    forApp: { permission: 'integration:manage' },
    params: model.PersonParams,
    response: { 204: Type.Void() },
    detail: {
      operationId: 'erasePerson',
      summary: 'Erase a person: at once from every answer, then from every file',
      description: `It cannot be undone: what comes for these ids later is dropped or refused. ${FREE_TEXT}`,
    },
  });

export const peopleRoutes = new Elysia().use(byPathRoutes).use(byIdRoutes);
