import type { Static } from '@sinclair/typebox';
import type { VisitorContext, WithCookies } from '../../../context.ts';
import { rememberDevice } from '../accounts/new-device.ts';
import { callAs, toUser } from '../accounts/visitor.ts';
import type { SignedIn } from '../model/account.ts';
import { isTimeBased } from '../model/second-factor.ts';
import { findHalfSignedIn, limitGuesses, readCode, usedAlready } from './codes.ts';
import { useCode } from './queries.ts';

/** A sign-in of somebody else in the same browser. */
function withoutSession(headers: Headers): Headers {
  const cookies = (headers.get('cookie') ?? '').split(/; */);
  const kept = cookies.filter((pair) => !/^[^=]*session_(token|data)=/.test(pair));
  const others = new Headers(headers);
  others.set('cookie', kept.join('; '));
  return others;
}

/** By the cookie of the first step. */
export async function signInWithCode(
  visitor: VisitorContext<'clock' | 'config' | 'identity' | 'log' | 'rateLimits' | 'sql'>,
  typed: { code: string },
): Promise<WithCookies<Static<typeof SignedIn>>> {
  const code = readCode(typed.code);
  const ctx = { ...visitor, headers: withoutSession(visitor.headers) };
  const { clock, identity, log, rateLimits, sql } = ctx.deps;
  const half = await findHalfSignedIn(ctx);
  if (half !== null) await limitGuesses(rateLimits, half);
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
  const cookies = [...headers.getSetCookie(), ...rememberDevice(ctx, user)];
  return { value: { user: toUser(user) }, cookies };
}
