import type { Deps } from '../context.ts';
import { type AccessTable, isForOtherClients } from './access.ts';
import { allowedOrigins } from './guard.ts';
import { createFindMethods, withoutTrailingSlash } from './methods.ts';

const DAY_SECONDS = '86400';
const EXPOSED = 'x-request-id, retry-after, ratelimit, ratelimit-policy';

const FOR_APPS = {
  device: { sent: 'content-type, x-service-key', read: EXPOSED },
  otherClient: {
    sent: 'content-type, content-encoding, authorization, x-retry-count, anonymousid, sentat, *',
    read: EXPOSED,
  },
  flagKey: {
    sent: 'content-type, x-api-key, authorization, if-none-match',
    read: `${EXPOSED}, etag`,
  },
} as const;
type AppCredential = keyof typeof FOR_APPS;

export function createCors(deps: Pick<Deps, 'config'>, access: AccessTable) {
  const appPaths = Object.entries(access).flatMap(([route, { who, protocol }]) => {
    const { keyOf, forPages } = protocol ?? {};
    if (!who.includes('flagKey') && !who.includes('device') && !forPages) return [];
    const device: AppCredential = keyOf || forPages ? 'otherClient' : 'device';
    const credential: AppCredential = who.includes('flagKey') ? 'flagKey' : device;
    const path = route.slice(route.indexOf(' ') + 1).replaceAll(/:\w+/g, '[^/]+');
    return [{ credential, pattern: new RegExp(`${path}$`) }];
  });
  const isIntake = isForOtherClients(access);
  const methodsOf = createFindMethods(access);
  // A page with a wrong address can read its 404.
  const credentialOf = (path: string): AppCredential | undefined => {
    const found = appPaths.find(({ pattern }) => pattern.test(withoutTrailingSlash(path)));
    return found?.credential ?? (isIntake && !methodsOf(path).length ? 'otherClient' : undefined);
  };
  const appsOf = (path: string) => {
    const credential = credentialOf(path);
    return credential && FOR_APPS[credential];
  };

  function headersOf(request: Request, path: string): Record<string, string> {
    const origin = request.headers.get('origin');
    if (origin === null) return {};
    const forApps = appsOf(path);
    if (forApps) {
      return {
        'access-control-allow-origin': '*',
        'access-control-expose-headers': forApps.read,
      };
    }
    if (!allowedOrigins(deps).includes(origin)) return { vary: 'Origin' };
    return {
      vary: 'Origin',
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': EXPOSED,
    };
  }

  function preflight(request: Request, path: string): Response | null {
    if (request.method !== 'OPTIONS') return null;
    if (!request.headers.has('access-control-request-method')) return null;
    const allowed = headersOf(request, path);
    if (allowed['access-control-allow-origin'] === undefined) return null;
    const forApps = appsOf(path);
    return new Response(null, {
      status: 204,
      headers: {
        ...allowed,
        'access-control-allow-methods': forApps ? 'GET, POST' : 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers':
          forApps?.sent ?? 'content-type, x-api-key, authorization, x-organization',
        'access-control-max-age': DAY_SECONDS,
      },
    });
  }

  return { headersOf, preflight };
}
