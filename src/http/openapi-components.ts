import type { Access } from './access.ts';

export const SECURITY_SCHEMES = {
  orgKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'Organization key (svk_…)',
  },
  orgKeyBearer: { type: 'http', scheme: 'bearer', description: 'Organization key as Bearer token' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'better-auth.session_token',
    description:
      'Session of a person. It acts in the organization whose id stands in the header `x-organization`, 404 where they are no member of it; without the header in their active organization',
  },
  device: {
    type: 'apiKey',
    in: 'header',
    name: 'x-service-key',
    description: "The app's publishable key (svp_…)",
  },
  flagKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'Flag key (svf_…)' },
  flagKeyBearer: { type: 'http', scheme: 'bearer', description: 'Flag key as Bearer token' },
  cronSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'x-cron-secret',
    description: 'CRON_SECRET of the service',
  },
  metricsToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'METRICS_TOKEN of the service; not needed from loopback',
  },
};

export const HEADERS = {
  RequestId: {
    description: 'The id of this request, as in the logs of the service',
    required: true,
    schema: { type: 'string', pattern: '^req_[0-9a-z]{26}$' },
  },
  RateLimit: {
    description: 'Requests left, and the seconds until the limit resets',
    schema: { type: 'string', pattern: '^"[A-Za-z]+";r=[0-9]+;t=[0-9]+$' },
  },
  RateLimitPolicy: {
    description: 'The limit: requests (q) in a window of seconds (w)',
    schema: { type: 'string', pattern: '^"[A-Za-z]+";q=[0-9]+;w=[0-9]+$' },
  },
  ETag: {
    description:
      'Of this answer; sent back in If-None-Match it is answered 304 while nothing changes',
    schema: { type: 'string' },
  },
  CutBy: {
    description: 'The bound that cut this answer, where one did and its form has no place for it',
    schema: { type: 'string', enum: ['rows', 'bytes'] },
  },
  RetryAfter: {
    description: 'Seconds to wait before another attempt',
    schema: { type: 'integer', minimum: 1 },
  },
};

const headerReference = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

const MAY_BE_LATER = new Set([429, 502, 503]);

/** Shipped apps wait long after a revoked key. */
function mayBeLater(access: Access, status: number): boolean {
  return (
    MAY_BE_LATER.has(status) ||
    (status === 401 && (access.who.includes('device') || access.who.includes('flagKey')))
  );
}

/** Rate-limit headers only where the route has a limit. */
export function responseHeaders(access: Access, status: number): Record<string, unknown> {
  return {
    'x-request-id': headerReference('RequestId'),
    ...(access.limit !== 'none' && {
      ratelimit: headerReference('RateLimit'),
      'ratelimit-policy': headerReference('RateLimitPolicy'),
    }),
    ...(access.hasEtag && (status === 200 || status === 304) && { etag: headerReference('ETag') }),
    ...(access.cutsAnswers && status === 200 && { 'x-cut-by': headerReference('CutBy') }),
    ...(mayBeLater(access, status) && { 'retry-after': headerReference('RetryAfter') }),
  };
}
