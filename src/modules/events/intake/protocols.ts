import { keyInBody, POSTHOG_KEY } from '../../../shared/body-key.ts';
import type { OtherClients, Protocol, SentError } from '../../../http/access.ts';
import { ERROR_STATUS } from '../../../shared/errors.ts';
import { memoized } from '../../../shared/memoized.ts';
import { isRecord } from '../../../shared/record.ts';
import { toText } from '../imports/event.ts';

export const takenBy = <P extends Protocol>(protocol: P) =>
  ({
    forDevice: { limit: 'events', invalid: 'invalid_batch', countsRejections: true, protocol },
  }) as const;

/** Clients give up at a key's words; that for Java loses events without its number. */
function amplitudeBody({ error, text }: SentError) {
  const code = ERROR_STATUS[error.code];
  if (code === 401) return { code, error: `Invalid API key: ${text}` };
  return { code, error: text, ...(code === 429 && { eps_threshold: 0 }) };
}

export const AMPLITUDE: Protocol = { keyOf: keyInBody('api_key'), errorBody: amplitudeBody };

const userOf = memoized((authorization): string | undefined => {
  const [, credentials] = /^Basic\s+(\S+)$/i.exec(authorization) ?? [];
  return credentials && Buffer.from(credentials, 'base64').toString().split(':')[0];
});

/** Basic user name of servers, field of browsers and apps. */
export const segmentKey = {
  inHeaders: (headers: Headers) => userOf(headers.get('authorization') ?? ''),
  inBody: (sent: unknown) => (isRecord(sent) ? toText(sent.writeKey) : undefined),
};

export const SEGMENT: Protocol = {
  keyOf: segmentKey,
  /** Clients for Python read both, or fail and try again. */
  errorBody: ({ error: { code }, text, body }) => ({ ...body, code, message: text }),
};

export const POSTHOG: Protocol = { keyOf: keyInBody(...POSTHOG_KEY), takesLongPlain: true };

const bearerOf = (headers: Headers): string | undefined =>
  /^Bearer\s+(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];

export const POSTHOG_V1: Protocol = {
  ...POSTHOG,
  keyOf: { ...keyInBody(...POSTHOG_KEY), inHeaders: bearerOf },
  errorBody: ({ error: { code }, text }) => ({ error: code, error_description: text }),
  retriesAt503: true,
};

const MIXPANEL: Protocol = { errorBody: ({ text }) => ({ status: 0, error: text }) };

const UNKNOWN_PATHS: readonly [RegExp, Protocol][] = [
  [/^\/v1\/amplitude\//, AMPLITUDE],
  [/^\/v1\/segment\//, SEGMENT],
  [/^\/v1\/posthog\/i\/v1\//, POSTHOG_V1],
  [/^(\/v1\/mixpanel)?\/(track|engage|groups|import|decide|record|flags)(\/|$)/, MIXPANEL],
];

export const OTHER_CLIENTS: OtherClients = {
  hint: 'Clients send below /v1/segment, /v1/posthog, /v1/amplitude or /v1/otlp, to paths of docs/clients.md.',
  protocolOf: (path) => UNKNOWN_PATHS.find(([pattern]) => pattern.test(path))?.[1],
};
