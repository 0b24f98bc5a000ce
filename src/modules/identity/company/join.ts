import { must } from '../../../shared/assert.ts';
import { ROLES, type Role } from '../../../shared/permissions.ts';
import { parser } from '../../../shared/schema.ts';
import { DAY_MS } from '../../../shared/time.ts';
import type { Db } from '../../../storage/postgres.ts';
import { countMembers, lockOrganization } from '../accounts/invitations-queries.ts';
import * as rows from '../accounts/queries.ts';
import { findRole } from '../auth/organizations-queries.ts';
import { Email, PersonName } from '../model/account.ts';
import type { Refusal } from '../model/company.ts';
import { MAX_MEMBERS } from '../model/member.ts';
import type { Claims } from './issuer.ts';
import * as queries from './links-queries.ts';
import { findProvider, type Provider } from './queries.ts';

/** The strongest of the groups; null: none that counts. */
export function roleOf(
  { roles, roleWithoutGroup }: Pick<Provider, 'roles' | 'roleWithoutGroup'>,
  groups: readonly string[],
): Role | null {
  const given = new Set(roles.flatMap(({ group, role }) => (groups.includes(group) ? [role] : [])));
  return ROLES.find((role) => given.has(role)) ?? roleWithoutGroup;
}

const addresses = parser(Email, 'address that an issuer gave');
const names = parser(PersonName, 'name that an issuer gave');

function refuseAddress(
  { domains }: Pick<Provider, 'domains'>,
  { email, isEmailVerified }: Pick<Claims, 'email' | 'isEmailVerified'>,
): Refusal | null {
  if (email === null || !isEmailVerified) return 'address_not_verified';
  if (!addresses.check(email)) return 'address_not_valid';
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return domains.includes(domain) ? null : 'domain_not_allowed';
}

type Person = { orgId: string; userId: string };

const stays = async (db: Db, person: Person, role: Role) =>
  role !== 'owner' && (await queries.isLastOwner(db, person));

/** Makes nobody a member. */
export async function renewRole(db: Db, person: Person, role: Role): Promise<void> {
  if (!(await stays(db, person, role))) await queries.updateRole(db, { ...person, role });
}

/** The last owner stays a member. */
export async function removeMembership(db: Db, person: Person): Promise<void> {
  if (!(await queries.isLastOwner(db, person))) await queries.deleteMember(db, person);
}

type Joining = {
  provider: Provider;
  claims: Claims;
  sealedRefreshToken: string;
  /** The account that joins, by an act in a session of its own. */
  joiningId: string | null;
  mayMakeAccounts: boolean;
  now: Date;
};

export type Joined = { userId: string; hasJoined: boolean } | { refused: Refusal };

const MAX_NEW_ACCOUNTS_A_DAY = 500;

type Coming = {
  db: Db;
  key: queries.LinkKey;
  email: string;
  joining: Joining;
  linked: queries.Linked | undefined;
};

async function findJoining(
  { db, key, email, linked }: Coming,
  userId: string,
): Promise<queries.Linked | { refused: Refusal }> {
  if ((await rows.findUser(db, userId))?.email !== email) return { refused: 'other_address' };
  const isOther = linked?.isOwn && linked.userId !== userId;
  if (isOther || (await queries.isLinkedOtherwise(db, key, userId)))
    return { refused: 'linked_otherwise' };
  return { userId, isOwn: true };
}

/** By the subject: an address alone gives nobody the account that has it. */
async function findAccount(coming: Coming): Promise<queries.Linked | { refused: Refusal }> {
  const { db, key, email, joining, linked } = coming;
  const { orgId } = key;
  const { joiningId, mayMakeAccounts, now } = joining;
  if (joiningId !== null) return findJoining(coming, joiningId);
  if (linked?.isOwn && !(await findRole(db, orgId, linked.userId))) {
    const isOut = await queries.isBarred(db, { orgId, userId: linked.userId, email, now });
    return { refused: isOut ? 'removed' : 'join_first' };
  }
  if (linked) return linked;
  const member = await queries.findOwnMember(db, { orgId, email });
  if (member !== undefined) {
    const isLinked = await queries.isLinkedOtherwise(db, key, member);
    return { refused: isLinked ? 'linked_otherwise' : 'join_first' };
  }
  if (!mayMakeAccounts) return { refused: 'sign_up_closed' };
  const since = new Date(now.getTime() - DAY_MS);
  const made = await rows.countCompanyAccounts(db, { orgId, since });
  if (made >= MAX_NEW_ACCOUNTS_A_DAY) return { refused: 'too_many_today' };
  return { userId: crypto.randomUUID(), isOwn: false };
}

async function refuseNewMember(
  db: Db,
  coming: Person & { email: string; now: Date },
): Promise<Refusal | null> {
  if (await queries.isBarred(db, coming)) return 'removed';
  return (await countMembers(db, coming.orgId)) < MAX_MEMBERS ? null : 'full';
}

async function enter(
  { db, key, email, joining, linked }: Coming,
  { userId, isOwn }: queries.Linked,
  role: Role,
): Promise<void> {
  const { orgId } = key;
  const { claims, sealedRefreshToken, now } = joining;
  const name = [...(claims.name ?? '')].slice(0, 80).join('');
  if (!isOwn) {
    const shown = names.check(name) ? name : email.slice(0, 80);
    await rows.upsertCompanyAccount(db, { ...key, userId, email, name: shown, now });
  }
  await queries.upsertLink(db, { ...key, userId, sealedRefreshToken, now });
  const former = linked && linked.userId !== userId ? linked.userId : null;
  const inherits = former !== null && (await queries.isLastOwner(db, { orgId, userId: former }));
  const given = inherits ? 'owner' : role;
  if (!(await stays(db, { orgId, userId }, given))) {
    await queries.setRole(db, { orgId, userId, role: given, now });
  }
  if (former !== null) await rows.replaceCompanyAccount(db, { orgId, userId: former, by: userId });
}

/** Account, link and membership of who came by the provider; within a transaction. */
export async function joinByProvider(db: Db, joining: Joining): Promise<Joined> {
  const { claims, now } = joining;
  const { orgId, issuer, clientId } = joining.provider;
  await lockOrganization(db, orgId);
  // While the issuer answered, an owner may have changed it or turned it off.
  const provider = await findProvider(db, orgId);
  if (provider?.issuer !== issuer || provider.clientId !== clientId) return { refused: 'too_late' };
  const refused = refuseAddress(provider, claims);
  if (refused) return { refused };
  const email = must(claims.email, 'the address was checked');
  const key = { orgId, issuer, subject: claims.subject };
  const linked = await queries.findLinked(db, key);
  const role = roleOf(provider, claims.groups ?? []);
  if (role === null) {
    if (linked) await removeMembership(db, { orgId, userId: linked.userId });
    return { refused: 'no_group' };
  }
  const coming = { db, key, email, joining, linked };
  const account = await findAccount(coming);
  if ('refused' in account) return account;
  const { userId } = account;
  const isMember = (await findRole(db, orgId, userId)) !== null;
  const unwanted = isMember ? null : await refuseNewMember(db, { orgId, userId, email, now });
  if (unwanted) return { refused: unwanted };
  await enter(coming, account, role);
  const wasJoined = isMember && linked?.userId === userId;
  return { userId, hasJoined: joining.joiningId !== null && !wasJoined };
}
