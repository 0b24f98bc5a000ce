import type { Static } from '@sinclair/typebox';
import type { VisitorContext, WithCookies } from '../../../context.ts';
import { rememberDevice } from '../accounts/new-device.ts';
import { callAs, toUser } from '../accounts/visitor.ts';
import type { SignedIn } from '../model/account.ts';
import { isTimeBased } from '../model/second-factor.ts';
import { limitGuesses, readCode, readHalfSignIn, usedAlready } from './codes.ts';
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
