import type { Role } from '../../shared/permissions.ts';
import { toIso } from '../../shared/time.ts';
import type { Db } from '../../storage/postgres.ts';
import { strongestRole } from '../organizations/access-control.ts';
import type { Invitation, Member, ReceivedInvitation } from './model.ts';

/** True when the secret is that of an open invitation to the address. */
export async function isOpenInvitation(
  db: Db,
  { id, email, now }: { id: string; email: string; now: Date },
): Promise<boolean> {
  const rows = await db`
    SELECT 1 FROM auth.invitation
    WHERE id = ${id} AND email = ${email.toLowerCase()} AND status = 'pending'
      AND "expiresAt" > ${now}`;
  return rows.length > 0;
}

export async function listOpenInvitations(db: Db, orgId: string, now: Date): Promise<Invitation[]> {
  const rows = await db<{ email: string; role: string; expiresAt: Date; createdAt: Date }[]>`
    SELECT email, coalesce(role, 'member') AS role, "expiresAt", "createdAt"
    FROM auth.invitation
    WHERE "organizationId" = ${orgId} AND status = 'pending' AND "expiresAt" > ${now}
    ORDER BY "createdAt" DESC, id`;
  return rows.map((row) => ({
    email: row.email,
    role: strongestRole(row.role) ?? 'viewer',
    expiresAt: toIso(row.expiresAt),
    createdAt: toIso(row.createdAt),
  }));
}

/** Ends the open invitations to an address. False when there was none. */
export async function cancelOpenInvitations(
  db: Db,
  orgId: string,
  email: string,
): Promise<boolean> {
  const rows = await db`
    UPDATE auth.invitation SET status = 'canceled'
    WHERE "organizationId" = ${orgId} AND email = ${email.toLowerCase()} AND status = 'pending'
    RETURNING id`;
  return rows.length > 0;
}

/** An open invitation to the address of this person, by a member who still is one. */
export async function findReceivedInvitation(
  db: Db,
  { id, userId, now }: { id: string; userId: string; now: Date },
): Promise<ReceivedInvitation | undefined> {
  const rows = await db<
    (Omit<ReceivedInvitation, 'role' | 'expiresAt'> & { role: string; expiresAt: Date })[]
  >`
    SELECT organization.id AS "organizationId", organization.name AS "organizationName",
      inviter.email AS "inviterEmail", invitation.email,
      coalesce(invitation.role, 'member') AS role, invitation."expiresAt"
    FROM auth.invitation
    JOIN auth.organization ON organization.id = invitation."organizationId"
    JOIN auth."user" AS inviter ON inviter.id = invitation."inviterId"
    JOIN auth."user" AS invited ON invited.email = lower(invitation.email)
    WHERE invitation.id = ${id} AND invited.id = ${userId} AND invitation.status = 'pending'
      AND invitation."expiresAt" > ${now}`;
  return rows.map((row) => ({
    ...row,
    role: strongestRole(row.role) ?? 'viewer',
    expiresAt: toIso(row.expiresAt),
  }))[0];
}

type MemberRow = Omit<Member, 'role' | 'createdAt'> & { role: string; createdAt: Date };

function toMember(row: MemberRow): Member {
  return {
    ...row,
    role: strongestRole(row.role) ?? 'viewer',
    createdAt: toIso(row.createdAt),
  };
}

/** The members of an organization, oldest membership first. */
export async function listMemberRows(db: Db, orgId: string): Promise<Member[]> {
  const rows = await db<MemberRow[]>`
    SELECT member.id, member."userId", "user".name, "user".email, member.role, member."createdAt"
    FROM auth.member
    JOIN auth."user" ON "user".id = member."userId"
    WHERE member."organizationId" = ${orgId}
    ORDER BY member."createdAt", member.id`;
  return rows.map(toMember);
}

export async function findMemberRow(
  db: Db,
  orgId: string,
  memberId: string,
): Promise<Member | undefined> {
  const rows = await db<MemberRow[]>`
    SELECT member.id, member."userId", "user".name, "user".email, member.role, member."createdAt"
    FROM auth.member
    JOIN auth."user" ON "user".id = member."userId"
    WHERE member."organizationId" = ${orgId} AND member.id = ${memberId}`;
  return rows.map(toMember)[0];
}

/** The owner who has been one for longest. */
export async function findOwner(db: Db, orgId: string): Promise<{ userId: string } | undefined> {
  const rows = await db<{ userId: string }[]>`
    SELECT "userId" FROM auth.member
    WHERE "organizationId" = ${orgId} AND 'owner' = ANY (string_to_array(role, ','))
    ORDER BY "createdAt", id LIMIT 1`;
  return rows[0];
}

export async function upsertMember(
  db: Db,
  { orgId, userId, role, now }: { orgId: string; userId: string; role: Role; now: Date },
): Promise<void> {
  await db`
    INSERT INTO auth.member (id, "organizationId", "userId", role, "createdAt")
    VALUES (gen_random_uuid()::text, ${orgId}, ${userId}, ${role}, ${now})
    ON CONFLICT ("organizationId", "userId") DO UPDATE SET role = excluded.role`;
}
