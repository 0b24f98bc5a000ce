import type { Role } from '../../../shared/permissions.ts';
import { toIso } from '../../../shared/time.ts';
import { type Db, done } from '../../../storage/postgres.ts';
import { shownRole } from '../auth/access-control.ts';
import { shownAddress } from '../auth/organizations-queries.ts';
import type { Member } from '../model/member.ts';

type MemberRow = Omit<Member, 'role' | 'createdAt'> & { role: string; createdAt: Date };

const toMember = (row: MemberRow): Member => ({
  ...row,
  role: shownRole(row.role),
  createdAt: toIso(row.createdAt),
});

const memberRows = (db: Db, orgId: string) => db`
  SELECT member.id, member."userId", "user".name, ${shownAddress(db, 'user')} AS email, member.role, member."createdAt"
  FROM auth.member JOIN auth."user" ON "user".id = member."userId"
  WHERE member."organizationId" = ${orgId}`;

export async function listMemberRows(db: Db, orgId: string): Promise<Member[]> {
  const rows = await db<MemberRow[]>`
    ${memberRows(db, orgId)} ORDER BY member."createdAt", member.id`;
  return rows.map(toMember);
}

export async function findMemberRow(
  db: Db,
  orgId: string,
  memberId: string,
): Promise<Member | undefined> {
  const rows = await db<MemberRow[]>`${memberRows(db, orgId)} AND member.id = ${memberId}`;
  return rows.map(toMember)[0];
}

export async function findOwner(db: Db, orgId: string): Promise<{ userId: string } | undefined> {
  const rows = await db<{ userId: string }[]>`
    SELECT "userId" FROM auth.member
    WHERE "organizationId" = ${orgId} AND 'owner' = ANY (string_to_array(role, ','))
    ORDER BY "createdAt", id LIMIT 1`;
  return rows[0];
}

/** Until they are invited again. */
export const barMember = (
  db: Db,
  { orgId, userId, now }: { orgId: string; userId: string; now: Date },
) =>
  done(db`
    INSERT INTO barred_members (org_id, user_id, barred_at) VALUES (${orgId}, ${userId}, ${now})
    ON CONFLICT DO NOTHING`);

export const upsertMember = (
  db: Db,
  { orgId, userId, role, now }: { orgId: string; userId: string; role: Role; now: Date },
) =>
  done(db`
    INSERT INTO auth.member (id, "organizationId", "userId", role, "createdAt")
    VALUES (gen_random_uuid()::text, ${orgId}, ${userId}, ${role}, ${now})
    ON CONFLICT ("organizationId", "userId") DO UPDATE SET role = excluded.role`);
