import { Type } from '@sinclair/typebox';
import { taggedRoutes } from '../../http/route.ts';
import * as readModel from './read.model.ts';
import { readIngestion, recentEvents, summariseEvents } from './read.ts';

export const eventReadRoutes = taggedRoutes('Events', '/v1/apps/:id/events')
  .get('/summary', ({ ctx, query }) => summariseEvents(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: readModel.SummaryQuery,
    response: { 200: readModel.EventSummary },
    detail: {
      operationId: 'getEventSummary',
      summary: 'Who sent what in the last days',
      description:
        'People are distinct: a person is counted once under each name, platform and version, so the parts do not add up to the total. A person who signs in is one with their anonymous id.',
    },
  })
  .get('/recent', ({ ctx, query }) => recentEvents(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: readModel.RecentQuery,
    response: { 200: Type.Array(readModel.RecentEvent) },
    detail: {
      operationId: 'listRecentEvents',
      summary: 'The events received last, as they are stored; the last one first',
      description:
        'For looking on while an app is instrumented. Names and properties are data that clients sent.',
    },
  })
  .get('/ingestion', ({ ctx, query }) => readIngestion(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: readModel.IngestionQuery,
    response: { 200: readModel.Ingestion },
    detail: {
      operationId: 'getIngestion',
      summary: 'What became of the events sent, by hour, and why batches were rejected',
      description:
        'Events accepted and dropped by hour of receipt, and each reason for a rejected batch with an example of what was sent.',
    },
  });
