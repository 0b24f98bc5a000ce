import { randomInt } from 'node:crypto';
import type { MemberContext, SelfContext, WithCookies } from '../../../context.ts';
import { at, must } from '../../../shared/assert.ts';
import { AppError, invalidInput, notFound } from '../../../shared/errors.ts';
import type { Db } from '../../../storage/postgres.ts';
import { lockUser } from '../accounts/queries.ts';
import { activate, showSession } from '../accounts/sessions.ts';
import { callAs, type PersonContext } from '../accounts/visitor.ts';
import { callAuth } from '../auth/auth-errors.ts';
import type { Auth } from '../auth/auth.ts';
import * as queries from '../auth/organizations-queries.ts';
import { together } from '../auth/together.ts';
import type { CurrentSession, Done } from '../model/account.ts';
import type { Organization } from '../model/organization.ts';

const MAX_UNPROVED = 3;
const HOW_TO_PROVE =
  'Reset the password by the mailed link, which proves the address, or delete an organization.';
const SUFFIX_LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const SUFFIX_LENGTH = 8;

/** With a random end: unique over all organizations. */
function slugFor(name: string): string {
  const base = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .slice(0, 30);
  const suffix = Array.from({ length: SUFFIX_LENGTH }, () =>
    at(SUFFIX_LETTERS, randomInt(SUFFIX_LETTERS.length)),
  ).join('');
  return `${base || 'org'}-${suffix}`;
}

export async function createOrganization(
  auth: Auth,
  {
    name,
    slug = slugFor(name),
    ownerId,
  }: { name: string; slug?: string | undefined; ownerId: string },
): Promise<Organization> {
  const created = await callAuth(() =>
    auth.api.createOrganization({ body: { name, slug, userId: ownerId } }),
  );
  return queries.toOrganization(must(created, 'better-auth answers with the new organization'));
}

/** The plugin has the limit of all accounts, counted under this lock. */
async function checkRoom(db: Db, userId: string): Promise<void> {
  const isProved = await lockUser(db, userId);
  if (isProved || (await queries.countMade(db, userId)) < MAX_UNPROVED) return;
  const most = `An account without a proved address makes at most ${MAX_UNPROVED} organizations.`;
  throw new AppError('conflict', most, { hint: HOW_TO_PROVE });
}

export async function createOwnOrganization(
  ctx: PersonContext<'identity' | 'sql'>,
  { name, slug }: { name: string; slug?: string | undefined },
): Promise<WithCookies<Organization>> {
  const { sql, identity } = ctx.deps;
  const value = await together(sql, async (db) => {
    await checkRoom(db, ctx.userId);
    return createOrganization(identity.auth, { name, slug, ownerId: ctx.userId });
  });
  const cookies = await activate(ctx, value.id);
  identity.authenticator.forgetUser(ctx.userId);
  return { value, cookies };
}

export function listOrganizations(
  { deps, self }: SelfContext<'sql'>,
  app: string | null,
): Promise<Organization[]> {
  return queries.listUserOrganizations(deps.sql, self, app);
}

export async function renameOrganization(
  ctx: MemberContext<'identity' | 'sql'>,
  { name, slug }: { name?: string | undefined; slug?: string | undefined },
): Promise<Organization> {
  if (name === undefined && slug === undefined) throw invalidInput('name', 'or slug is needed');
  const data = { ...(name !== undefined && { name }), ...(slug !== undefined && { slug }) };
  const body = { organizationId: ctx.orgId, data };
  const renamed = await together(ctx.deps.sql, () =>
    callAs(ctx, (api, headers) => api.updateOrganization({ body, headers })),
  );
  return queries.toOrganization(must(renamed, 'better-auth answers with the renamed organization'));
}

export async function setActiveOrganization(
  ctx: SelfContext<'clock' | 'identity' | 'sql'>,
  { organizationId }: { organizationId: string | null },
): Promise<WithCookies<CurrentSession>> {
  const { userId, orgId } = ctx.self;
  if (orgId !== null && organizationId !== orgId) throw notFound();
  // For a non-member, better-auth would clear the active organization.
  if (organizationId !== null && !(await queries.findRole(ctx.deps.sql, organizationId, userId))) {
    throw notFound();
  }
  await activate(ctx, organizationId);
  ctx.deps.identity.authenticator.forgetUser(userId);
  return showSession(ctx);
}

export async function leaveOrganization(
  ctx: SelfContext<'identity' | 'sql'>,
  { organizationId }: { organizationId: string },
): Promise<Done> {
  const { userId, orgId } = ctx.self;
  if (orgId !== null && organizationId !== orgId) throw notFound();
  const body = { organizationId };
  await together(ctx.deps.sql, () =>
    callAs(ctx, (api, headers) => api.leaveOrganization({ body, headers })),
  );
  ctx.deps.identity.authenticator.forgetUser(userId);
  return { status: true };
}
