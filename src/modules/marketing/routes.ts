import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { appContext } from '../../http/state.ts';
import { connectPlatform } from './connect.ts';
import { getConnections } from './get-connections.ts';
import { getHistory } from './get-history.ts';
import { getPerformance } from './get-performance.ts';
import { listScheduled } from './list-scheduled.ts';
import {
  ConnectPage,
  Platform,
  PlatformPerformance,
  PublishHistory,
  ScheduledPost,
  SocialConnections,
} from './model.ts';
import { refreshConnections } from './refresh.ts';

export const marketingRoutes = new Elysia({
  prefix: '/v1/apps/:id/marketing',
  detail: { tags: ['Social marketing'] },
})
  .get('/connections', ({ request }) => getConnections(appContext(request)), {
    response: { 200: SocialConnections },
    detail: { summary: 'Read the social connections of an app as they were last seen' },
  })
  .post(
    '/connections/:platform/connect',
    ({ request, params }) => connectPlatform(appContext(request), params),
    {
      params: Type.Object({ id: Type.String(), platform: Platform }),
      response: { 200: ConnectPage },
      detail: { summary: 'Open a hosted page on which a platform is connected' },
    },
  )
  .post('/connections/refresh', ({ request }) => refreshConnections(appContext(request)), {
    response: { 200: SocialConnections },
    detail: { summary: 'Check the social connections against the provider' },
  })
  .get('/scheduled', ({ request }) => listScheduled(appContext(request)), {
    response: { 200: Type.Array(ScheduledPost) },
    detail: { summary: 'List the posts that wait to be published, soonest first' },
  })
  .get('/history', ({ request }) => getHistory(appContext(request)), {
    response: { 200: PublishHistory },
    detail: { summary: 'Read what was published, newest first' },
  })
  .get('/analytics', ({ request }) => getPerformance(appContext(request)), {
    response: { 200: Type.Array(PlatformPerformance) },
    detail: { summary: 'Read the performance of each connected platform' },
  });
