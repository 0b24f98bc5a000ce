import { plainSchema } from '../../http/csv.ts';
import { taggedRoutes } from '../../http/route.ts';
import { ingestBatch } from './ingest.ts';
import { BatchAccepted, EventBatch } from './model.ts';

export const eventsRoutes = taggedRoutes('Events', '/v1').post(
  '/events',
  async ({ ctx, body, status }) =>
    status(202, await ingestBatch(ctx, { body, rawBody: ctx.rawBody, address: ctx.address })),
  {
    forDevice: { limit: 'events', invalid: 'invalid_batch', countsRejections: true },
    response: { 202: BatchAccepted },
    detail: {
      operationId: 'sendEvents',
      summary: 'Send a batch of events of a shipped app',
      description:
        '1 to 100 events; durable once answered 202. An event with an `id` counts once, however often it is sent.',
      // Validated by the use-case, for better messages.
      requestBody: {
        required: true,
        content: { 'application/json': { schema: plainSchema(EventBatch) } },
      },
    },
  },
);
