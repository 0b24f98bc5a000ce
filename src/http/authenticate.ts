import type { Deps } from '../context.ts';
import { addressGroup, addressSite } from '../shared/client-address.ts';
import { AppError, type ErrorCode } from '../shared/errors.ts';
import type {
  KnownDevice,
  KnownFlagReader,
  OrgKeyPrincipal,
  SessionPrincipal,
} from '../shared/principal.ts';
import type { LookupOptions } from '../shared/verified-cache.ts';
import type { Access } from './access.ts';
import { namedOrganization } from './organization.ts';

type RequestSender = { headers: Headers; address: string; key: string | undefined };

export type Caller = OrgKeyPrincipal | SessionPrincipal | KnownDevice | KnownFlagReader;

const ORGANIZATION_KEY = 'svk_';
const PUBLISHABLE_KEY = 'svp_';
const FLAG_KEY = 'svf_';
const MAX_KEY_LENGTH = 256;

/** Shipped apps retry revoked keys for months. */
const REVOKED_RETRY_SECONDS = 60 * 60;

type KeyFault = 'missing' | 'malformed' | 'unknown' | 'revoked';

export class RefusedKey extends AppError {
  constructor(
    readonly fault: KeyFault,
    message: string,
    hint: string,
  ) {
    const wait = fault === 'revoked' && { retryAfterSeconds: REVOKED_RETRY_SECONDS };
    super('invalid_service_key', message, { hint, ...wait });
  }
}

const refused = (code: ErrorCode, message: string, hint?: string) =>
  new AppError(code, message, { hint });

function presentedKey(headers: Headers): string | null {
  const header = headers.get('x-api-key')?.trim() || null;
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.get('authorization')?.trim() ?? '')?.[1] ?? null;
  if (header !== null && bearer !== null && header !== bearer) {
    throw refused('invalid_api_key', 'Two different keys were sent.', 'Send one organization key.');
  }
  return header ?? bearer;
}

/** Limits guesses only: cached keys cost nothing. */
const limitGuesses = ({ rateLimits }: Pick<Deps, 'rateLimits'>, { address }: RequestSender) => ({
  beforeGuess: () => rateLimits.check('failedAuthentication', addressGroup(address)),
});

async function authenticateDevice(
  deps: Pick<Deps, 'deviceKeys' | 'rateLimits'>,
  { protocol }: Access,
  sent: RequestSender,
): Promise<KnownDevice> {
  const { headers, key } = sent;
  const secret = (protocol?.keyOf ? key : headers.get('x-service-key'))?.trim() ?? '';
  if (secret.startsWith(ORGANIZATION_KEY)) {
    throw new RefusedKey(
      'malformed',
      'This is an organization key.',
      'Send the publishable key (svp_…) of the app in x-service-key, and keep the organization key on a server.',
    );
  }
  if (secret.startsWith(FLAG_KEY)) {
    throw new RefusedKey(
      'malformed',
      'This is a flag key.',
      'A flag key reads flags only; send the publishable key (svp_…) of the app in x-service-key.',
    );
  }
  if (secret === '') {
    throw new RefusedKey(
      'missing',
      'A publishable key is needed.',
      `Send the app's publishable key (svp_…) ${protocol?.keyOf ? "where the client takes its product's key" : 'in the header x-service-key'}.`,
    );
  }
  const device = await deps.deviceKeys.find(secret, limitGuesses(deps, sent));
  if (typeof device !== 'string') return device;
  throw new RefusedKey(
    device,
    'The publishable key is unknown or revoked.',
    "A key is shown once, as svp_ and 40 characters: compare its start with the `prefix` of the app's keys, which also show what is revoked, or create another one.",
  );
}

async function authenticateFlagReader(
  deps: Pick<Deps, 'flagKeys' | 'rateLimits'>,
  sent: RequestSender,
): Promise<KnownFlagReader> {
  const secret = presentedKey(sent.headers) ?? '';
  const reader = await deps.flagKeys.find(secret, limitGuesses(deps, sent));
  if (typeof reader !== 'string') return reader;
  throw new RefusedKey(
    reader,
    'A flag key is needed that is not revoked.',
    "Send a flag key (svf_…) of the app as Bearer token or in x-api-key: POST /v1/apps/{id}/keys with kind flags makes one. Publishable and organization keys don't read flags.",
  );
}

async function authenticateKey(
  deps: Pick<Deps, 'identity'>,
  secret: string,
  lookup: LookupOptions,
): Promise<OrgKeyPrincipal> {
  if (secret.startsWith(PUBLISHABLE_KEY)) {
    throw refused(
      'invalid_api_key',
      'This is a publishable key.',
      'Publishable keys go into x-service-key and serve device routes only.',
    );
  }
  if (secret.startsWith(FLAG_KEY)) {
    throw refused('invalid_api_key', 'This is a flag key.', 'Flag keys read flags by OFREP only.');
  }
  const principal =
    secret.length > MAX_KEY_LENGTH
      ? null
      : await deps.identity.authenticator.orgKey(secret, lookup);
  if (!principal) throw refused('invalid_api_key', 'The API key is unknown or revoked.');
  return principal;
}

function notSignedIn(access: Access, headers: Headers): AppError {
  return refused('not_signed_in', 'Not signed in.', signInHint(access, headers));
}

function signInHint(access: Access, headers: Headers): string {
  const takesKeys = access.who.includes('orgKey');
  const misplaced = headers.get('x-service-key')?.trim();
  if (misplaced && !misplaced.startsWith(ORGANIZATION_KEY)) {
    return 'Publishable keys serve device routes only.';
  }
  if (!takesKeys) return 'This route needs a signed-in session; keys do not work here.';
  if (misplaced) return 'An organization key goes into x-api-key, not into x-service-key.';
  return 'Sign in, or send an organization key in x-api-key.';
}

export async function countFailure(
  { rateLimits }: Pick<Deps, 'rateLimits'>,
  address: string,
): Promise<void> {
  const site = addressSite(address);
  if (site !== null) await rateLimits.take('failedAuthenticationSite', site);
  await rateLimits.take('failedAuthentication', addressGroup(address));
}

/** Keys precede cookies. Throws a 401 code, or `unavailable`. */
export async function authenticate(
  deps: Pick<Deps, 'deviceKeys' | 'flagKeys' | 'identity' | 'rateLimits'>,
  access: Access,
  sent: RequestSender,
): Promise<Caller | null> {
  const { headers } = sent;
  if (access.who.length === 0) return null;
  if (access.who.includes('device')) return authenticateDevice(deps, access, sent);
  if (access.who.includes('flagKey')) return authenticateFlagReader(deps, sent);
  const lookup = { graceMs: access.graceMs };
  const secret = presentedKey(headers);
  if (secret !== null) {
    const key = await authenticateKey(deps, secret, { ...lookup, ...limitGuesses(deps, sent) });
    if (access.who.includes('orgKey')) return key;
    throw notSignedIn(access, headers);
  }
  const organization = namedOrganization(headers);
  const session = await deps.identity.authenticator.session(headers, { ...lookup, organization });
  if (!session) throw notSignedIn(access, headers);
  return session;
}
