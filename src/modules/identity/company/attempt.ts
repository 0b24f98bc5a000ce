import { createHmac } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import { toPublicUrl } from '../../../shared/own-origin.ts';
import { isSameSecret } from '../../../shared/same-secret.ts';
import { Nullable, parser } from '../../../shared/schema.ts';

const Attempt = Type.Object({
  orgId: Type.String(),
  issuer: Type.String(),
  clientId: Type.String(),
  state: Type.String(),
  nonce: Type.String(),
  verifier: Type.String(),
  joiningId: Nullable(Type.String()),
  /** Begun on a page of the console. */
  isOwnAct: Type.Optional(Type.Boolean()),
  until: Type.Integer(),
});
export type Attempt = Static<typeof Attempt>;

const COOKIE = 'company_sign_in';
const PATH = '/v1/auth/oidc';
const VALID_SECONDS = 10 * 60;

const attempts = parser(Attempt, 'started sign-in');

function signature(payload: string, secret: string): string {
  return createHmac('sha256', secret).update(`company-sign-in:${payload}`).digest('base64url');
}

type Listening = Parameters<typeof toPublicUrl>[0];

function toCookie(listening: Listening, value: string, seconds: number): string {
  const isSecure = toPublicUrl(listening).startsWith('https:');
  const parts = [`${COOKIE}=${value}`, `Max-Age=${seconds}`, `Path=${PATH}`];
  return [...parts, 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])].join('; ');
}

export function attemptCookie(
  listening: Listening,
  attempt: Omit<Attempt, 'until'>,
  { secret, now }: { secret: string; now: Date },
): string {
  const until = Math.floor(now.getTime() / 1_000) + VALID_SECONDS;
  const payload = Buffer.from(JSON.stringify({ ...attempt, until })).toString('base64url');
  return toCookie(listening, `${payload}.${signature(payload, secret)}`, VALID_SECONDS);
}

export const spentCookie = (listening: Listening): string => toCookie(listening, '', 0);

export function readAttempt(
  headers: Headers,
  { secret, now }: { secret: string; now: Date },
): Attempt | null {
  const cookie = new Bun.CookieMap(headers.get('cookie') ?? '').get(COOKIE);
  const [, payload, received] = cookie?.match(/^([\w-]+)\.([\w-]+)$/) ?? [];
  if (payload === undefined || received === undefined) return null;
  if (!isSameSecret(received, signature(payload, secret))) return null;
  const attempt = attempts.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  return attempt.until * 1_000 > now.getTime() ? attempt : null;
}
