import type { Role } from '../../../shared/permissions.ts';
import { type Db, type Fragment, hasRows, done } from '../../../storage/postgres.ts';
import { isOnlyOwner, shownAddress } from '../auth/organizations-queries.ts';

export type LinkKey = { orgId: string; issuer: string; subject: string };

/** `isOwn`: an account that joined; else one that the issuer made. */
export type Linked = { userId: string; isOwn: boolean };

export async function findLinked(
  db: Db,
  { orgId, issuer, subject }: LinkKey,
): Promise<Linked | undefined> {
  const rows = await db<Linked[]>`
    SELECT l.user_id AS "userId", u.company_org_id IS NULL AS "isOwn"
    FROM identity_links l JOIN auth."user" u ON u.id = l.user_id
    WHERE org_id = ${orgId} AND issuer = ${issuer} AND subject = ${subject}`;
  return rows[0];
}

/** By another subject: an address that the issuer gave to somebody else. */
export const isLinkedOtherwise = (db: Db, { orgId, issuer, subject }: LinkKey, userId: string) =>
  hasRows(db`
    SELECT 1 FROM identity_links
    WHERE org_id = ${orgId} AND issuer = ${issuer} AND user_id = ${userId}
      AND subject <> ${subject}`);

export async function findOwnMember(
  db: Db,
  { orgId, email }: { orgId: string; email: string },
): Promise<string | undefined> {
  const rows = await db<{ id: string }[]>`
    SELECT u.id FROM auth.member m JOIN auth."user" u ON u.id = m."userId"
    WHERE m."organizationId" = ${orgId} AND u.email = ${email}`;
  return rows[0]?.id;
}

type Signed = DueLink & { now: Date };

export async function upsertLink(db: Db, link: Signed): Promise<void> {
  const { orgId, issuer, subject, userId, sealedRefreshToken, now } = link;
  await db`
    INSERT INTO identity_links (org_id, issuer, subject, user_id, linked_at, sealed_refresh_token,
      checked_at, tried_at)
    VALUES (${orgId}, ${issuer}, ${subject}, ${userId}, ${now}, ${sealedRefreshToken}, ${now},
      ${now})
    ON CONFLICT (org_id, issuer, subject) DO UPDATE SET user_id = excluded.user_id, checked_at = excluded.checked_at,
      sealed_refresh_token = excluded.sealed_refresh_token, tried_at = excluded.tried_at,
      ended_at = NULL`;
}

export type DueLink = LinkKey & { userId: string; sealedRefreshToken: string };

/** The longest untried first. */
export const listDueLinks = async (
  db: Db,
  { before, limit }: { before: Date; limit: number },
) => db<DueLink[]>`
    SELECT l.org_id AS "orgId", l.issuer, l.subject, l.user_id AS "userId",
      l.sealed_refresh_token AS "sealedRefreshToken"
    FROM identity_links l JOIN identity_providers p ON p.org_id = l.org_id AND p.issuer = l.issuer
    WHERE l.sealed_refresh_token IS NOT NULL AND l.tried_at < ${before}
    ORDER BY l.tried_at, l.org_id LIMIT ${limit}`;

const isLink = (db: Db, { orgId, issuer, subject }: LinkKey) => db`
  org_id = ${orgId} AND issuer = ${issuer} AND subject = ${subject}`;

export async function markTried(db: Db, links: readonly LinkKey[], now: Date): Promise<void> {
  for (const link of links) {
    await db`UPDATE identity_links SET tried_at = ${now} WHERE ${isLink(db, link)}`;
  }
}

/** False where somebody signed in, or the membership ended, meanwhile. */
const changeOf = (db: Db, link: LinkKey, token: string, change: Fragment): Promise<boolean> =>
  hasRows(db`
    UPDATE identity_links SET ${change}
    WHERE ${isLink(db, link)} AND sealed_refresh_token = ${token} RETURNING 1`);

export const keepToken = (db: Db, link: DueLink, was: string): Promise<boolean> =>
  changeOf(db, link, was, db`sealed_refresh_token = ${link.sealedRefreshToken}`);

export const markChecked = (db: Db, link: DueLink, now: Date): Promise<boolean> =>
  changeOf(db, link, link.sealedRefreshToken, db`checked_at = ${now}`);

export const dropToken = (db: Db, link: DueLink): Promise<boolean> =>
  changeOf(db, link, link.sealedRefreshToken, db`sealed_refresh_token = NULL, ended_at = now()`);

type Person = { orgId: string; userId: string };

/** True for the only owner that is left. */
export const isLastOwner = (db: Db, { orgId, userId }: Person) =>
  hasRows(db`
    SELECT 1 FROM auth.member m
    WHERE m."organizationId" = ${orgId} AND m."userId" = ${userId} AND ${isOnlyOwner(db)}`);

export const updateRole = (db: Db, { orgId, userId, role }: Person & { role: Role }) =>
  done(db`
    UPDATE auth.member SET role = ${role}
    WHERE "organizationId" = ${orgId} AND "userId" = ${userId} AND role <> ${role}`);

type Coming = { orgId: string; userId: string | null; email: string; now: Date };

/** Removed by an owner, and not invited since. */
export const isBarred = (db: Db, { orgId, userId, email, now }: Coming) =>
  hasRows(db`
    SELECT 1 FROM (
      SELECT b.barred_at, ${shownAddress(db, 'u')} AS address
      FROM barred_members b JOIN auth."user" u ON u.id = b.user_id
      WHERE b.org_id = ${orgId} AND (u.id = ${userId} OR ${shownAddress(db, 'u')} = ${email})
      UNION ALL SELECT barred_at, ${email} FROM barred_addresses
      WHERE org_id = ${orgId} AND address_hash = barred_address_hash(${orgId}, ${email})
    ) AS bar
    WHERE NOT EXISTS (
      SELECT 1 FROM auth.invitation i
      WHERE i."organizationId" = ${orgId} AND lower(i.email) IN (${email}, bar.address)
        AND i."createdAt" >= bar.barred_at
        AND i.status = 'pending' AND i."expiresAt" > ${now})`);

/** Writes no row for the role that the person has. */
export const setRole = (db: Db, { orgId, userId, role, now }: Person & { role: Role; now: Date }) =>
  done(db`
    INSERT INTO auth.member (id, "organizationId", "userId", role, "createdAt")
    VALUES (gen_random_uuid()::text, ${orgId}, ${userId}, ${role}, ${now})
    ON CONFLICT ("organizationId", "userId") DO UPDATE SET role = excluded.role
      WHERE member.role <> excluded.role`);

export const deleteMember = (db: Db, { orgId, userId }: Person) =>
  done(db`
    DELETE FROM auth.member WHERE "organizationId" = ${orgId} AND "userId" = ${userId}`);
