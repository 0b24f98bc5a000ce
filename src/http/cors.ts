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

/** CORS. Shipped apps' routes are open to all origins: they use keys, never cookies. */
export function createCors(deps: Pick<Deps, 'config'>, access: AccessTable) {
  const devicePaths = Object.entries(access).flatMap(([route, { who }]) =>
    who.includes('device') ? [route.slice(route.indexOf(' ') + 1)] : [],
  );
  // Includes prefixed paths: a page with a wrong address can read its 404.
  const isForDevices = (path: string) =>
    devicePaths.some((known) => withoutTrailingSlash(path).endsWith(known));

  /** Empty for disallowed origins. */
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

  /** Null unless a preflight. */
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
