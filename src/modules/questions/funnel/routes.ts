import { answerIn, jsonOrCsv } from '../../../http/csv.ts';
import { taggedRoutes } from '../../../http/route.ts';
import { funnelExists } from '../../funnels/index.ts';
import { FunnelReport, PeoplePage } from './answer.model.ts';
import { stepsCsv } from './csv.ts';
import { listFunnelPeople } from './people.ts';
import { PeopleQuery, ReportQuery } from './question.ts';
import { readFunnelReport } from './report.ts';

export const funnelReportRoutes = taggedRoutes('Funnels', '/v1/apps/:id/funnels')
  .get(
    '/:funnelId/report',
    async ({ ctx, request, params, query, set }) => {
      const report = await readFunnelReport(ctx, { funnelId: params.funnelId, query });
      return answerIn({ request, set }, { json: () => report, csv: () => stepsCsv(report) });
    },
    {
      forApp: { permission: 'analytics:read', owns: { funnelId: funnelExists } },
      query: ReportQuery,
      detail: {
        operationId: 'getFunnelReport',
        summary: 'How many people came how far; with Accept: text/csv the steps as CSV',
        description:
          'People who did step 1 in the window and the steps after it in order, each within the conversion window from step 1. With fewer than fifty people in step 1 no figure is drawn; `people` still says how many there were. Intervals are Wilson’s, 95 %.',
        responses: { 200: { description: 'The report.', content: jsonOrCsv(FunnelReport) } },
      },
    },
  )
  .get(
    '/:funnelId/people',
    ({ ctx, params, query }) => listFunnelPeople(ctx, { funnelId: params.funnelId, query }),
    {
      forApp: {
        permission: 'analytics:read',
        owns: { funnelId: funnelExists },
        errors: ['conflict'],
      },
      query: PeopleQuery,
      response: { 200: PeoplePage },
      detail: {
        operationId: 'listFunnelPeople',
        summary: 'The persons behind one figure of a funnel',
        description:
          'Those who reached a step, or were lost before it. Refused (409) while the report draws no figure.',
      },
    },
  );
