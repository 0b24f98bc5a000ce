import { Type } from '@sinclair/typebox';
import { taggedRoutes } from '../../http/route.ts';
import { created, removed } from '../../http/acts.ts';
import { queryExists, VIEW_LIST } from './index.ts';
import { deleteQuery, editQuery, listQueries, saveQuery } from './saved.ts';
import { NewSqlQuery, SqlQuery, SqlQueryChange, SqlView } from './saved.model.ts';

const permission = 'sql:ask';
const ONE = { permission, owns: { queryId: queryExists } } as const;

export const savedSqlRoutes = taggedRoutes('SQL', '/v1/sql')
  .get('/views', () => VIEW_LIST.map((view) => ({ ...view, columns: [...view.columns] })), {
    forOrganization: { permission },
    response: { 200: Type.Array(SqlView) },
    detail: {
      operationId: 'listSqlViews',
      summary: 'List the views that SQL can ask, with their columns',
      description: 'The data dictionary: name, type and meaning of each column.',
    },
  })
  .get('/queries', ({ ctx }) => listQueries(ctx), {
    forOrganization: { permission },
    response: { 200: Type.Array(SqlQuery) },
    detail: {
      operationId: 'listSqlQueries',
      summary: 'List the saved SQL queries of the organization, by name',
      description: 'Each with its text and its parameters, as `askSql` takes them.',
    },
  })
  .post('/queries', created(saveQuery), {
    forOrganization: { permission, errors: ['conflict'] },
    body: NewSqlQuery,
    response: { 201: SqlQuery },
    detail: {
      operationId: 'saveSqlQuery',
      summary: 'Save SQL under a name',
      description:
        'The text is not asked and not checked. A name that another query has is 409, as is the 201st.',
    },
  })
  .put(
    '/queries/:queryId',
    ({ ctx, params, body }) => editQuery(ctx, { queryId: params.queryId, change: body }),
    {
      forOrganization: { ...ONE, errors: ['conflict'] },
      body: SqlQueryChange,
      response: { 200: SqlQuery },
      detail: {
        operationId: 'updateSqlQuery',
        summary: 'Edit a saved SQL query: its name, its text or its parameters',
        description: 'What is left out stays.',
      },
    },
  )
  .delete('/queries/:queryId', removed(deleteQuery), {
    forOrganization: ONE,
    response: { 204: Type.Void() },
    detail: {
      operationId: 'deleteSqlQuery',
      summary: 'Delete a saved SQL query',
      description: 'Nothing else uses it.',
    },
  });
