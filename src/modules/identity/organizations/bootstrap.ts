import { PERMISSIONS } from '../../../shared/permissions.ts';
import { checkAddressProved } from '../accounts/address-proved.ts';
import { createAccount } from '../accounts/create-account.ts';
import { findUserByEmail } from '../accounts/queries.ts';
import { randomPassword } from '../accounts/set-password.ts';
import { createKey } from '../organization-keys/create-key.ts';
import { createOrganization } from './create-organization.ts';
import type { IdentityContext } from './identity.ts';

export type BootstrapInput = {
  organization: string;
  email: string;
  password?: string | undefined;
  /** True: the operator knows whose an existing account with an unproved address is. */
  existing?: boolean | undefined;
};

export type Bootstrapped = {
  organizationId: string;
  userId: string;
  email: string;
  /** Null when the address had an account already: its password stays as it is. */
  password: string | null;
  apiKey: string;
};

/**
 * A new organization, its owner and an organization key with every permission. Each call makes
 * another organization; an address that has an account becomes owner of this one too. Throws
 * `conflict` for an account that has not proved its address, unless it is said to be meant.
 */
export async function bootstrap(
  ctx: IdentityContext,
  input: BootstrapInput,
): Promise<Bootstrapped> {
  const {
    sql,
    identity: { auth },
  } = ctx.deps;
  const email = input.email.toLowerCase();
  const known = await findUserByEmail(sql, email);
  if (known) checkAddressProved(known, input.existing);
  const password = known ? null : (input.password ?? randomPassword());
  const userId =
    known?.id ??
    (await createAccount(auth, {
      email,
      name: email.split('@')[0] ?? email,
      password: password ?? '',
    }));
  const organization = await createOrganization(auth, {
    name: input.organization,
    ownerId: userId,
  });
  const { secret } = await createKey(ctx, {
    orgId: organization.id,
    userId,
    name: 'bootstrap',
    permissions: PERMISSIONS,
  });
  return { organizationId: organization.id, userId, email, password, apiKey: secret };
}
