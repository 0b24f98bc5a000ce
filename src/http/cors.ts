import type { Deps } from '../context.ts';
import { allowedOrigins } from './guard.ts';
import { withoutTrailingSlash } from './methods.ts';

/** Routes that shipped apps call, from any page: they carry a key, never a cookie. */
const DEVICE_PATHS = new Set([
  '/v1/events',
  '/v1/experiments',
  '/v1/purchases/verify',
  '/v1/purchases/entitlement',
]);

function isDevicePath(path: string): boolean {
  return DEVICE_PATHS.has(withoutTrailingSlash(path));
}

const DAY_SECONDS = '86400';
const EXPOSED = 'x-request-id, retry-after, ratelimit, ratelimit-policy';

/** The headers that let a browser read an answer; none for origins that are not allowed. */
export function corsHeaders(deps: Deps, request: Request, path: string): Record<string, string> {
  const origin = request.headers.get('origin');
  if (origin === null) return {};
  if (isDevicePath(path)) {
    return { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED };
  }
  if (!allowedOrigins(deps).includes(origin)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': EXPOSED,
  };
}

/** The answer to a preflight, or null when this is none. */
export function preflight(deps: Deps, request: Request, path: string): Response | null {
  const asked = request.headers.get('access-control-request-method');
  if (request.method !== 'OPTIONS' || asked === null) return null;
  const allowed = corsHeaders(deps, request, path);
  if (allowed['access-control-allow-origin'] === undefined) return null;
  const device = isDevicePath(path);
  return new Response(null, {
    status: 204,
    headers: {
      ...allowed,
      'access-control-allow-methods': device ? 'GET, POST' : 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': device
        ? 'content-type, x-service-key'
        : 'content-type, x-api-key, authorization',
      'access-control-max-age': DAY_SECONDS,
    },
  });
}
