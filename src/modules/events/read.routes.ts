import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { access } from '../../http/route.ts';
import {
  EventSummary,
  Ingestion,
  IngestionQuery,
  RecentEvent,
  RecentQuery,
  SummaryQuery,
} from './read.model.ts';
import { readIngestion, recentEvents, summariseEvents } from './read.ts';

export const eventReadRoutes = new Elysia({
  prefix: '/v1/apps/:id/events',
  detail: { tags: ['Events'] },
})
  .use(access)
  .get('/summary', ({ ctx, query }) => summariseEvents(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: SummaryQuery,
    response: { 200: EventSummary },
    detail: { summary: 'Who sent what in the last days' },
  })
  .get('/recent', ({ ctx, query }) => recentEvents(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: RecentQuery,
    response: { 200: Type.Array(RecentEvent) },
    detail: { summary: 'The events received last, as they are stored; the last one first' },
  })
  .get('/ingestion', ({ ctx, query }) => readIngestion(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: IngestionQuery,
    response: { 200: Ingestion },
    detail: { summary: 'What became of the events sent, by hour, and why batches were rejected' },
  });
