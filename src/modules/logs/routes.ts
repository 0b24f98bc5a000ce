import { Elysia } from 'elysia';
import { orgContext } from '../../http/state.ts';
import { ingestLog } from './ingest.ts';
import { IngestLogBody, LogAccepted, LogPage, LogQuery } from './model.ts';
import { queryLogs } from './query.ts';

export const logsRoutes = new Elysia({ prefix: '/v1/logs', detail: { tags: ['Logs'] } })
  .get('', ({ request, query }) => queryLogs(orgContext(request), query), {
    query: LogQuery,
    response: { 200: LogPage },
    detail: { summary: 'Search the log entries of the organization, newest first' },
  })
  .post(
    '',
    async ({ request, body, status }) => status(202, await ingestLog(orgContext(request), body)),
    {
      body: IngestLogBody,
      response: { 202: LogAccepted },
      detail: { summary: 'Write a log entry' },
    },
  );
