import { type AnyElysia, Elysia } from 'elysia';
import type { Deps } from '../context.ts';
import { accessTable } from '../http/access.ts';
import { clientRoutes } from '../http/clients.ts';
import { consoleRoutes } from '../http/console.ts';
import { docsRoutes } from '../http/docs.ts';
import { mcpRoutes } from '../http/mcp.ts';
import { withPlainSlashes } from '../http/host.ts';
import { openApiDocument } from '../http/openapi.ts';
import { pipeline } from '../http/pipeline.ts';
import { appSettingsRoutes } from '../modules/app-settings/routes.ts';
import { selectApp } from '../modules/apps/index.ts';
import { appsRoutes } from '../modules/apps/routes.ts';
import { auditRoutes } from '../modules/audit/routes.ts';
import { backendRoutes } from '../modules/backend/routes.ts';
import { demoRoutes } from '../modules/demo/routes.ts';
import { amplitudeIntakeRoutes } from '../modules/events/intake/amplitude.routes.ts';
import { OTHER_CLIENTS } from '../modules/events/intake/protocols.ts';
import { posthogIntakeRoutes } from '../modules/events/intake/posthog.routes.ts';
import { segmentIntakeRoutes } from '../modules/events/intake/segment.routes.ts';
import { posthogFlagRoutes } from '../modules/flags/posthog.routes.ts';
import { eventReadRoutes } from '../modules/events/read.routes.ts';
import { eventsRoutes } from '../modules/events/routes.ts';
import { onboardingsRoutes } from '../modules/experiments/onboardings/routes.ts';
import { experimentsRoutes } from '../modules/experiments/routes.ts';
import { ofrepRoutes } from '../modules/flags/ofrep.routes.ts';
import { flagsRoutes } from '../modules/flags/routes.ts';
import { funnelsRoutes } from '../modules/funnels/routes.ts';
import { accountErasureRoutes } from '../modules/identity/account-erasure/routes.ts';
import { accountsRoutes } from '../modules/identity/accounts/routes.ts';
import { membersRoutes } from '../modules/identity/members/routes.ts';
import { organizationDeletionRoutes } from '../modules/identity/organization-deletion/routes.ts';
import { companyRoutes } from '../modules/identity/company/routes.ts';
import { organizationKeysRoutes } from '../modules/identity/organization-keys/routes.ts';
import { organizationsRoutes } from '../modules/identity/organizations/routes.ts';
import { secondFactorRoutes } from '../modules/identity/second-factor/routes.ts';
import { insightsRoutes } from '../modules/insights/routes.ts';
import { keysRoutes } from '../modules/keys/routes.ts';
import { lakeRoutes } from '../modules/lake/routes.ts';
import { otlpLogRoutes } from '../modules/logs/otlp/routes.ts';
import { logsRoutes } from '../modules/logs/routes.ts';
import { marketingRoutes } from '../modules/marketing/routes.ts';
import { marksRoutes } from '../modules/marks/routes.ts';
import { messagesRoutes } from '../modules/messages/routes.ts';
import { offeringsRoutes } from '../modules/offerings/routes.ts';
import { onboardingRoutes } from '../modules/onboarding/routes.ts';
import { peopleRoutes } from '../modules/people/routes.ts';
import { previewRoutes } from '../modules/preview/routes.ts';
import { purchasesRoutes } from '../modules/purchases/routes.ts';
import { eventReportRoutes } from '../modules/questions/events.routes.ts';
import { funnelReportRoutes } from '../modules/questions/funnel/routes.ts';
import { questionsRoutes } from '../modules/questions/routes.ts';
import { savedQuestionsRoutes } from '../modules/questions/saved/routes.ts';
import { reviewsRoutes } from '../modules/reviews/routes.ts';
import { analyticsRoutes } from '../modules/sales/analytics/routes.ts';
import { storeRoutes } from '../modules/sales/collection/routes.ts';
import { googlePlayRoutes } from '../modules/sales/google-play/routes.ts';
import { currencyRoutes } from '../modules/sales/currency/routes.ts';
import { storeSubscriptionsRoutes } from '../modules/sales/subscriptions/routes.ts';
import { storeWebhookRoutes } from '../modules/sales/webhook/routes.ts';
import { segmentsRoutes } from '../modules/segments/routes.ts';
import { savedSqlRoutes } from '../modules/sql/saved-routes.ts';
import { sqlRoutes } from '../modules/sql/routes.ts';
import { storeReportsRoutes } from '../modules/store-reports/routes.ts';
import type { Readiness } from '../modules/system/index.ts';
import { systemRoutes } from '../modules/system/routes.ts';
import { watchesRoutes } from '../modules/watches/routes.ts';
import { webhooksRoutes } from '../modules/webhooks/routes.ts';
import { examineRunning } from './doctor/examine.ts';

/** Drops route types, too many for the compiler to combine. */
function chapters(readiness: Readiness): AnyElysia {
  return new Elysia()
    .use(systemRoutes(readiness, examineRunning))
    .use(accountsRoutes)
    .use(accountErasureRoutes)
    .use(secondFactorRoutes)
    .use(organizationsRoutes)
    .use(companyRoutes)
    .use(membersRoutes)
    .use(organizationKeysRoutes)
    .use(organizationDeletionRoutes)
    .use(auditRoutes)
    .use(demoRoutes)
    .use(appsRoutes)
    .use(appSettingsRoutes)
    .use(keysRoutes)
    .use(backendRoutes)
    .use(marketingRoutes)
    .use(previewRoutes)
    .use(logsRoutes)
    .use(onboardingRoutes)
    .use(eventsRoutes)
    .use(peopleRoutes)
    .use(eventReadRoutes)
    .use(eventReportRoutes)
    .use(sqlRoutes)
    .use(savedSqlRoutes)
    .use(marksRoutes)
    .use(segmentsRoutes)
    .use(onboardingsRoutes)
    .use(experimentsRoutes)
    .use(flagsRoutes)
    .use(ofrepRoutes)
    .use(webhooksRoutes)
    .use(messagesRoutes)
    .use(insightsRoutes)
    .use(funnelsRoutes)
    .use(funnelReportRoutes)
    .use(questionsRoutes)
    .use(savedQuestionsRoutes)
    .use(watchesRoutes)
    .use(offeringsRoutes)
    .use(purchasesRoutes)
    .use(storeRoutes)
    .use(googlePlayRoutes)
    .use(storeSubscriptionsRoutes)
    .use(storeWebhookRoutes)
    .use(reviewsRoutes)
    .use(storeReportsRoutes)
    .use(currencyRoutes)
    .use(analyticsRoutes)
    .use(lakeRoutes);
}

type Answer = (request: Request) => Promise<Response>;
const notServed: Answer = () =>
  Promise.reject(new Error('These routes are looked at, not served.'));

/** `answer`: the pipeline, for routes that call others. */
export function registeredRoutes(
  readiness: Readiness,
  { answer = notServed, console = true }: { answer?: Answer; console?: boolean } = {},
) {
  const routes = chapters(readiness);
  let made: ReturnType<typeof openApiDocument> | undefined;
  const document = () => (made ??= openApiDocument(routes));
  const all = routes.use(clientRoutes()).use(docsRoutes(document)).use(mcpRoutes(document, answer));
  return all.use(consoleRoutes(console));
}

/** Protocols of other products' clients, on a listener of its own. */
export function createIntake(deps: Deps, { isHeld }: Pick<Readiness, 'isHeld'>): AnyElysia {
  const routes = new Elysia()
    .use(segmentIntakeRoutes)
    .use(posthogIntakeRoutes)
    .use(posthogFlagRoutes)
    .use(amplitudeIntakeRoutes)
    .use(otlpLogRoutes);
  return new Elysia({ normalize: false, handler: { standardHostname: false } })
    .wrap((answer) => (request: Request) => answer(withPlainSlashes(request)))
    .use(pipeline({ deps, findApp: selectApp, isHeld }, accessTable(routes), OTHER_CLIENTS))
    .use(routes);
}

export function createApp(deps: Deps, readiness: Readiness) {
  const { isHeld } = readiness;
  const answer: Answer = (request) => app.handle(request);
  const routes = registeredRoutes(readiness, { answer, console: deps.config.console });
  // `normalize` would turn strings into objects, `standardHostname` break `http://api/v1/apps`.
  const app = new Elysia({ normalize: false, handler: { standardHostname: false } })
    .use(pipeline({ deps, findApp: selectApp, isHeld }, accessTable(routes)))
    .use(routes);
  return app;
}
