import type { Deps } from '../context.ts';
import { addressGroup, addressSite } from '../shared/client-address.ts';
import { AppError, notFound } from '../shared/errors.ts';
import { isId } from '../shared/ids.ts';
import { ownOrigins } from '../shared/own-origin.ts';
import { type Permission, ROLE_PERMISSIONS } from '../shared/permissions.ts';
import type { Access } from './access.ts';
import { authenticate, type Caller, countFailure, RefusedKey } from './authenticate.ts';
import { LIMITS, type LimitName, limitHeaders } from './limits.ts';
import { secretCheck } from './operator-secrets.ts';
import { organizationOf } from './organization.ts';
import type { RequestState } from './state.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export type Guarded = {
  method: string;
  url: string;
  headers: Headers;
  params: Readonly<Record<string, string | undefined>>;
  setHeader: (name: string, value: string) => void;
};

export function grantedPermissions(caller: Caller): readonly Permission[] {
  switch (caller.kind) {
    case 'orgKey':
      return caller.permissions;
    case 'session':
      return caller.role === null ? [] : ROLE_PERMISSIONS[caller.role];
    case 'device':
    case 'flagReader':
      return [];
  }
}

function isCounted(thrown: unknown, { protocol }: Access): boolean {
  if (thrown instanceof RefusedKey) {
    return (
      thrown.fault === 'unknown' || (protocol?.keyOf !== undefined && thrown.fault !== 'revoked')
    );
  }
  return thrown instanceof AppError && !['unavailable', 'rate_limited'].includes(thrown.code);
}

export async function countingFailures<T>(
  { deps, address }: RequestState,
  access: Access,
  identification: () => Promise<T>,
): Promise<T> {
  try {
    return await identification();
  } catch (thrown) {
    if (isCounted(thrown, access)) await countFailure(deps, address);
    throw thrown;
  }
}

export const identify = (state: RequestState, access: Access, headers: Headers) =>
  countingFailures(state, access, () =>
    authenticate(state.deps, access, { headers, address: state.address, key: state.sentKey }),
  );

function checkOrigin(deps: Pick<Deps, 'config'>, caller: Caller | null, request: Guarded): void {
  // CSRF, also of sign-in.
  const cookieCounts = caller === null || caller.kind === 'session';
  if (!cookieCounts || SAFE_METHODS.has(request.method)) return;
  const origin = request.headers.get('origin');
  if (origin === null || allowedOrigins(deps).includes(origin)) return;
  throw new AppError('origin_not_allowed', 'Requests from this site are not allowed.', {
    hint: 'On the server, set PUBLIC_URL where this is its own address, or add the origin to CONSOLE_ORIGINS.',
  });
}

export function allowedOrigins(deps: Pick<Deps, 'config'>): string[] {
  return [...ownOrigins(deps.config), ...deps.config.consoleOrigins];
}

async function signedIn({ deps }: RequestState, { headers }: Guarded): Promise<Caller | null> {
  return deps.identity.authenticator.session(headers).catch(() => null);
}

function toIdentity(caller: Caller | null, address: string): string {
  switch (caller?.kind) {
    case 'orgKey':
    case 'device':
    case 'flagReader':
      return caller.keyId;
    case 'session':
      return [caller.userId, ...(caller.onlyOrgId ? [caller.onlyOrgId] : [])].join(' ');
    default:
      return address;
  }
}

function limitKey(limit: LimitName, caller: Caller | null, state: RequestState): string {
  const address = addressGroup(state.address);
  switch (LIMITS[limit].by) {
    case 'keyAndPerson':
      return `${toIdentity(caller, address)} ${toTarget(state.rawBody)}`;
    case 'address':
      return address;
    case 'app':
      return caller?.kind === 'device' ? caller.appId : address;
    case 'keyAndAddress':
      return `${toIdentity(caller, address)} ${address}`;
    default:
      return toIdentity(caller, address);
  }
}

/** Bounded, since callers choose it. */
function toTarget(rawBody: string): string {
  const [, target = ''] = /"targetingKey"\s*:\s*"([^"]{0,256})/.exec(rawBody) ?? [];
  return target;
}

async function takeLimit(state: RequestState, access: Access, request: Guarded): Promise<void> {
  if (access.limit === 'none') return;
  const caller = access.countedBySession ? await signedIn(state, request) : state.caller;
  const site = addressSite(state.address);
  if (access.limit === 'signIn' && site) await state.deps.rateLimits.take('signInSite', site);
  const key = limitKey(access.limit, caller, state);
  const raised =
    state.caller && 'limits' in state.caller ? state.caller.limits[access.limit] : undefined;
  if (access.limit === 'flags') {
    const sender = limitKey('flagsOfAddress', caller, state);
    await state.deps.rateLimits.take('flagsOfAddress', sender);
  }
  const limit = await state.deps.rateLimits.take(access.limit, key, raised);
  for (const [name, value] of Object.entries(limitHeaders(access.limit, limit))) {
    request.setHeader(name, value);
  }
}

function checkConfinement(access: Access, caller: Caller | null): void {
  if (access.rows !== 'account') return;
  if (caller?.kind !== 'session' || caller.onlyOrgId === undefined) return;
  throw new AppError('permission_denied', 'You are signed in by your company.', {
    hint: 'That opens its organization only. Sign in with a password for your account and others.',
  });
}

async function checkOwnership(state: RequestState, access: Access, params: Guarded['params']) {
  if (access.scope === 'none') return;
  const { sql } = state.deps;
  const orgId = organizationOf(state.caller);
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
  if (needed === undefined || (caller && grantedPermissions(caller).includes(needed))) return;
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

export async function passGuard(
  state: RequestState,
  access: Access,
  request: Guarded,
): Promise<void> {
  state.caller = await identify(state, access, request.headers);
  if (access.secret) secretCheck(access.secret)(state, request);
  else checkOrigin(state.deps, state.caller, request);
  await takeLimit(state, access, request);
  checkConfinement(access, state.caller);
  await checkOwnership(state, access, request.params);
  checkPermission(access, state.caller);
  checkRole(access, state.caller);
}
