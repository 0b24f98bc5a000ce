import type { ErrorCode } from '../shared/errors.ts';
import type { Permission, Role } from '../shared/permissions.ts';
import { MINUTE_MS } from '../shared/time.ts';
import type { LimitName } from './limits.ts';
import type { ResourceName } from './path-owners.ts';

/** Which credentials a route looks at. */
export type Credential = 'session' | 'orgKey' | 'device';

export type Access = {
  /** Empty: public, or authenticated by the route itself (store signature, cron secret). */
  who: readonly Credential[];
  /** What the guard resolves before the handler: nothing, an organization, or an app of it (`:id`). */
  scope: 'none' | 'organization' | 'app';
  /** A secret of the operator that the route itself looks at. */
  secret?: 'cronSecret' | 'metricsToken';
  permission?: Permission;
  /** For routes of a session: the roles that may call it, where no permission says so. */
  roles?: readonly Role[];
  limit: LimitName | 'none';
  /** For routes that anybody may call: who is signed in is counted as that person. */
  countedBySession?: boolean;
  /** Path parameters besides `:id` whose owner the guard checks. */
  owns?: Readonly<Record<string, ResourceName>>;
  /** While the database is away, callers verified this recently still count. */
  graceMs?: number;
  /** The code of a body, query or path that does not fit; `invalid_input` unless said. */
  invalid?: ErrorCode;
  /** What the route itself can answer beyond what its access implies. */
  errors?: readonly ErrorCode[];
};

/** With the database away, logs are taken from and shown to whoever was verified this recently. */
const LOG_GRACE_MS = 10 * MINUTE_MS;

type Rest = Omit<Partial<Access>, 'permission'>;

const organization = (permission?: Permission, rest: Rest = {}): Access => ({
  who: ['session', 'orgKey'],
  scope: 'organization',
  limit: 'default',
  ...(permission && { permission }),
  ...rest,
});

const app = (permission?: Permission, rest: Rest = {}): Access => ({
  ...organization(permission, rest),
  scope: 'app',
});

/** A signed-in person, with or without an active organization; keys do not serve. */
const person = (rest: Rest = {}): Access => ({
  who: ['session'],
  scope: 'none',
  limit: 'default',
  ...rest,
});

/** A signed-in member of the active organization. */
const member = (rest: Rest = {}): Access => ({ ...person(rest), scope: 'organization' });

/** An app of the active organization of a signed-in member. */
const personsApp = (permission?: Permission, rest: Rest = {}): Access => ({
  ...person(rest),
  scope: 'app',
  ...(permission && { permission }),
});

const PROVIDER_ERRORS = ['provider_rejected', 'provider_not_configured'] as const;

/** Those who run the organization: its people, invitations and keys. */
const manager = (rest: Rest = {}): Access => ({ ...member(rest), roles: ['owner', 'admin'] });

/** A shipped app, by its publishable key. */
const device = (limit: LimitName, rest: Rest = {}): Access => ({
  who: ['device'],
  scope: 'none',
  limit,
  ...rest,
});

/** The five routes of a thing that an app owns and its members edit. */
function crud(name: string, param: string, resource: ResourceName): Record<string, Access> {
  const path = `/v1/apps/:id/${name}`;
  const owns = { [param]: resource };
  return {
    [`GET ${path}`]: app('app:read'),
    [`POST ${path}`]: app('app:update', { errors: ['conflict'] }),
    [`GET ${path}/:${param}`]: app('app:read', { owns }),
    [`PATCH ${path}/:${param}`]: app('app:update', { owns, errors: ['conflict'] }),
    [`DELETE ${path}/:${param}`]: app('app:update', { owns, errors: ['conflict'] }),
  };
}
/** What the store can answer to a request that needs it. */
const STORE_REFUSALS: readonly ErrorCode[] = [
  'store_credentials_rejected',
  'store_role_missing',
  'store_rate_limited',
  'store_unavailable',
];

const webhook = (owns: Access['owns'] = {}): Access =>
  organization('integration:manage', { owns: { webhookId: 'webhook', ...owns } });

const open = (rest: Rest = {}): Access => ({ who: [], scope: 'none', limit: 'none', ...rest });

/** What the store can make of a request that is passed on to it. */
const STORE_ERRORS = [
  'store_credentials_rejected',
  'store_role_missing',
  'store_agreement_required',
  'not_found',
  'store_rate_limited',
  'store_unavailable',
] as const;

/**
 * Every route of the service and what it takes to call it. The guard, the OpenAPI document and the
 * test of routes × principals read this table; a route that is not here cannot be registered.
 */
export const ACCESS: Readonly<Record<string, Access>> = {
  'GET /healthz': open(),
  'GET /metrics': open({ secret: 'metricsToken', errors: ['not_found'] }),
  'GET /openapi.json': open(),
  'GET /docs': open(),
  'GET /docs/:asset': open({ errors: ['not_found'] }),
  'GET /accept-invitation': open(),
  'GET /sign-up': open(),
  'GET /reset-password': open(),
  'GET /pages/:asset': open({ errors: ['not_found'] }),
  'GET /v1/status': organization(),

  'POST /v1/auth/sign-up/email': open({
    limit: 'signIn',
    errors: ['permission_denied', 'conflict', 'origin_not_allowed'],
  }),
  'POST /v1/auth/sign-in/email': open({
    // The use-case counts failures beside this.
    limit: 'default',
    errors: ['not_signed_in', 'origin_not_allowed'],
  }),
  'POST /v1/auth/sign-out': open({
    limit: 'default',
    countedBySession: true,
    errors: ['origin_not_allowed'],
  }),
  'GET /v1/auth/get-session': open({ limit: 'default', countedBySession: true }),
  'POST /v1/auth/request-password-reset': open({
    limit: 'signIn',
    errors: ['provider_not_configured', 'origin_not_allowed'],
  }),
  'POST /v1/auth/reset-password': open({ limit: 'signIn', errors: ['origin_not_allowed'] }),
  'POST /v1/auth/change-password': person(),
  'POST /v1/auth/revoke-other-sessions': person(),
  'GET /v1/auth/organization/list': person(),
  'POST /v1/auth/organization/create': person({ errors: ['slug_taken', 'conflict'] }),
  'POST /v1/auth/organization/set-active': person({ errors: ['not_found'] }),
  'POST /v1/auth/organization/leave': person({ errors: ['not_found', 'conflict'] }),
  'POST /v1/auth/organization/update': manager({ errors: ['slug_taken'] }),
  'GET /v1/auth/organization/list-members': member(),
  'POST /v1/auth/organization/remove-member': manager({ errors: ['not_found', 'conflict'] }),
  'POST /v1/auth/organization/update-member-role': manager({ errors: ['not_found', 'conflict'] }),
  'GET /v1/auth/organization/list-invitations': manager(),
  'POST /v1/auth/organization/invite-member': manager({ errors: ['conflict'] }),
  'POST /v1/auth/organization/cancel-invitation': manager({ errors: ['not_found'] }),
  'GET /v1/auth/organization/get-invitation': person({ errors: ['not_found'] }),
  'POST /v1/auth/organization/accept-invitation': person({ errors: ['not_found', 'conflict'] }),
  'POST /v1/auth/organization/reject-invitation': person({ errors: ['not_found'] }),
  'DELETE /v1/organization': {
    ...member({ errors: ['confirmation_mismatch', 'not_found'] }),
    roles: ['owner'],
  },
  'GET /v1/organization/keys': manager(),
  'POST /v1/organization/keys': manager({ errors: ['conflict'] }),
  'DELETE /v1/organization/keys/:keyId': manager({ owns: { keyId: 'organizationKey' } }),

  'GET /v1/apps': organization(),
  'POST /v1/apps': organization('app:update', { errors: ['slug_taken', 'conflict'] }),
  'GET /v1/apps/:id': app(),
  'DELETE /v1/apps/:id': app('app:delete', { errors: ['confirmation_mismatch'] }),
  'GET /v1/apps/:id/keys': app('app:read'),
  'POST /v1/apps/:id/keys': app('app:update', { errors: ['conflict'] }),
  'GET /v1/apps/:id/events/summary': app('analytics:read'),
  'GET /v1/apps/:id/events/recent': app('analytics:read'),
  'GET /v1/apps/:id/events/ingestion': app('analytics:read'),
  'GET /v1/apps/:id/people/:personId': app('analytics:read'),
  'DELETE /v1/apps/:id/people/:personId': app('integration:manage'),
  'GET /v1/apps/:id/funnels': app('analytics:read'),
  'POST /v1/apps/:id/funnels': app('app:update', { errors: ['conflict'] }),
  'PUT /v1/apps/:id/funnels/:funnelId': app('app:update', { owns: { funnelId: 'funnel' } }),
  'DELETE /v1/apps/:id/funnels/:funnelId': app('app:update', { owns: { funnelId: 'funnel' } }),
  'GET /v1/apps/:id/funnels/:funnelId/report': app('analytics:read', {
    owns: { funnelId: 'funnel' },
  }),
  'GET /v1/apps/:id/funnels/:funnelId/people': app('analytics:read', {
    owns: { funnelId: 'funnel' },
    errors: ['conflict'],
  }),
  'DELETE /v1/apps/:id/keys/:keyId': app('app:update', { owns: { keyId: 'publishableKey' } }),

  'POST /v1/apps/:id/backend': app('app:update', {
    errors: ['conflict', 'secret_storage_unavailable', ...PROVIDER_ERRORS],
  }),

  'GET /v1/apps/:id/marketing/connections': personsApp(),
  'POST /v1/apps/:id/marketing/connections/:platform/connect': personsApp('app:update', {
    errors: ['invalid_input', ...PROVIDER_ERRORS],
  }),
  'POST /v1/apps/:id/marketing/connections/refresh': personsApp('app:update', {
    errors: PROVIDER_ERRORS,
  }),
  'GET /v1/apps/:id/marketing/scheduled': personsApp(undefined, { errors: PROVIDER_ERRORS }),
  'GET /v1/apps/:id/marketing/history': personsApp(undefined, { errors: PROVIDER_ERRORS }),
  'GET /v1/apps/:id/marketing/analytics': personsApp(undefined, { errors: PROVIDER_ERRORS }),

  'GET /v1/apps/:id/preview': app('app:read'),
  'POST /v1/apps/:id/preview': app('app:update', { errors: ['conflict'] }),
  'DELETE /v1/apps/:id/preview': app('app:update'),

  'POST /v1/apps/import': organization('app:update', {
    errors: ['store_app_not_found', 'app_already_imported', 'store_not_configured', 'conflict'],
  }),
  'GET /v1/store/connection': organization('analytics:read'),
  'POST /v1/store/connection': organization('integration:manage', {
    errors: [...STORE_ERRORS, 'secret_storage_unavailable', 'conflict'],
  }),
  'DELETE /v1/store/connection': organization('integration:manage'),
  'GET /v1/store/apps': organization('analytics:read'),
  'POST /v1/store/apps/refresh': organization('integration:manage', {
    errors: [...STORE_ERRORS, 'store_not_connected', 'secret_storage_unavailable'],
  }),
  'POST /v1/store/apps/link': organization('integration:manage', {
    errors: ['store_app_not_found', 'not_found'],
  }),

  'GET /v1/analytics': organization('analytics:read'),
  'POST /v1/analytics/sync': organization('analytics:sync', { errors: ['store_not_connected'] }),
  'POST /internal/analytics/sync-all': open({ secret: 'cronSecret', errors: ['not_available'] }),

  'GET /v1/logs': organization(undefined, { graceMs: LOG_GRACE_MS }),
  'POST /v1/logs': organization(undefined, { graceMs: LOG_GRACE_MS, limit: 'logs' }),

  'GET /v1/onboarding': person(),
  'POST /v1/onboarding': person(),
  'POST /v1/events': device('events', { invalid: 'invalid_batch' }),

  'GET /v1/apps/:id/insights': app('analytics:read'),

  'GET /v1/experiments': device('experiments'),
  'GET /v1/webhooks': organization('integration:manage'),
  'POST /v1/webhooks': organization('integration:manage', {
    errors: ['conflict', 'secret_storage_unavailable'],
  }),
  'DELETE /v1/webhooks/:webhookId': webhook(),
  'GET /v1/webhooks/:webhookId/deliveries': webhook(),
  'POST /v1/webhooks/:webhookId/deliveries/:deliveryId/redeliver': webhook({
    deliveryId: 'webhookDelivery',
  }),

  ...crud('onboardings', 'onboardingId', 'onboarding'),
  ...crud('experiments', 'experimentId', 'experiment'),
  'GET /v1/apps/:id/experiments/:experimentId/report': app('app:read', {
    owns: { experimentId: 'experiment' },
    errors: ['conflict'],
  }),

  'GET /v1/purchases/connection': organization('integration:manage'),
  'PUT /v1/purchases/connection': organization('integration:manage', {
    errors: [...STORE_REFUSALS, 'conflict', 'secret_storage_unavailable'],
  }),
  'DELETE /v1/purchases/connection': organization('integration:manage'),
  'POST /v1/purchases/connection/test': organization('integration:manage', {
    errors: [...STORE_REFUSALS, 'not_found', 'store_not_connected', 'secret_storage_unavailable'],
  }),
  'POST /v1/purchases/verify': device('purchases', {
    errors: ['invalid_transaction', 'transaction_not_for_app', 'conflict', 'not_found'],
  }),
  'GET /v1/purchases/entitlement': device('purchases', { errors: ['not_found'] }),
  'POST /v1/purchases/notifications': open({
    limit: 'notifications',
    errors: ['invalid_signature', 'not_found'],
  }),
  'GET /v1/apps/:id/purchases/settings': app('app:read'),
  'PATCH /v1/apps/:id/purchases/settings': app('integration:manage', {
    errors: ['secret_storage_unavailable'],
  }),
  'GET /v1/apps/:id/purchases/audit': app('app:read'),
};

/** Finds the rule of a route by its method and pattern. */
export function accessOf(method: string, route: string): Access | undefined {
  return ACCESS[`${method} ${route}`];
}
