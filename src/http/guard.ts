import type { Deps } from '../context.ts';
import { addressGroup } from '../shared/client-address.ts';
import { AppError, notFound } from '../shared/errors.ts';
import { isId } from '../shared/ids.ts';
import { ownOrigins } from '../shared/own-origin.ts';
import { type Permission, ROLE_PERMISSIONS } from '../shared/permissions.ts';
import type { Access } from './access.ts';
import { authenticate, type Caller } from './authenticate.ts';
import { checkCronSecret } from './cron-secret.ts';
import { limitKey } from './identity.ts';
import { limitHeaders } from './limits.ts';
import type { RequestState } from './state.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export type Guarded = {
  method: string;
  headers: Headers;
  params: Readonly<Record<string, string | undefined>>;
  setHeader: (name: string, value: string) => void;
};

export function permissionsOf(caller: Caller): readonly Permission[] {
  switch (caller.kind) {
    case 'orgKey':
      return caller.permissions;
    case 'session':
      return caller.role === null ? [] : ROLE_PERMISSIONS[caller.role];
    case 'device':
      return [];
  }
}

/** Publishable keys are counted where they are looked up: a revoked one costs nothing. */
function isCounted(thrown: unknown): boolean {
  if (!(thrown instanceof AppError)) return false;
  return !['unavailable', 'rate_limited', 'invalid_service_key'].includes(thrown.code);
}

/** Who is calling; throws 401, and counts that. */
export async function identify(state: RequestState, access: Access, headers: Headers) {
  try {
    return await authenticate(state.deps, access, { headers, address: state.address });
  } catch (thrown) {
    if (isCounted(thrown)) {
      await state.deps.rateLimits.take('failedAuthentication', addressGroup(state.address));
    }
    throw thrown;
  }
}

/** A browser says where a request comes from; a page of another site must not act for its user. */
function checkOrigin(deps: Deps, caller: Caller | null, request: Guarded): void {
  // Without a credential too: a page of another site must not sign its visitor in as somebody.
  const cookieCounts = caller === null || caller.kind === 'session';
  if (!cookieCounts || SAFE_METHODS.has(request.method)) return;
  const origin = request.headers.get('origin');
  if (origin === null || allowedOrigins(deps).includes(origin)) return;
  throw new AppError('origin_not_allowed', 'Requests from this site are not allowed.', {
    hint: 'On the server, set PUBLIC_URL where this is its own address, or add the origin to CONSOLE_ORIGINS.',
  });
}

export function allowedOrigins(deps: Deps): string[] {
  return [...ownOrigins(deps.config), ...deps.config.consoleOrigins];
}

/** Who is signed in, where the route serves others as well; it answers itself when none can be told. */
async function signedIn({ deps }: RequestState, { headers }: Guarded): Promise<Caller | null> {
  return deps.identity.authenticator.session(headers).catch(() => null);
}

async function takeLimit(state: RequestState, access: Access, request: Guarded): Promise<void> {
  const caller = access.countedBySession ? await signedIn(state, request) : state.caller;
  const key = limitKey(access, caller, state.address);
  if (key === null || access.limit === 'none') return;
  const raised = state.caller?.kind === 'device' ? state.caller.limits[access.limit] : undefined;
  const taken = await state.deps.rateLimits.take(access.limit, key, raised);
  for (const [name, value] of Object.entries(limitHeaders(access.limit, taken))) {
    request.setHeader(name, value);
  }
}

function activeOrganization(caller: Caller | null): string {
  if (caller && caller.orgId !== null) return caller.orgId;
  throw new AppError('no_active_organization', 'There is no active organization.', {
    hint: 'Choose one with POST /v1/auth/organization/set-active.',
  });
}

async function checkOwnership(state: RequestState, access: Access, params: Guarded['params']) {
  if (access.scope === 'none') return;
  const { sql } = state.deps;
  const orgId = activeOrganization(state.caller);
  if (access.scope === 'app') {
    state.app = isId(params.id) ? await state.findApp(sql, orgId, params.id) : null;
    if (!state.app) throw notFound();
  }
  const scope = { orgId, appId: state.app?.id ?? null };
  for (const [param, isOwned] of Object.entries(access.owns ?? {})) {
    const id = params[param];
    if (!isId(id) || !(await isOwned(sql, scope, id))) throw notFound();
  }
}

function checkPermission(access: Access, caller: Caller | null): void {
  const needed = access.permission;
  if (needed === undefined || (caller && permissionsOf(caller).includes(needed))) return;
  const name = needed.replace(':', ': ');
  throw new AppError('permission_denied', 'You may not do this.', {
    hint: `This needs the permission "${name}".`,
  });
}

function checkRole(access: Access, caller: Caller | null): void {
  if (access.roles === undefined) return;
  const role = caller?.kind === 'session' ? caller.role : null;
  if (role !== null && access.roles.includes(role)) return;
  throw new AppError('permission_denied', 'You may not do this.', {
    hint: `This needs the role ${access.roles.join(' or ')}.`,
  });
}

/**
 * Who may pass, in this order: authenticate, origin, limit, active organization,
 * ownership of every id in the path, permission. Fills the state that the context of the handler is made of.
 */
export async function passGuard(
  state: RequestState,
  access: Access,
  request: Guarded,
): Promise<void> {
  state.caller = await identify(state, access, request.headers);
  if (access.secret === 'cronSecret') {
    checkCronSecret(state.deps.config.cronSecret, request.headers.get('x-cron-secret'));
  } else checkOrigin(state.deps, state.caller, request);
  await takeLimit(state, access, request);
  await checkOwnership(state, access, request.params);
  checkPermission(access, state.caller);
  checkRole(access, state.caller);
}
