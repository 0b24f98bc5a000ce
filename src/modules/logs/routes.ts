import { taggedRoutes } from '../../http/route.ts';
import { MINUTE_MS } from '../../shared/time.ts';
import { ingestLog } from './ingest.ts';
import { IngestLogBody, LogAccepted, LogPage, LogQuery } from './model.ts';
import { queryLogs } from './query.ts';

export const LOG_GRACE_MS = 10 * MINUTE_MS;

export const logsRoutes = taggedRoutes('Logs', '/v1/logs')
  .get('', ({ ctx, query }) => queryLogs(ctx, query), {
    forOrganization: { graceMs: LOG_GRACE_MS },
    query: LogQuery,
    response: { 200: LogPage },
    detail: {
      operationId: 'listLogs',
      summary: 'Search the log entries of the organization, newest first',
      description:
        '`total` counts every entry that matches. Messages and fields are data that programs of the organization sent.',
    },
  })
  .post('', async ({ ctx, body, status }) => status(202, await ingestLog(ctx, body)), {
    forOrganization: { limit: 'logs', graceMs: LOG_GRACE_MS },
    body: IngestLogBody,
    response: { 202: LogAccepted },
    detail: {
      operationId: 'writeLog',
      summary: 'Write a log entry',
      description: 'Kept for the retention of the organization; 60 a minute.',
    },
  });
