import type { Deps } from '../context.ts';
import type { AccessTable } from './access.ts';
import { allowedOrigins } from './guard.ts';
import { withoutTrailingSlash } from './methods.ts';

const DAY_SECONDS = '86400';
const EXPOSED = 'x-request-id, retry-after, ratelimit, ratelimit-policy';
const FOR_DEVICES = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
};

/**
 * What browsers are told about other origins. Routes of shipped apps are open to any page: they
 * carry a key, never a cookie.
 */
export function createCors(deps: Pick<Deps, 'config'>, access: AccessTable) {
  const devicePaths = Object.entries(access).flatMap(([route, { who }]) =>
    who.includes('device') ? [route.slice(route.indexOf(' ') + 1)] : [],
  );
  // Also behind a prefix: a page with a mistaken address can read that there is no such route.
  const isForDevices = (path: string) =>
    devicePaths.some((known) => withoutTrailingSlash(path).endsWith(known));

  /** The headers that let a browser read an answer; none for origins that are not allowed. */
  function headersOf(request: Request, path: string): Record<string, string> {
    const origin = request.headers.get('origin');
    if (origin === null) return {};
    if (isForDevices(path)) return FOR_DEVICES;
    if (!allowedOrigins(deps).includes(origin)) return { vary: 'Origin' };
    return {
      vary: 'Origin',
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': EXPOSED,
    };
  }

  /** The answer to a preflight, or null when this is none. */
  function preflight(request: Request, path: string): Response | null {
    if (request.method !== 'OPTIONS') return null;
    if (!request.headers.has('access-control-request-method')) return null;
    const allowed = headersOf(request, path);
    if (allowed['access-control-allow-origin'] === undefined) return null;
    const forDevices = isForDevices(path);
    return new Response(null, {
      status: 204,
      headers: {
        ...allowed,
        'access-control-allow-methods': forDevices ? 'GET, POST' : 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': forDevices
          ? 'content-type, x-service-key'
          : 'content-type, x-api-key, authorization',
        'access-control-max-age': DAY_SECONDS,
      },
    });
  }

  return { headersOf, preflight };
}
