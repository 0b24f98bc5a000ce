import { Elysia } from 'elysia';
import { access } from '../../http/route.ts';
import { ingestBatch } from './ingest.ts';
import { BatchAccepted, EVENT_TIME_FORMAT, EventBatch } from './model.ts';

const EXAMPLE = {
  events: [
    {
      name: 'screen_viewed',
      ts: '2026-11-21T09:30:00.123Z',
      anonymousId: '0f8a1c52-7d0f-4d5e-9b1a-2f6c3f1f9a10',
      props: { screen: 'home' },
    },
  ],
  context: { platform: 'ios', appVersion: '1.4.0' },
};

/** The standard name of the format, for readers of the OpenAPI document. */
const publicFormat = (key: string, value: unknown): unknown =>
  key === 'format' && value === EVENT_TIME_FORMAT ? 'date-time' : value;

/** For the document only: the use-case validates the batch, for better messages. */
const requestBody = {
  required: true,
  content: {
    'application/json': {
      schema: JSON.parse(JSON.stringify(EventBatch, publicFormat)),
      example: EXAMPLE,
    },
  },
};

export const eventsRoutes = new Elysia({
  prefix: '/v1',
  detail: { tags: ['Events'] },
})
  .use(access)
  .post(
    '/events',
    async ({ ctx, body, status }) =>
      status(202, await ingestBatch(ctx, { body, rawBody: ctx.rawBody })),
    {
      forDevice: { limit: 'events', invalid: 'invalid_batch', countsRejections: true },
      response: { 202: BatchAccepted },
      detail: { summary: 'Send a batch of events of a shipped app', requestBody },
    },
  );
