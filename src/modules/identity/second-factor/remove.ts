import type { Static } from '@sinclair/typebox';
import type { WithCookies } from '../../../context.ts';
import { AppError } from '../../../shared/errors.ts';
import { findUserByEmail } from '../accounts/queries.ts';
import { callAs, type PersonContext } from '../accounts/visitor.ts';
import type { IdentityContext } from '../auth/identity.ts';
import { together } from '../auth/together.ts';
import type { Done } from '../model/account.ts';
import type { PasswordAndCodeBody } from '../model/second-factor.ts';
import { checkCode, limitGuesses, readCode } from './codes.ts';
import { deleteFactor } from './queries.ts';

/** Needs password and code: neither a session nor a password alone takes it away. */
export async function removeSecondFactor(
  ctx: PersonContext<'clock' | 'identity' | 'rateLimits' | 'sql'>,
  { currentPassword, code: typed }: Static<typeof PasswordAndCodeBody>,
): Promise<WithCookies<Done>> {
  const code = readCode(typed);
  const { identity, rateLimits, sql } = ctx.deps;
  await limitGuesses(rateLimits, ctx.userId);
  const { headers } = await together(sql, async (db) => {
    await checkCode(ctx, db, code);
    return callAs(ctx, (api, headers) =>
      api.disableTwoFactor({ body: { password: currentPassword }, headers, returnHeaders: true }),
    );
  });
  identity.authenticator.forgetUser(ctx.userId);
  return { value: { status: true }, cookies: headers.getSetCookie() };
}

/** For a lost device; ends all sessions. Throws `not_found`. */
export async function takeAwaySecondFactor(
  { deps: { identity, sql } }: IdentityContext,
  { email }: { email: string },
): Promise<{ email: string; wasOn: boolean }> {
  const user = await findUserByEmail(sql, email);
  if (!user) throw new AppError('not_found', `There is no account "${email}".`);
  const context = await identity.auth.$context;
  const wasOn = await together(sql, async (db) => {
    const had = await deleteFactor(db, user.id);
    await context.internalAdapter.deleteUserSessions(user.id);
    return had;
  });
  return { email: user.email, wasOn };
}
