import type { Static } from '@sinclair/typebox';
import type { VisitorContext, WithCookies } from '../../../context.ts';
import type { RateLimits } from '../../../http/limits.ts';
import { invalidInput } from '../../../shared/errors.ts';
import type { Db } from '../../../storage/postgres.ts';
import { rememberDevice } from '../accounts/new-device.ts';
import { callAs, type PersonContext, toUser } from '../accounts/visitor.ts';
import type { SignedIn } from '../model/account.ts';
import { isTimeBased } from '../model/second-factor.ts';
import { useCode } from './queries.ts';

/** By the cookie of the first step. */
export async function signInWithCode(
  visitor: VisitorContext<'clock' | 'config' | 'identity' | 'log' | 'rateLimits' | 'sql'>,
  typed: { code: string },
): Promise<WithCookies<Static<typeof SignedIn>>> {
  const code = readCode(typed.code);
  const half = await readHalfSignIn(visitor);
  const ctx = { ...visitor, headers: half.headers };
  const { clock, identity, log, rateLimits, sql } = ctx.deps;
  if (half.userId !== null) await limitGuesses(rateLimits, half.userId);
  const { response, headers } = await callAs(ctx, (api, headers) =>
    isTimeBased(code)
      ? api.verifyTOTP({ body: { code }, headers, returnHeaders: true })
      : api.verifyBackupCode({ body: { code }, headers, returnHeaders: true }),
  ).catch((thrown: unknown) => {
    const { requestId, address } = ctx;
    log.info({ audit: 'second_factor_failed', requestId, address }, 'second factor failed');
    throw thrown;
  });
  const { user, token } = response;
  if (!(await useCode(sql, { userId: user.id, code, now: clock() }))) {
    const { internalAdapter } = await identity.auth.$context;
    if (token) await internalAdapter.deleteSession(token);
    throw usedAlready();
  }
  const cookies = [...headers.getSetCookie(), ...rememberDevice(visitor, user)];
  return { value: { user: toUser(user) }, cookies };
}

export const usedAlready = () =>
  invalidInput('code', 'was used already: wait for the next that the app shows');

const RECOVERY = /^([A-Za-z\d]{5})([A-Za-z\d]{5})$/;

export function readCode(typed: string): string {
  const code = typed
    .normalize('NFKC')
    .replaceAll(/[\s\p{Cf}\p{P}\u2212]/gu, '')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => `${digit.charCodeAt(0) % 16}`);
  if (isTimeBased(code)) return code;
  const [, first, last] = RECOVERY.exec(code) ?? [];
  if (first !== undefined) return `${first}-${last}`;
  throw invalidInput(
    'code',
    'must be the six digits of the app, or a recovery code of ten letters',
  );
}

/** By account, before a look at the code: neither open sessions nor many sign-ins at once add guesses. */
export async function limitGuesses(
  rateLimits: Pick<RateLimits, 'take'>,
  userId: string,
): Promise<void> {
  await rateLimits.take('signInAccount', `factor ${userId}`);
}

/** Accepts a code of the app, or a recovery code. Throws `invalid_input`. */
export async function checkCode(
  ctx: PersonContext<'clock' | 'identity'>,
  db: Db,
  code: string,
): Promise<void> {
  await callAs(ctx, (api, headers) =>
    isTimeBased(code)
      ? api.verifyTOTP({ body: { code }, headers })
      : api.verifyBackupCode({ body: { code, disableSession: true }, headers }),
  );
  const used = { userId: ctx.userId, code, now: ctx.deps.clock() };
  if (!(await useCode(db, used))) throw usedAlready();
}

const HALF_SIGNED_IN = 'two_factor';

export async function readHalfSignIn({
  deps: { identity },
  headers,
}: VisitorContext<'identity'>): Promise<{ userId: string | null; headers: Headers }> {
  const { authCookies, createAuthCookie, internalAdapter } = await identity.auth.$context;
  const sent = new Bun.CookieMap(headers.get('cookie') ?? '');
  const { name } = createAuthCookie(HALF_SIGNED_IN);
  const kept = [name, authCookies.dontRememberToken.name].flatMap((one) => {
    const value = sent.get(one);
    return value ? [`${one}=${encodeURIComponent(value)}`] : [];
  });
  const own = new Headers(headers);
  own.set('cookie', kept.join('; '));
  const signed = sent.get(name) ?? '';
  const secret = signed.slice(0, Math.max(0, signed.lastIndexOf('.')));
  const found = secret === '' ? null : await internalAdapter.findVerificationValue(secret);
  return { userId: found?.value ?? null, headers: own };
}
