import type { OwnershipCheck } from '../../../src/http/access.ts';
import { CONSOLE_ADDRESSES } from '../../../src/http/console.ts';
import { experimentExists, onboardingExists } from '../../../src/modules/experiments/index.ts';
import { flagExists } from '../../../src/modules/flags/index.ts';
import { funnelExists } from '../../../src/modules/funnels/index.ts';
import { ONBOARDING_FUNNEL } from '../../../src/modules/funnels/model.ts';
import { funnelRows } from '../../../src/modules/funnels/queries.ts';
import { organizationKeyExists } from '../../../src/modules/identity/index.ts';
import { publishableKeyExists } from '../../../src/modules/keys/index.ts';
import { noteExists } from '../../../src/modules/marks/index.ts';
import { destinationExists } from '../../../src/modules/messages/index.ts';
import { grantExists, importExists, noticeExists } from '../../../src/modules/purchases/index.ts';
import { questionExists } from '../../../src/modules/questions/index.ts';
import { segmentExists } from '../../../src/modules/segments/index.ts';
import { queryExists } from '../../../src/modules/sql/index.ts';
import { watchExists } from '../../../src/modules/watches/index.ts';
import { deliveryExists, webhookExists } from '../../../src/modules/webhooks/index.ts';
import { newId } from '../../../src/shared/ids.ts';
import type { Stage } from './principals.ts';

/** What a caller who may pass sends, and the exact status that this must be answered with. */
export type Probe = { query?: string; body?: unknown; expect: number };

/**
 * Without an entry: a route that takes a body gets one that cannot fit (400); any other must give
 * its first declared success. Entries are for the rest: routes whose success needs an outside
 * system, a required query, or would change what later requests need.
 */
export const PROBES: Readonly<Record<string, Probe>> = {
  // Shown on loopback only, and requests of this test come from no address at all.
  'GET /metrics': { expect: 404 },
  'GET /doctor': { expect: 404 },
  // There is no lake, and no token of it.
  ...Object.fromEntries(
    ['config', 'namespaces', 'namespaces/:namespace', 'namespaces/:namespace/tables'].map(
      (path) => [`GET /v1/lake/v1/${path}`, { expect: 404 }],
    ),
  ),
  'GET /v1/lake/v1/namespaces/:namespace/tables/:table': { expect: 404 },
  'GET /docs/:asset': { expect: 404 },
  // Google Play is not connected.
  'POST /v1/apps/:id/purchases/play-store/check': { expect: 404 },
  'POST /v1/store/google-play/read': { expect: 404 },
  'GET /console/:asset': { expect: 404 },
  'GET /clients/:file': { expect: 404 },
  'GET /clients/maven/*': { expect: 404 },
  'GET /help/*': { expect: 404 },
  // Without `Accept: text/html` they are no routes.
  ...Object.fromEntries(CONSOLE_ADDRESSES.map((path) => [`GET ${path}`, { expect: 404 }])),
  // What it speaks is not JSON of the contract; without the media types of its protocol it says so.
  'POST /v1/mcp': { expect: 415 },
  'POST /v1/auth/sign-out': { expect: 200 },
  'POST /v1/auth/revoke-other-sessions': { expect: 200 },
  'GET /v1/auth/organization/get-invitation': { query: '?id=nothing', expect: 404 },
  // A draft has no report.
  'GET /v1/apps/:id/experiments/:experimentId/report': { expect: 409 },
  'GET /v1/apps/:id/experiments/:experimentId/sizes': { query: '?days=0', expect: 400 },
  'DELETE /v1/apps/:id/experiments/:experimentId/overrides': {
    query: '?anonymousId=probe-0001',
    expect: 404,
  },
  // Led back to the console, or no logout token.
  'GET /v1/auth/oidc/start': { query: '?organization=nobody-here', expect: 303 },
  'GET /v1/auth/oidc/callback/:organizationId': { expect: 303 },
  'DELETE /v1/auth/organization/provider': { expect: 404 },
  'GET /v1/digests/off': { query: '?org=nothing&token=nothing', expect: 404 },
  'POST /v1/digests/off': { query: '?org=nothing&token=nothing', expect: 404 },
  'GET /v1/experiments': { query: '?anonymousId=probe-0001', expect: 200 },
  'GET /v1/purchases/entitlement': { query: '?userId=probe', expect: 200 },
  'GET /v1/purchases/offerings': { expect: 200 },
  'GET /v1/apps/:id/purchases/entitlement': { query: '?userId=probe', expect: 200 },
  'GET /v1/apps/:id/purchases/customers/:customerId': { expect: 404 },
  'POST /v1/apps/:id/purchases/customers/:customerId/refresh': { expect: 404 },
  // These ask a query process; a query that cannot fit shows as well that the caller got through.
  'GET /v1/apps/:id/purchases/cohorts': { query: '?by=none', expect: 400 },
  'GET /v1/apps/:id/events/summary': { query: '?days=0', expect: 400 },
  'GET /v1/apps/:id/events/retention': { query: '?days=0', expect: 400 },
  'GET /v1/apps/:id/events/lifecycle': { query: '?days=0', expect: 400 },
  'GET /v1/apps/:id/events/lifecycle/people': { query: '?limit=0', expect: 400 },
  'GET /v1/apps/:id/events/paths': { query: '?name=opened&days=0', expect: 400 },
  'GET /v1/apps/:id/events/series/people': { query: '?limit=0', expect: 400 },
  'GET /v1/apps/:id/events/retention/people': { query: '?limit=0', expect: 400 },
  'GET /v1/apps/:id/events/properties': { query: '?days=0', expect: 400 },
  'GET /v1/apps/:id/marks': { query: '?days=0', expect: 400 },
  // The question of the probe contradicts itself.
  'GET /v1/apps/:id/questions/:questionId/answer': { expect: 400 },
  'GET /v1/apps/:id/segments/:segmentId/count': { query: '?environment=none', expect: 400 },
  'GET /v1/apps/:id/segments/:segmentId/people': { query: '?limit=0', expect: 400 },
  'GET /v1/apps/:id/events/series': { query: '?days=0', expect: 400 },
  'GET /v1/apps/:id/insights': { query: '?days=0', expect: 400 },
  'GET /v1/apps/:id/events/recent': { query: '?limit=0', expect: 400 },
  'GET /v1/apps/:id/funnels/:funnelId/report': { query: '?days=0', expect: 400 },
  'GET /v1/apps/:id/people': { query: '?search=', expect: 400 },
  'GET /v1/apps/:id/people/:personId': { query: '?limit=0', expect: 400 },
  'GET /v1/apps/:id/person': { query: '?personId=probe&limit=0', expect: 400 },
  'DELETE /v1/apps/:id/person': { query: '?personId=probe-erased', expect: 204 },
  'GET /v1/apps/:id/purchases/customer': { query: '?customerId=nobody', expect: 404 },
  'GET /v1/apps/:id/funnels/:funnelId/people': { query: '?step=0', expect: 400 },
  // The path's platform is "nothing"; the others need a provider, and none is configured.
  'POST /v1/apps/:id/marketing/connections/:platform/connect': { expect: 400 },
  'POST /v1/apps/:id/marketing/connections/refresh': { expect: 503 },
  'GET /v1/apps/:id/marketing/scheduled': { expect: 503 },
  'GET /v1/apps/:id/marketing/history': { expect: 503 },
  'GET /v1/apps/:id/marketing/analytics': { expect: 503 },
  // Nothing is connected, and no cron secret is configured.
  'POST /v1/store/apps/refresh': { expect: 404 },
  'POST /v1/apps/:id/store-reports/requests': { body: { access: 'ONGOING' }, expect: 404 },
  'POST /v1/apps/:id/store-webhook': { expect: 404 },
  'POST /internal/analytics/sync-all': { expect: 404 },
  'DELETE /v1/demo': { query: '?confirm=no-such-slug', expect: 404 },
  'DELETE /v1/organization': { query: '?confirm=no-such-slug', expect: 400 },
  'DELETE /v1/apps/:id': { query: '?confirm=no-such-slug', expect: 400 },
};

type Maker = (stage: Stage) => Promise<string>;

const dealtOnboardings = new Map<string, string>();
const makeOnboarding: Maker = async ({ service, own }) => {
  const path = `/v1/apps/${own.app.appId}/onboardings`;
  const body = { name: 'probe', config: {} };
  return (await service.call(path, { headers: own.key, body })).body.id;
};

const MAKERS = new Map<OwnershipCheck, Maker>([
  [
    destinationExists,
    async ({ service, own }) => {
      await service.deps.sql`DELETE FROM digest_destinations WHERE org_id = ${own.orgId}`;
      const body = { kind: 'json', name: 'probe', target: 'https://example.invalid/digest' };
      return (await service.call('/v1/digests/destinations', { headers: own.key, body })).body.id;
    },
  ],
  [
    queryExists,
    async ({ service, own }) => {
      await service.deps.sql`DELETE FROM sql_queries WHERE org_id = ${own.orgId}`;
      const body = { name: 'probe', sql: 'SELECT 1' };
      return (await service.call('/v1/sql/queries', { headers: own.key, body })).body.id;
    },
  ],
  [
    publishableKeyExists,
    async ({ service, own }) => {
      const path = `/v1/apps/${own.app.appId}/keys`;
      return (await service.call(path, { method: 'POST', headers: own.key, body: {} })).body.key.id;
    },
  ],
  [
    webhookExists,
    async ({ service, own }) => {
      const url = 'https://example.com/hooks';
      await service.deps.sql`DELETE FROM webhooks WHERE org_id = ${own.orgId}`;
      const body = { url, events: ['app.created'] };
      return (await service.call('/v1/webhooks', { headers: own.key, body })).body.webhook.id;
    },
  ],
  [
    deliveryExists,
    async ({ service, own }) => {
      const [row] = await service.deps.sql<{ id: string }[]>`
      INSERT INTO webhook_deliveries (delivery_id, org_id, webhook_id, event_type, body, status,
        created_at)
      SELECT ${`dlv_${crypto.randomUUID()}`}, org_id, webhook_id, 'app.created', '{}', 'failed',
        now() FROM webhooks WHERE org_id = ${own.orgId}
      RETURNING delivery_id AS id`;
      return row?.id ?? '';
    },
  ],
  [onboardingExists, makeOnboarding],
  [
    importExists,
    async ({ service, own }) => {
      const path = `/v1/apps/${own.app.appId}/purchases/import`;
      const body = { csv: 'userId,originalTransactionId\nprobe,1' };
      await service.deps.sql`DELETE FROM purchase_imports WHERE org_id = ${own.orgId}`;
      return (await service.call(path, { headers: own.key, body })).body.id;
    },
  ],
  [
    grantExists,
    async ({ service, own }) => {
      const path = `/v1/apps/${own.app.appId}/purchases/grants`;
      const body = { userId: 'probe', productId: 'pro' };
      return (await service.call(path, { headers: own.key, body })).body.id;
    },
  ],
  [
    experimentExists,
    async (stage) => {
      // One for all experiments of an app, which may have 100 onboardings.
      const { appId } = stage.own.app;
      const onboardingId = dealtOnboardings.get(appId) ?? (await makeOnboarding(stage));
      dealtOnboardings.set(appId, onboardingId);
      const arm = { name: 'arm', weight: 1, onboardingId };
      // An app has 200 experiments at most.
      await stage.service.deps.sql`DELETE FROM experiments WHERE app_id = ${appId}`;
      const path = `/v1/apps/${appId}/experiments`;
      const body = { name: 'probe', arms: [arm, { ...arm, name: 'other' }] };
      return (await stage.service.call(path, { headers: stage.own.key, body })).body.id;
    },
  ],
  [
    flagExists,
    async ({ service, own }) => {
      const variants = [{ name: 'on', value: true }];
      const key = `probe-${crypto.randomUUID()}`;
      const body = { key, type: 'boolean', variants, defaultVariant: 'on' };
      const path = `/v1/apps/${own.app.appId}/flags`;
      return (await service.call(path, { headers: own.key, body })).body.id;
    },
  ],
  [
    noteExists,
    async ({ service, own }) => {
      const body = { day: '2026-01-01', text: crypto.randomUUID() };
      const path = `/v1/apps/${own.app.appId}/marks`;
      return (await service.call(path, { headers: own.key, body })).body.id;
    },
  ],
  [
    questionExists,
    async ({ service, own }) => {
      // An app has 200 at most.
      await service.deps.sql`DELETE FROM saved_questions WHERE org_id = ${own.orgId}`;
      const body = { name: 'probe', question: { kind: 'retention', days: 7, to: '2026-01-01' } };
      const path = `/v1/apps/${own.app.appId}/questions`;
      return (await service.call(path, { headers: own.key, body })).body.id;
    },
  ],
  [
    watchExists,
    async (stage) => {
      const questionId = await makeOwned(questionExists, stage);
      const body = { questionId, figure: { of: 'people' }, rule: { kind: 'change' } };
      const question = { kind: 'series', series: [{}] };
      const { service, own } = stage;
      const app = `/v1/apps/${own.app.appId}`;
      const change = { method: 'PUT', headers: own.key, body: { question } };
      await service.call(`${app}/questions/${questionId}`, change);
      return (await service.call(`${app}/watches`, { headers: own.key, body })).body.id;
    },
  ],
  [
    noticeExists,
    async ({ service, own }) => {
      const noticeId = crypto.randomUUID();
      await service.deps.sql`
        INSERT INTO purchase_notices (org_id, app_id, environment, notice_id, kind, notified_at,
          received_at)
        VALUES (${own.orgId}, ${own.app.appId}, 'Production', ${noticeId}, 'consent_rescinded',
          now(), now())`;
      return noticeId;
    },
  ],
  [
    segmentExists,
    async ({ service, own }) => {
      // An app has 100 at most.
      await service.deps.sql`DELETE FROM segments WHERE org_id = ${own.orgId}`;
      const body = { name: 'probe', rule: { all: [{ entitled: true }] } };
      const path = `/v1/apps/${own.app.appId}/segments`;
      return (await service.call(path, { headers: own.key, body })).body.id;
    },
  ],
  [
    funnelExists,
    async ({ service, own }) => {
      // Past the route, which would stop at the limit of an app.
      const scope = { orgId: own.orgId, appId: own.app.appId };
      return (
        await funnelRows.insert(
          service.deps.sql,
          scope,
          { id: newId('fun'), at: new Date() },
          { ...ONBOARDING_FUNNEL, isDefault: false },
        )
      ).id;
    },
  ],
  [
    organizationKeyExists,
    async ({ service, own }) => {
      const [row] = await service.deps.sql<{ id: string }[]>`
      INSERT INTO auth.apikey (id, "configId", name, "referenceId", key, enabled, "createdAt",
        "updatedAt")
      VALUES (${crypto.randomUUID()}, 'organization', 'probe', ${own.orgId},
        ${crypto.randomUUID()}, true, now(), now())
      RETURNING id`;
      return row?.id ?? '';
    },
  ],
]);

/** Makes one thing whose owner `check` looks up, in the stage's own organization and app; gives its id. */
export function makeOwned(check: OwnershipCheck, stage: Stage): Promise<string> {
  const make = MAKERS.get(check);
  if (!make) throw new Error(`No probe makes what ${check.name} looks up.`);
  return make(stage);
}
