import type { ErrorCode } from '../shared/errors.ts';
import type { Access } from './access.ts';

const SAFE_METHODS = new Set(['get', 'head']);

/** Keys always have an organization; a session may open one only. */
const errorsOfSession = ({ scope, rows }: Access): ErrorCode[] => [
  'not_signed_in',
  'invalid_api_key',
  ...(scope === 'none' ? [] : (['no_active_organization', 'not_found'] as const)),
  ...(rows === 'self' ? [] : (['permission_denied'] as const)),
];

function impliedErrors(method: string, access: Access): ErrorCode[] {
  // Host and query are checked on all routes, bodies on all but GET.
  const codes: ErrorCode[] = ['internal', 'unavailable', 'invalid_input'];
  if (access.invalid) codes.push(access.invalid);
  // With an operator secret, neither body nor origin is checked.
  if (!SAFE_METHODS.has(method) && access.secret === undefined) {
    codes.push('malformed_json', 'body_too_large', 'unsupported_media_type');
    const isOfApp = access.who.includes('device') || access.who.includes('flagKey');
    if (!isOfApp) codes.push('origin_not_allowed');
    // Concurrent writes to one row.
    if (access.who.length > 0 && !isOfApp) codes.push('conflict');
  }
  if (access.who.includes('device')) codes.push('invalid_service_key');
  // Two different keys at once.
  if (access.who.includes('flagKey')) codes.push('invalid_service_key', 'invalid_api_key');
  if (access.who.includes('session')) codes.push(...errorsOfSession(access));
  if (access.who.length > 0 || access.limit !== 'none') codes.push('rate_limited');
  if (access.scope === 'app' || access.owns) codes.push('not_found');
  if (access.permission || access.roles) codes.push('permission_denied');
  return codes;
}

export function possibleErrors(method: string, access: Access): ErrorCode[] {
  return [...new Set([...impliedErrors(method, access), ...(access.errors ?? [])])];
}

export function toSecurity(access: Access): Record<string, string[]>[] {
  if (access.secret === 'metricsToken') return [{}, { metricsToken: [] }];
  if (access.secret !== undefined) return [{ [access.secret]: [] }];
  return access.who.flatMap((credential): Record<string, string[]>[] => {
    const hasBearer = credential === 'orgKey' || credential === 'flagKey';
    return [{ [credential]: [] }, ...(hasBearer ? [{ [`${credential}Bearer`]: [] }] : [])];
  });
}

export function accessSentence({ who, secret, permission, roles, scope }: Access): string {
  if (secret === 'cronSecret') return 'For the scheduler, with the secret in `x-cron-secret`.';
  if (secret === 'metricsToken') return 'From this machine, or with the metrics token.';
  if (secret === 'lakeToken') return 'For the operator, with the token of the lake.';
  if (who.length === 0) return 'Anybody may call it.';
  if (who.includes('flagKey')) return 'For an app or a server, with a flag key.';
  if (who.includes('device')) return 'For a shipped app, with its publishable key.';
  const person = scope === 'none' ? 'a signed-in person' : 'a signed-in member';
  const caller = who.includes('orgKey') ? `an organization key or ${person}` : person;
  const role = roles ? ` who is ${roles.join(' or ')}` : '';
  return `For ${caller}${role}${permission ? ` with the permission \`${permission}\`` : ''}.`;
}
