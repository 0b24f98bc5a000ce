import type { Static } from '@sinclair/typebox';
import { encode } from 'uqr';
import type { WithCookies } from '../../../context.ts';
import { must } from '../../../shared/assert.ts';
import { invalidInput, orNotFound, AppError } from '../../../shared/errors.ts';
import { findUserByEmail } from '../accounts/queries.ts';
import { callAs, type PersonContext } from '../accounts/visitor.ts';
import type { IdentityContext } from '../auth/identity.ts';
import { together } from '../auth/together.ts';
import type { Done } from '../model/account.ts';
import * as model from '../model/second-factor.ts';
import { checkCode, limitGuesses, readCode, usedAlready } from './codes.ts';
import { findFactor, useCode, deleteFactor } from './queries.ts';

/** Needs password and code: neither a session nor a password alone takes it away. */
export async function removeSecondFactor(
  ctx: PersonContext<'clock' | 'identity' | 'rateLimits' | 'sql'>,
  { currentPassword, code: typed }: Static<typeof model.PasswordAndCodeBody>,
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

function toQr(text: string): model.NewSecondFactor['qr'] {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { size, path: path.join('') };
}

export async function showSecondFactor(
  ctx: PersonContext<'identity' | 'sql'>,
): Promise<model.SecondFactor> {
  const { isOn, isRequired } = orNotFound(await findFactor(ctx.deps.sql, ctx.userId));
  const { userId } = ctx;
  const kept = isOn
    ? await callAs(ctx, (api) => api.viewBackupCodes({ body: { userId } }))
    : { backupCodes: [] };
  return { isOn, isRequired, recoveryCodesLeft: kept.backupCodes.length };
}

/** Counts once `confirmSecondFactor` has seen a code. Throws `conflict` for one that is on. */
export async function setUpSecondFactor(
  ctx: PersonContext<'identity' | 'rateLimits' | 'sql'>,
  { currentPassword }: { currentPassword: string },
): Promise<model.NewSecondFactor> {
  await limitGuesses(ctx.deps.rateLimits, ctx.userId);
  const made = await together(ctx.deps.sql, () =>
    callAs(ctx, (api, headers) =>
      api.enableTwoFactor({ body: { password: currentPassword, method: 'totp' }, headers }),
    ),
  );
  const address = must('totpURI' in made ? made.totpURI : null, 'a new factor has an address');
  const recoveryCodes = must('backupCodes' in made ? made.backupCodes : null, 'and its codes');
  const secret = must(new URL(address).searchParams.get('secret'), 'an address has its secret');
  return { address, secret, qr: toQr(address), recoveryCodes };
}

/** The session of this request goes on under another cookie. */
export async function confirmSecondFactor(
  ctx: PersonContext<'clock' | 'identity' | 'rateLimits' | 'sql'>,
  typed: { code: string },
): Promise<WithCookies<Done>> {
  const code = readCode(typed.code);
  if (!model.isTimeBased(code)) throw invalidInput('code', 'must be the six digits of the app');
  await limitGuesses(ctx.deps.rateLimits, ctx.userId);
  const { userId } = ctx;
  const { headers } = await together(ctx.deps.sql, async (db) => {
    const verified = await callAs(ctx, (api, headers) =>
      api.verifyTOTP({ body: { code }, headers, returnHeaders: true }),
    );
    if (!(await useCode(db, { userId, code, now: ctx.deps.clock() }))) throw usedAlready();
    return verified;
  });
  ctx.deps.identity.authenticator.forgetUser(userId);
  return { value: { status: true }, cookies: headers.getSetCookie() };
}

export async function renewRecoveryCodes(
  ctx: PersonContext<'clock' | 'identity' | 'rateLimits' | 'sql'>,
  { currentPassword, code: typed }: Static<typeof model.PasswordAndCodeBody>,
): Promise<model.NewRecoveryCodes> {
  const code = readCode(typed);
  await limitGuesses(ctx.deps.rateLimits, ctx.userId);
  const { backupCodes } = await together(ctx.deps.sql, async (db) => {
    await checkCode(ctx, db, code);
    return callAs(ctx, (api, headers) =>
      api.generateBackupCodes({ body: { password: currentPassword }, headers }),
    );
  });
  return { recoveryCodes: backupCodes };
}
