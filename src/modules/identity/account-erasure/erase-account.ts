import type { Static } from '@sinclair/typebox';
import type { SystemContext } from '../../../context.ts';
import { AppError, orNotFound } from '../../../shared/errors.ts';
import type { Tx } from '../../../storage/postgres.ts';
import { callAuth } from '../auth/auth-errors.ts';
import type { Done, EraseAccountBody } from '../model/account.ts';
import { checkCode, limitGuesses, readCode } from '../second-factor/codes.ts';
import * as queries from './erase-account-queries.ts';
import { findUser, findUserByEmail, type KnownUser } from '../accounts/queries.ts';
import { callAs, type PersonContext } from '../accounts/visitor.ts';

/** Throws `conflict` for the only owner of an organization. */
async function erase(
  { deps: { identity, log, sql } }: SystemContext<'identity' | 'log' | 'sql'>,
  user: KnownUser,
): Promise<void> {
  const work = async (tx: Tx) => {
    const [owned] = await queries.selectOnlyOwned(tx, user.id);
    if (owned !== undefined) {
      throw new AppError('conflict', `The account is the only owner of "${owned}".`, {
        hint: 'Make somebody else its owner, or delete the organization first.',
      });
    }
    await queries.deleteAccountRows(tx, user);
    await queries.forgetAccountInAudit(tx, user.id);
  };
  await callAuth(() => sql.begin(work));
  identity.authenticator.forgetUser(user.id);
  log.info({ audit: 'account_erased', userId: user.id }, 'account erased');
}

export async function eraseOwnAccount(
  ctx: PersonContext<'clock' | 'identity' | 'log' | 'rateLimits' | 'sql'>,
  { email, currentPassword = '', code: typed }: Static<typeof EraseAccountBody>,
): Promise<Done> {
  const { identity, rateLimits, sql } = ctx.deps;
  const user = orNotFound(await findUser(sql, ctx.userId));
  if (email.toLowerCase() !== user.email) {
    throw new AppError('confirmation_mismatch', 'The confirmation is not its address.', {
      hint: 'email: must be the address of this account',
    });
  }
  const code = typed === undefined ? undefined : readCode(typed);
  await limitGuesses(rateLimits, ctx.userId);
  const { internalAdapter } = await identity.auth.$context;
  const signIns = await internalAdapter.findAccounts(user.id);
  if (signIns.some(({ providerId }) => providerId === 'credential')) {
    const body = { password: currentPassword };
    await callAs(ctx, (api, headers) => api.verifyPassword({ body, headers }));
  }
  const stored = await internalAdapter.findUserById(user.id);
  if (stored && 'twoFactorEnabled' in stored && stored.twoFactorEnabled) {
    await checkCode(ctx, sql, code ?? readCode(''));
  }
  await erase(ctx, user);
  return { status: true };
}

export async function eraseAccount(
  ctx: SystemContext<'identity' | 'log' | 'sql'>,
  { email }: { email: string },
): Promise<{ email: string; userId: string }> {
  const user = await findUserByEmail(ctx.deps.sql, email);
  if (!user) throw new AppError('not_found', `There is no account "${email}".`);
  await erase(ctx, user);
  return { email: user.email, userId: user.id };
}
