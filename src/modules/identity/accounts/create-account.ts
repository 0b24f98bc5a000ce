import { AppError } from '../../../shared/errors.ts';
import type { Auth } from '../organizations/auth.ts';
import { callAuth } from '../organizations/auth-errors.ts';

import { refuseKnownPassword } from './known-passwords.ts';

export type NewAccount = { email: string; name: string; password: string };

/**
 * Makes an account without a session: for operators, who are not held by the sign-up policy and
 * vouch for the address.
 * Returns the id of the person. Throws `conflict` when the address has an account.
 */
export async function createAccount(auth: Auth, input: NewAccount): Promise<string> {
  const context = await auth.$context;
  const email = input.email.toLowerCase();
  if (await context.internalAdapter.findUserByEmail(email)) {
    throw new AppError('conflict', 'There is an account with this address.');
  }
  refuseKnownPassword('password', input.password, input);
  const password = await context.password.hash(input.password);
  return callAuth(async () => {
    const user = await context.internalAdapter.createUser(
      { email, name: input.name, emailVerified: true },
      { method: 'email-password' },
    );
    await context.internalAdapter.linkAccount({
      userId: user.id,
      providerId: 'credential',
      accountId: user.id,
      password,
    });
    return user.id;
  });
}
