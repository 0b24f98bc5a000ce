import { must } from '../../../shared/assert.ts';
import { ROLES, type Role } from '../../../shared/permissions.ts';
import type { Db } from '../../../storage/postgres.ts';
import { findUserByEmail } from '../accounts/queries.ts';
import type { Auth } from '../auth/auth.ts';
import { callAuth } from '../auth/auth-errors.ts';
import type { Refusal } from '../model/company.ts';
import type { Claims } from './issuer.ts';
import {
  deleteMember,
  findLinkedUser,
  isBarred,
  isLastOwner,
  isLinkedOtherwise,
  setRole,
  updateRole,
  upsertLink,
} from './links-queries.ts';
import type { Provider } from './queries.ts';

/** The strongest of the groups; null: none that counts. */
export function roleOf(
  { roles, roleWithoutGroup }: Pick<Provider, 'roles' | 'roleWithoutGroup'>,
  groups: readonly string[],
): Role | null {
  const given = new Set(roles.flatMap(({ group, role }) => (groups.includes(group) ? [role] : [])));
  return ROLES.find((role) => given.has(role)) ?? roleWithoutGroup;
}

export function refuseAddress(
  { domains }: Pick<Provider, 'domains'>,
  { email, isEmailVerified }: Pick<Claims, 'email' | 'isEmailVerified'>,
): Refusal | null {
  if (email === null || !isEmailVerified) return 'address_not_verified';
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return domains.includes(domain) ? null : 'domain_not_allowed';
}

type Person = { orgId: string; userId: string };

/** The last owner stays one. */
const stays = async (db: Db, person: Person, role: Role) =>
  role !== 'owner' && (await isLastOwner(db, person));

/** Makes nobody a member. */
export async function renewRole(db: Db, person: Person, role: Role): Promise<void> {
  if (!(await stays(db, person, role))) await updateRole(db, { ...person, role });
}

/** The last owner stays a member. */
export async function removeMembership(db: Db, person: Person): Promise<void> {
  if (!(await isLastOwner(db, person))) await deleteMember(db, person);
}

type Joining = {
  provider: Provider;
  claims: Claims;
  sealedRefreshToken: string;
  now: Date;
};

export type Joined = { userId: string } | { refused: Refusal };

/** Of the same subject, else of the same proved address, else a new one. */
async function accountFor(db: Db, auth: Auth, { provider, claims }: Joining): Promise<Joined> {
  const { orgId, issuer } = provider;
  const key = { orgId, issuer, subject: claims.subject };
  const email = must(claims.email, 'the address was checked');
  const known = await findUserByEmail(db, email);
  // Last: an account that another sign-in has just made is seen with its link.
  const linked = await findLinkedUser(db, key);
  if (linked !== undefined) return { userId: linked };
  if (known) {
    if (await isLinkedOtherwise(db, key, known.id)) return { refused: 'linked_otherwise' };
    return known.emailVerified ? { userId: known.id } : { refused: 'address_not_proved' };
  }
  const { internalAdapter } = await auth.$context;
  const name = (claims.name ?? email).slice(0, 80);
  // The word of one organization's issuer proves nothing to others.
  const user = await callAuth(() =>
    internalAdapter.createUser({ email, name, emailVerified: false }, { method: 'sso' }),
  );
  return { userId: user.id };
}

/** Account, link and membership of who came by the provider; within a transaction. */
export async function joinByProvider(db: Db, auth: Auth, joining: Joining): Promise<Joined> {
  const { provider, claims, sealedRefreshToken, now } = joining;
  const { orgId, issuer } = provider;
  const refused = refuseAddress(provider, claims);
  if (refused) return { refused };
  const role = roleOf(provider, claims.groups ?? []);
  const key = { orgId, issuer, subject: claims.subject };
  if (role === null) {
    const userId = await findLinkedUser(db, key);
    if (userId !== undefined) await removeMembership(db, { orgId, userId });
    return { refused: 'no_group' };
  }
  const account = await accountFor(db, auth, joining);
  if ('refused' in account) return account;
  const { userId } = account;
  const person = { orgId, userId };
  if (await isBarred(db, person, now)) return { refused: 'removed' };
  await upsertLink(db, { ...key, userId, sealedRefreshToken, now });
  if (!(await stays(db, person, role))) await setRole(db, { ...person, role, now });
  return { userId };
}
