import { taggedRoutes } from '../../../http/route.ts';
import * as refunds from '../model/refunds.ts';
import { listRefundRequests } from './list.ts';
import { getRefundAnswers, patchRefundAnswers, setRefundPerson } from './settings.ts';

export const refundRoutes = taggedRoutes('Purchases', '/v1/apps/:id/purchases')
  .get('/refund-answers', ({ ctx }) => getRefundAnswers(ctx), {
    forApp: { permission: 'app:read' },
    response: { 200: refunds.RefundAnswers },
    detail: {
      operationId: 'getRefundAnswers',
      summary: 'How the refund requests of an app are answered',
      description:
        'Off until somebody says otherwise, and never without consent. Chargebacks of Google Play too.',
    },
  })
  .patch('/refund-answers', ({ ctx, body }) => patchRefundAnswers(ctx, body), {
    forApp: { permission: 'integration:manage' },
    body: refunds.RefundAnswersChange,
    response: { 200: refunds.RefundAnswers },
    detail: {
      operationId: 'updateRefundAnswers',
      summary: 'Change how refund requests are answered',
      description:
        'What is left out stays. Requests that were not answered for the settings before are looked at again while the store waits.',
    },
  })
  .put('/refund-answers/person', ({ ctx, body }) => setRefundPerson(ctx, body), {
    forApp: { permission: 'integration:manage', errors: ['conflict'] },
    body: refunds.RefundPersonBody,
    response: { 200: refunds.RefundAnswers },
    detail: {
      operationId: 'setRefundAnswersOfPerson',
      summary: 'Answer the refund requests of one person otherwise',
      description: 'What is left out, or null, is as for everybody; without either it ends.',
    },
  })
  .get('/refund-requests', ({ ctx, query }) => listRefundRequests(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: refunds.RefundRequestsQuery,
    response: { 200: refunds.RefundRequests },
    detail: {
      operationId: 'listRefundRequests',
      summary: 'What the store asked about refunds, how it was answered, and what it decided',
      description:
        'Newest first. A request is answered once, within twelve hours; a chargeback of Google Play within 24.',
    },
  });
