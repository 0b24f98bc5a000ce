import { Type } from '@sinclair/typebox';
import { taggedRoutes } from '../../http/route.ts';
import * as port from '../../providers/publisher/port.ts';
import {
  connectPlatform,
  refreshConnections,
  getConnections,
  getHistory,
  getPerformance,
  listScheduled,
} from './connect.ts';
import { ConnectPage, Platform, SocialConnections } from './model.ts';

const PROVIDER_ERRORS = ['provider_rejected', 'provider_not_configured'] as const;

export const marketingRoutes = taggedRoutes('Social marketing', '/v1/apps/:id/marketing')
  .get('/connections', ({ ctx }) => getConnections(ctx), {
    forApp: { who: ['session'] },
    response: { 200: SocialConnections },
    detail: {
      operationId: 'getSocialConnections',
      summary: 'Read the social connections of an app as they were last seen',
      description: '`lastCheckedAt` says when; refresh asks the provider.',
    },
  })
  .post('/connections/:platform/connect', ({ ctx, params }) => connectPlatform(ctx, params), {
    forApp: {
      who: ['session'],
      permission: 'app:update',
      errors: ['invalid_input', ...PROVIDER_ERRORS],
    },
    params: Type.Object({ id: Type.String(), platform: Platform }),
    response: { 200: ConnectPage },
    detail: {
      operationId: 'connectSocialPlatform',
      summary: 'Open a hosted page on which a platform is connected',
      description: 'The address is for one use; afterwards refresh the connections.',
    },
  })
  .post('/connections/refresh', ({ ctx }) => refreshConnections(ctx), {
    forApp: {
      who: ['session'],
      permission: 'app:update',
      errors: PROVIDER_ERRORS,
    },
    response: { 200: SocialConnections },
    detail: {
      operationId: 'refreshSocialConnections',
      summary: 'Check the social connections against the provider',
      description: 'Answers with what the provider says now.',
    },
  })
  .get('/scheduled', ({ ctx }) => listScheduled(ctx), {
    forApp: { who: ['session'], errors: PROVIDER_ERRORS },
    response: { 200: Type.Array(port.ScheduledPost) },
    detail: {
      operationId: 'listScheduledPosts',
      summary: 'List the posts that wait to be published, soonest first',
      description: 'As the publishing provider has them now.',
    },
  })
  .get('/history', ({ ctx }) => getHistory(ctx), {
    forApp: { who: ['session'], errors: PROVIDER_ERRORS },
    response: { 200: port.PublishHistory },
    detail: {
      operationId: 'getPublishHistory',
      summary: 'Read what was published, newest first',
      description: 'The newest 100; `total` counts all.',
    },
  })
  .get('/analytics', ({ ctx }) => getPerformance(ctx), {
    forApp: { who: ['session'], errors: PROVIDER_ERRORS },
    response: { 200: Type.Array(port.PlatformPerformance) },
    detail: {
      operationId: 'getSocialPerformance',
      summary: 'Read the performance of each connected platform',
      description:
        'One entry for each connected platform. A figure that the provider does not give is null, never 0.',
    },
  });
