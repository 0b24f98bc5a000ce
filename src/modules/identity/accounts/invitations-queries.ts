import { createHash } from 'node:crypto';
import { onlyRow } from '../../../shared/assert.ts';
import type { Role } from '../../../shared/permissions.ts';
import { DAY_MS, toIso } from '../../../shared/time.ts';
import { type Db, hasRows, type Sql, singleValue, done } from '../../../storage/postgres.ts';
import { shownRole } from '../auth/access-control.ts';
import type { Invitation, OfferedInvitation, ReceivedInvitation } from '../model/member.ts';

export function hashInvitationSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** In rows of the previous release the id is the secret. */
const hasSecret = (db: Db, secret: string) => db`
  (invitation.secret_hash = ${hashInvitationSecret(secret)}
    OR (invitation.secret_hash IS NULL AND invitation.id = ${secret}))`;

const isOpen = (db: Db, now: Date) => db`
  invitation.status = 'pending' AND invitation."expiresAt" > ${now}`;

export async function findOpenInvitation(
  db: Db,
  { secret, email, now }: { secret: string; email: string; now: Date },
): Promise<{ secretMailed: boolean } | undefined> {
  const rows = await db<{ secretMailed: boolean }[]>`
    SELECT secret_mailed AS "secretMailed" FROM auth.invitation
    WHERE ${hasSecret(db, secret)} AND email = ${email.toLowerCase()} AND ${isOpen(db, now)}`;
  return rows[0];
}

export async function listOpenInvitations(db: Db, orgId: string, now: Date): Promise<Invitation[]> {
  const rows = await db<{ email: string; role: string; expiresAt: Date; createdAt: Date }[]>`
    SELECT email, coalesce(role, 'member') AS role, "expiresAt", "createdAt"
    FROM auth.invitation
    WHERE "organizationId" = ${orgId} AND ${isOpen(db, now)}
    ORDER BY "createdAt" DESC, id`;
  return rows.map((row) => ({
    email: row.email,
    role: shownRole(row.role),
    expiresAt: toIso(row.expiresAt),
    createdAt: toIso(row.createdAt),
  }));
}

export const cancelOpenInvitations = (db: Db, orgId: string, email: string) =>
  hasRows(db`
    UPDATE auth.invitation SET status = 'canceled'
    WHERE "organizationId" = ${orgId} AND email = ${email.toLowerCase()} AND status = 'pending'
    RETURNING id`);

/** Serializes changes of members, so that counts and checks hold. */
export async function lockOrganization(
  db: Db,
  orgId: string,
): Promise<{ name: string } | undefined> {
  const rows = await db<{ name: string }[]>`
    SELECT name FROM auth.organization WHERE id = ${orgId} FOR NO KEY UPDATE`;
  return rows[0];
}

export const countMembers = (db: Db, orgId: string) =>
  singleValue(db<{ count: number }[]>`
    SELECT count(*) AS count FROM auth.member WHERE "organizationId" = ${orgId}`);

const isMember = (db: Db, orgId: string, email: string) =>
  hasRows(db`
    SELECT 1 FROM auth.member JOIN auth."user" ON "user".id = member."userId"
    WHERE member."organizationId" = ${orgId} AND "user".email = ${email}`);

export type InvitationLimits = {
  open: number;
  ofOrganizationADay: number;
  ofInviterADay: number;
  toAddressADay: number;
};

type Counts = { open: number; organization: number; inviter: number; address: number };

async function countInvitations(db: Db, { orgId, email, inviterId, now }: NewRow): Promise<Counts> {
  const since = new Date(now.getTime() - DAY_MS);
  const rows = await db<Counts[]>`
    SELECT
      count(*) FILTER (WHERE "organizationId" = ${orgId} AND email <> ${email}
        AND ${isOpen(db, now)}) AS open,
      count(*) FILTER (WHERE "organizationId" = ${orgId} AND "createdAt" > ${since})
        AS organization,
      count(*) FILTER (WHERE "inviterId" = ${inviterId} AND "createdAt" > ${since}
        AND (NOT by_company OR "organizationId" = ${orgId})) AS inviter,
      count(*) FILTER (WHERE "organizationId" = ${orgId} AND email = ${email}
        AND "createdAt" > ${since}) AS address
    FROM auth.invitation
    WHERE "organizationId" = ${orgId} OR "inviterId" = ${inviterId}`;
  return onlyRow(rows);
}

export type NewRow = {
  orgId: string;
  email: string;
  role: Role;
  inviterId: string;
  byCompany: boolean;
  secretHash: Uint8Array;
  now: Date;
  expiresAt: Date;
};

export type InvitationRefusal = 'gone' | 'member' | 'open' | 'day';
export type CreatedInvitation = { invitationId: string; organizationName: string };

export async function insertInvitation(
  sql: Sql,
  row: NewRow,
  limits: InvitationLimits,
): Promise<CreatedInvitation | InvitationRefusal> {
  return sql.begin(async (tx): Promise<CreatedInvitation | InvitationRefusal> => {
    const organization = await lockOrganization(tx, row.orgId);
    if (!organization) return 'gone';
    if (await isMember(tx, row.orgId, row.email)) return 'member';
    const counts = await countInvitations(tx, row);
    if (counts.open >= limits.open) return 'open';
    const spent =
      counts.organization >= limits.ofOrganizationADay ||
      counts.inviter >= limits.ofInviterADay ||
      counts.address >= limits.toAddressADay;
    if (spent) return 'day';
    await cancelOpenInvitations(tx, row.orgId, row.email);
    const rows = await tx<{ id: string }[]>`
      INSERT INTO auth.invitation (id, "organizationId", email, role, status, "expiresAt",
        "createdAt", "inviterId", by_company, secret_hash)
      VALUES (gen_random_uuid()::text, ${row.orgId}, ${row.email}, ${row.role}, 'pending',
        ${row.expiresAt}, ${row.now}, ${row.inviterId}, ${row.byCompany},
        ${row.secretHash})
      RETURNING id`;
    return { invitationId: onlyRow(rows).id, organizationName: organization.name };
  });
}

/** Only its owner saw it. */
export const markSecretMailed = (
  db: Db,
  { orgId, invitationId }: { orgId: string; invitationId: string },
) =>
  done(db`
    UPDATE auth.invitation SET secret_mailed = true
    WHERE id = ${invitationId} AND "organizationId" = ${orgId}`);

export async function findReceivedInvitation(
  db: Db,
  { secret, userId, now }: { secret: string; userId: string; now: Date },
): Promise<ReceivedInvitation | undefined> {
  const rows = await db<
    (Omit<ReceivedInvitation, 'role' | 'expiresAt'> & { role: string; expiresAt: Date })[]
  >`
    SELECT organization.id AS "organizationId", organization.name AS "organizationName",
      CASE WHEN NOT by_company THEN inviter.email END AS "inviterEmail", invitation.email,
      coalesce(invitation.role, 'member') AS role, invitation."expiresAt"
    FROM auth.invitation
    JOIN auth.organization ON organization.id = invitation."organizationId"
    JOIN auth."user" AS inviter ON inviter.id = invitation."inviterId"
    JOIN auth."user" AS invited ON invited.email = lower(invitation.email)
    WHERE ${hasSecret(db, secret)} AND invited.id = ${userId} AND ${isOpen(db, now)}`;
  return rows.map((row) => ({
    ...row,
    role: shownRole(row.role),
    expiresAt: toIso(row.expiresAt),
  }))[0];
}

export async function findOfferedInvitation(
  db: Db,
  secret: string,
  now: Date,
): Promise<OfferedInvitation | undefined> {
  const rows = await db<
    (Omit<OfferedInvitation, 'role' | 'expiresAt'> & { role: string; expiresAt: Date })[]
  >`
    SELECT organization.name AS "organizationName", invitation.email,
      CASE WHEN inviter."emailVerified" AND NOT by_company THEN inviter.email END AS "inviterEmail",
      coalesce(invitation.role, 'member') AS role, invitation."expiresAt"
    FROM auth.invitation
    JOIN auth.organization ON organization.id = invitation."organizationId"
    JOIN auth."user" AS inviter ON inviter.id = invitation."inviterId"
    WHERE ${hasSecret(db, secret)} AND ${isOpen(db, now)}`;
  return rows.map((row) => ({
    ...row,
    role: shownRole(row.role),
    expiresAt: toIso(row.expiresAt),
  }))[0];
}

export const rejectOpenInvitation = (
  db: Db,
  { secret, userId, now }: { secret: string; userId: string; now: Date },
) =>
  hasRows(db`
    UPDATE auth.invitation SET status = 'rejected'
    FROM auth."user" AS invited
    WHERE ${hasSecret(db, secret)} AND ${isOpen(db, now)}
      AND invited.email = lower(invitation.email) AND invited.id = ${userId}
    RETURNING invitation.id`);

type Joined = { orgId: string } | 'none' | 'member' | 'full';
type Accepted = { id: string; role: string; secretMailed: boolean };

async function markAccepted(
  db: Db,
  orgId: string,
  { secret, userId, now }: { secret: string; userId: string; now: Date },
): Promise<Accepted | undefined> {
  const rows = await db<Accepted[]>`
    UPDATE auth.invitation SET status = 'accepted'
    FROM auth."user" AS invited
    WHERE ${hasSecret(db, secret)} AND ${isOpen(db, now)} AND "organizationId" = ${orgId}
      AND invited.email = lower(invitation.email) AND invited.id = ${userId}
    RETURNING invitation.id, coalesce(role, 'member') AS role, secret_mailed AS "secretMailed"`;
  return rows[0];
}

/** A secret sent by mail only proves the address. Returns the reason of a refusal. */
export async function joinByInvitation(
  sql: Sql,
  input: { secret: string; userId: string; now: Date; maxMembers: number },
): Promise<Joined> {
  const { secret, userId, now, maxMembers } = input;
  const received = await findReceivedInvitation(sql, { secret, userId, now });
  if (!received) return 'none';
  const orgId = received.organizationId;
  return sql.begin(async (tx): Promise<Joined> => {
    if (!(await lockOrganization(tx, orgId))) return 'none';
    if ((await countMembers(tx, orgId)) >= maxMembers) return 'full';
    const accepted = await markAccepted(tx, orgId, { secret, userId, now });
    if (!accepted) return 'none';
    const joined = await tx`
      INSERT INTO auth.member (id, "organizationId", "userId", role, "createdAt")
      VALUES (gen_random_uuid()::text, ${orgId}, ${userId}, ${accepted.role}, ${now})
      ON CONFLICT ("organizationId", "userId") DO NOTHING RETURNING id`;
    if (accepted.secretMailed) {
      await tx`UPDATE auth."user" SET "emailVerified" = true WHERE id = ${userId}`;
    }
    return joined.length > 0 ? { orgId } : 'member';
  });
}
