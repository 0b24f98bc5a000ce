import type { ErrorCode } from '../shared/errors.ts';
import type { Permission } from '../shared/permissions.ts';
import type { LimitName } from './limits.ts';
import type { ResourceName } from './resources.ts';

/** Which credentials a route looks at. */
export type Credential = 'session' | 'orgKey' | 'device';

export type Access = {
  /** Empty: public, or authenticated by the route itself (store signature, cron secret). */
  who: readonly Credential[];
  /** What the guard resolves before the handler: nothing, an organization, or an app of it (`:id`). */
  scope: 'none' | 'organization' | 'app';
  permission?: Permission;
  limit: LimitName | 'none';
  /** Path parameters besides `:id` whose owner the guard checks. */
  owns?: Readonly<Record<string, ResourceName>>;
  /** While the database is away, callers verified this recently still count. */
  graceMs?: number;
  /** The code of a body, query or path that does not fit; `invalid_input` unless said. */
  invalid?: ErrorCode;
  /** What the route itself can answer beyond what its access implies. */
  errors?: readonly ErrorCode[];
};

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

const open = (rest: Rest = {}): Access => ({ who: [], scope: 'none', limit: 'none', ...rest });

/**
 * Every route of the service and what it takes to call it. The guard, the OpenAPI document and the
 * test of routes × principals read this table; a route that is not here cannot be registered.
 */
export const ACCESS: Readonly<Record<string, Access>> = {
  'GET /healthz': open(),
  'GET /metrics': open({ errors: ['not_found'] }),
  'GET /openapi.json': open(),
  'GET /docs': open(),
  'GET /docs/:asset': open({ errors: ['not_found'] }),
  'GET /v1/status': organization(),

  'GET /v1/apps': organization(),
  'POST /v1/apps': organization('app:update', { errors: ['slug_taken', 'conflict'] }),
  'GET /v1/apps/:id': app(),
  'DELETE /v1/apps/:id': app('app:delete', { errors: ['confirmation_mismatch'] }),
  'GET /v1/apps/:id/keys': app('app:read'),
  'POST /v1/apps/:id/keys': app('app:update', { errors: ['conflict'] }),
  'DELETE /v1/apps/:id/keys/:keyId': app('app:update', { owns: { keyId: 'publishableKey' } }),
};

/** Finds the rule of a route by its method and pattern. */
export function accessOf(method: string, route: string): Access | undefined {
  return ACCESS[`${method} ${route}`];
}
