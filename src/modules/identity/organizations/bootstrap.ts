import { at } from '../../../shared/assert.ts';
import { PERMISSIONS } from '../../../shared/permissions.ts';
import { checkAddressProved, createAccount, randomPassword } from '../accounts/operator.ts';
import { findUserByEmail } from '../accounts/queries.ts';
import type { IdentityContext } from '../auth/identity.ts';
import { together } from '../auth/together.ts';
import { createKey } from '../organization-keys/keys.ts';
import { createOrganization } from './organizations.ts';

export type BootstrapInput = {
  organization: string;
  email: string;
  password?: string | undefined;
  existing?: boolean | undefined;
};

export type Bootstrapped = {
  organizationId: string;
  userId: string;
  email: string;
  /** Null for an existing account, whose password stays. */
  password: string | null;
  apiKey: string;
};

type Owner = Pick<Bootstrapped, 'userId' | 'password'>;

async function ownerFor(ctx: IdentityContext, input: BootstrapInput): Promise<Owner> {
  const email = input.email.toLowerCase();
  const user = await findUserByEmail(ctx.deps.sql, email);
  if (user) {
    checkAddressProved(user, input.existing);
    return { userId: user.id, password: null };
  }
  const password = input.password ?? randomPassword();
  const name = at(email.split('@'), 0);
  const { identity, sql } = ctx.deps;
  const userId = await together(sql, () => createAccount(identity.auth, { email, name, password }));
  return { userId, password };
}

export async function bootstrap(
  ctx: IdentityContext,
  input: BootstrapInput,
): Promise<Bootstrapped> {
  const { userId, password } = await ownerFor(ctx, input);
  const { identity, sql } = ctx.deps;
  const { id: organizationId } = await together(sql, () =>
    createOrganization(identity.auth, { name: input.organization, ownerId: userId }),
  );
  const { secret } = await createKey(ctx, {
    orgId: organizationId,
    userId,
    name: 'bootstrap',
    permissions: PERMISSIONS,
  });
  return { organizationId, userId, email: input.email.toLowerCase(), password, apiKey: secret };
}
