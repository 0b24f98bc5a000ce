import { Type } from '@sinclair/typebox';
import * as client from 'openid-client';
import type { SystemContext } from '../../../context.ts';
import { type Egress, EgressError } from '../../../providers/egress/port.ts';
import { errorMessage } from '../../../shared/errors.ts';
import { parser } from '../../../shared/schema.ts';
import { Text } from '../../../shared/text.ts';
import type { Provider } from './queries.ts';
import { isVerified } from './verified-address.ts';

export const SECRET_PURPOSE = 'sign-in provider: client secret';
export const TOKEN_PURPOSE = 'sign-in provider: refresh token';

/** Between our clock and the issuer's. */
export const TOLERATED_SECONDS = 30;

/** Every request to an issuer goes where those of customers may go. */
export const viaEgress =
  ({ ask }: Pick<Egress, 'ask'>) =>
  async (
    url: string,
    {
      method,
      headers,
      body,
    }: { method?: string; headers?: Record<string, string>; body?: unknown },
  ): Promise<Response> => {
    const reply = await ask({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers: { ...headers },
      ...(body != null && { body: String(body) }),
    });
    const { status, text } = reply;
    return new Response(text === '' ? null : text, { status, headers: { ...reply.headers } });
  };

export type Client = Pick<Provider, 'issuer' | 'clientId'> & { clientSecret: string };

function authenticationFor(server: client.ServerMetadata, secret: string): client.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic')
    ? client.ClientSecretBasic(secret)
    : client.ClientSecretPost(secret);
}

/** By its discovery document, each time: its keys may have changed. */
export async function openIssuer(
  egress: Pick<Egress, 'ask'>,
  { issuer, clientId, clientSecret }: Client,
): Promise<client.Configuration> {
  const metadata = { client_secret: clientSecret, [client.clockTolerance]: TOLERATED_SECONDS };
  // Plain http only where the operator permits it (`EGRESS_ALLOW`).
  const execute = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
  const found = await client.discovery(new URL(issuer), clientId, metadata, undefined, {
    [client.customFetch]: viaEgress(egress),
    execute,
  });
  const server = found.serverMetadata();
  const config = new client.Configuration(
    server,
    clientId,
    metadata,
    authenticationFor(server, clientSecret),
  );
  config[client.customFetch] = viaEgress(egress);
  for (const apply of [...execute, client.enableNonRepudiationChecks]) apply(config);
  return config;
}

export function openProvider(
  { deps }: SystemContext<'egress' | 'secrets'>,
  { orgId, issuer, clientId, sealedClientSecret }: Provider,
): Promise<client.Configuration> {
  const clientSecret = deps.secrets.open({ orgId, purpose: SECRET_PURPOSE }, sealedClientSecret);
  return openIssuer(deps.egress, { issuer, clientId, clientSecret });
}

function causes(thrown: unknown): unknown[] {
  return thrown instanceof Error && thrown.cause !== undefined
    ? [thrown, ...causes(thrown.cause)]
    : [thrown];
}

/** Nobody answered, or with a fault of the server's. */
export function isAway(thrown: unknown): boolean {
  return causes(thrown).some(
    (cause) =>
      cause instanceof EgressError ||
      (cause instanceof Response && cause.status >= 500) ||
      (cause instanceof client.ResponseBodyError && cause.status >= 500),
  );
}

export const isTakenBack = (thrown: unknown): boolean =>
  thrown instanceof client.ResponseBodyError && thrown.error === 'invalid_grant';

export function whyNot(thrown: unknown): string {
  const found = causes(thrown);
  const egress = found.find((cause) => cause instanceof EgressError);
  if (egress) return egress.message;
  const status = found.find((cause) => cause instanceof Response)?.status;
  if (status !== undefined) return `its discovery document was answered ${status}.`;
  return errorMessage(thrown);
}

const words = parser(Type.Array(Type.String()), 'groups');

/** One word, or a list of them. */
function readGroups(claim: unknown): string[] {
  if (typeof claim === 'string') return [claim];
  return Array.isArray(claim) ? words.parse(claim.filter((one) => typeof one === 'string')) : [];
}

export type Claims = {
  subject: string;
  sid: string | null;
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
  /** Null: the answer does not speak of them. */
  groups: string[] | null;
};

/** OpenID Connect Core, 2: a subject has at most 255. */
const names = parser(Text(1, 255), 'name that the issuer gave');
const text = (value: unknown) => (names.check(value) ? value : null);

type Answer = {
  accessToken: string;
  claims: (Readonly<Record<string, unknown>> & { sub: string }) | undefined;
  subject: string;
};

/** Completed from userinfo, unless `isWhole`; null where neither tells anything. */
export async function readWhole(
  config: client.Configuration,
  provider: Provider,
  { accessToken, claims, subject }: Answer,
  isWhole: (told: Claims) => boolean,
): Promise<Claims | null> {
  const told = claims ? readClaims(provider, claims) : null;
  const hasMore = config.serverMetadata().userinfo_endpoint !== undefined;
  if ((told && isWhole(told)) || !hasMore) return told;
  const more = await client.fetchUserInfo(config, accessToken, subject);
  return readClaims(provider, { ...more, ...claims });
}

function readClaims(
  { groupsClaim, issuer }: Pick<Provider, 'groupsClaim' | 'issuer'>,
  claims: Readonly<Record<string, unknown>> & { sub: string },
): Claims {
  const groups = claims[groupsClaim];
  return {
    subject: names.parse(claims.sub),
    sid: text(claims.sid),
    email: text(claims.email)?.toLowerCase() ?? null,
    isEmailVerified: isVerified(issuer, claims),
    name: text(claims.name),
    groups: groups === undefined ? null : readGroups(groups),
  };
}
