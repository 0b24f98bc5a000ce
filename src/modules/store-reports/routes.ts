import { taggedRoutes } from '../../http/route.ts';
import * as model from './model.ts';
import { getStoreReports } from './read.ts';
import { requestStoreReports } from './request.ts';

export const storeReportsRoutes = taggedRoutes('Store', '/v1/apps/:id/store-reports')
  .get('', ({ ctx, query }) => getStoreReports(ctx, query), {
    forApp: { permission: 'analytics:read' },
    query: model.StoreReportsQuery,
    response: { 200: model.StoreReports },
    detail: {
      operationId: 'getStoreReports',
      summary: 'The store’s analytics reports of the linked store app, and its funnel',
      description:
        'Engagement, downloads by source, installs and deletions, sessions, crashes, subscription states and events; of each day the rows of the newest file. Days are the store’s, 30 without a window. Downloads and trials stand beside those of the sales reports, which money and all other figures are of.',
    },
  })
  .post(
    '/requests',
    async ({ ctx, body, status }) => status(201, await requestStoreReports(ctx, body.access)),
    {
      forApp: {
        permission: 'integration:manage',
        errors: [
          'store_app_not_found',
          'store_credentials_rejected',
          'store_role_missing',
          'store_agreement_required',
          'store_rate_limited',
          'store_unavailable',
          'secret_storage_unavailable',
        ],
      },
      body: model.NewStoreReportRequest,
      response: { 201: model.StoreReportRequest },
      detail: {
        operationId: 'requestStoreReports',
        summary: 'Request the store’s analytics reports, which changes its account',
        description:
          'ONGOING makes files daily from then on, ONE_TIME_SNAPSHOT once of the past. Needs a key with the role Admin. A request that is there already is taken; one that the store stopped is deleted and made anew. First files come after one or two days.',
      },
    },
  );
