import { taggedRoutes } from '../../../http/route.ts';
import * as model from './notices/model.ts';
import { listStoreNotices, noticeExists, resolveStoreNotice } from './notices/notices.ts';

export const noticeRoutes = taggedRoutes('Purchases', '/v1/apps/:id/purchases/notices')
  .get('', ({ ctx, query }) => listStoreNotices(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: model.StoreNoticesQuery,
    response: { 200: model.StoreNotices },
    detail: {
      operationId: 'listStoreNotices',
      summary: 'List consents taken back and external purchase tokens to report',
      description:
        'Notifications of the App Store that a person has to act on, newest first, with the people whose purchases the customer made.',
    },
  })
  .put('/:noticeId', ({ ctx, params, body }) => resolveStoreNotice(ctx, { ...params, ...body }), {
    forApp: { permission: 'app:update', owns: { noticeId: noticeExists } },
    body: model.StoreNoticeChange,
    response: { 200: model.StoreNotice },
    detail: {
      operationId: 'resolveStoreNotice',
      summary: 'Mark a notice of the store as dealt with, or as open again',
      description:
        'Insights show open notices of production until then. Nothing is sent to the store, and access does not change.',
    },
  });
