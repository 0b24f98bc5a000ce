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

export const TAGS = [
  {
    name: 'Accounts',
    description: 'Sign up, sign in, the second factor, and the account of the signed-in person.',
  },
  {
    name: 'Organizations',
    description: 'Organizations, their settings, and how long their data is kept.',
  },
  { name: 'Members', description: 'Members of an organization, their roles, and invitations.' },
  {
    name: 'Organization keys',
    description: 'Keys by which servers and integrations act for an organization.',
  },
  { name: 'Apps', description: 'Apps of an organization, made here or imported from a store.' },
  {
    name: 'Publishable keys',
    description: 'Keys that shipped apps carry to send events and verify purchases.',
  },
  {
    name: 'Events',
    description: 'Intake of product events, their names and properties, imports and erasures.',
  },
  { name: 'Analytics', description: 'Figures of all apps of an organization.' },
  {
    name: 'Questions',
    description:
      'Questions about events: series, funnels, retention, lifecycle, paths and measures.',
  },
  { name: 'Funnels', description: 'Stored funnels and their reports.' },
  {
    name: 'Insights',
    description: 'Saved questions with their last answers, and watches over their figures.',
  },
  {
    name: 'Segments',
    description: 'Groups of people by their properties and by events of theirs.',
  },
  { name: 'People', description: 'One person: events, purchases, export and erasure.' },
  { name: 'SQL', description: "Questions in SQL over an organization's own data." },
  { name: 'Marks', description: 'Notes on a day, shown on charts.' },
  { name: 'Flags', description: 'Feature flags, their rules, keys and evaluation.' },
  { name: 'Experiments', description: 'Experiments, their arms, exposures and results.' },
  {
    name: 'Purchases',
    description: 'Verification of purchases, entitlement, customers, refunds and revenue.',
  },
  {
    name: 'Store',
    description: 'Connections to the stores, their reports, reviews, versions and price plans.',
  },
  { name: 'Social marketing', description: 'Accounts of social networks, their posts and reach.' },
  { name: 'Digests', description: 'Digests and messages: what is sent, to whom and when.' },
  { name: 'Webhooks', description: 'Calls to other systems when something happens.' },
  { name: 'Logs', description: "Log entries of an organization's servers and apps." },
  { name: 'Backend project', description: 'The backend project that is made for an app.' },
  { name: 'Preview session', description: 'Preview of an app on a device in the cloud.' },
  { name: 'Onboarding survey', description: 'Answers that a new person gives about the company.' },
  { name: 'System', description: 'State of the service, for operators and schedulers.' },
] as const;

export type Tag = (typeof TAGS)[number]['name'];

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
