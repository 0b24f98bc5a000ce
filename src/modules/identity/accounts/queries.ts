import { type Db, hasRows, singleValue, done } from '../../../storage/postgres.ts';
import { shownAddress } from '../auth/organizations-queries.ts';

export const isAnybodySignedUp = (db: Db) => hasRows(db`SELECT 1 FROM auth."user" LIMIT 1`);

export type KnownUser = { id: string; name: string; email: string; emailVerified: boolean };

export async function findUserByEmail(db: Db, email: string): Promise<KnownUser | undefined> {
  const rows = await db<KnownUser[]>`
    SELECT id, name, email, "emailVerified" FROM auth."user" WHERE email = ${email.toLowerCase()}`;
  return rows[0];
}

export async function findUser(db: Db, userId: string): Promise<KnownUser | undefined> {
  const rows = await db<KnownUser[]>`
    SELECT id, name, ${shownAddress(db, 'user')} AS email, "emailVerified" FROM auth."user"
    WHERE id = ${userId}`;
  return rows[0];
}

type ShownUser = Omit<KnownUser, 'emailVerified'> & { createdAt: Date };

export async function findMemberAsUser(
  db: Db,
  { userId, orgId }: { userId: string; orgId: string },
): Promise<ShownUser | undefined> {
  const rows = await db<ShownUser[]>`
    SELECT u.id, u.name, ${shownAddress(db, 'u')} AS email, m."createdAt"
    FROM auth.member m JOIN auth."user" u ON u.id = m."userId"
    WHERE m."organizationId" = ${orgId} AND u.id = ${userId}`;
  return rows[0];
}

type CompanyAccount = {
  userId: string;
  orgId: string;
  issuer: string;
  subject: string;
  email: string;
  name: string;
  now: Date;
};

/** Its `email` is no address. */
export async function upsertCompanyAccount(
  db: Db,
  { userId, orgId, issuer, subject, email, name, now }: CompanyAccount,
): Promise<void> {
  const key = new Bun.CryptoHasher('sha256').update([orgId, issuer, subject].join('\n'));
  await db`
    INSERT INTO auth."user" AS u (id, name, email, "emailVerified", "createdAt", "updatedAt",
      company_org_id, company_email)
    VALUES (${userId}, ${name}, ${`company:${key.digest('hex')}`}, false, ${now},
      ${now}, ${orgId}, ${email})
    ON CONFLICT (email) DO UPDATE SET name = excluded.name, company_email = excluded.company_email,
      "updatedAt" = excluded."updatedAt"
    WHERE (u.name, u.company_email) <> (excluded.name, excluded.company_email)`;
}

export const countCompanyAccounts = (db: Db, { orgId, since }: { orgId: string; since: Date }) =>
  singleValue(db<{ count: number }[]>`
    SELECT count(*) AS count FROM auth."user"
    WHERE company_org_id = ${orgId} AND "createdAt" > ${since}`);

export async function replaceCompanyAccount(
  db: Db,
  { orgId, userId, by }: { orgId: string; userId: string; by: string },
): Promise<void> {
  await db`
    UPDATE auth.apikey SET created_by = ${by}
    WHERE "referenceId" = ${orgId} AND created_by = ${userId}`;
  await db`DELETE FROM onboarding_surveys WHERE user_id = ${`${orgId} ${userId}`}`;
  await db`DELETE FROM auth."user" WHERE id = ${userId} AND company_org_id = ${orgId}`;
}

export async function lockUser(tx: Db, userId: string): Promise<boolean> {
  const rows = await tx<{ emailVerified: boolean }[]>`
    SELECT "emailVerified" FROM auth."user" WHERE id = ${userId} FOR NO KEY UPDATE`;
  return rows[0]?.emailVerified ?? false;
}

export const markAddressProved = (db: Db, userId: string) =>
  done(db`UPDATE auth."user" SET "emailVerified" = true WHERE id = ${userId}`);

/** Hashed, among better-auth's verification secrets. */
function signUpIdentifier(token: string): string {
  return `sign-up:${new Bun.CryptoHasher('sha256').update(token).digest('hex')}`;
}

type SignUpInvitation = { token: string; email: string };

export const insertSignUpInvitation = (
  db: Db,
  { token, email, expiresAt }: SignUpInvitation & { expiresAt: Date },
) =>
  done(db`
    INSERT INTO auth.verification (id, identifier, value, "expiresAt")
    VALUES (gen_random_uuid()::text, ${signUpIdentifier(token)}, ${email.toLowerCase()},
      ${expiresAt})`);

export const isSignUpInvitation = (
  db: Db,
  { token, email, now }: SignUpInvitation & { now: Date },
) =>
  hasRows(db`
    SELECT 1 FROM auth.verification
    WHERE identifier = ${signUpIdentifier(token)} AND value = ${email.toLowerCase()}
      AND "expiresAt" > ${now}`);

export const deleteSignUpInvitation = (db: Db, token: string) =>
  done(db`DELETE FROM auth.verification WHERE identifier = ${signUpIdentifier(token)}`);

export async function deleteEnded(db: Db, before: Date, limit: number): Promise<void> {
  await db`
    DELETE FROM auth.session WHERE id IN
      (SELECT id FROM auth.session WHERE "expiresAt" < ${before} LIMIT ${limit})`;
  await db`
    DELETE FROM auth.verification WHERE id IN
      (SELECT id FROM auth.verification WHERE "expiresAt" < ${before} LIMIT ${limit})`;
  await db`
    DELETE FROM auth.used_code WHERE (user_id, code_hash) IN
      (SELECT user_id, code_hash FROM auth.used_code WHERE used_at < ${before} LIMIT ${limit})`;
  await db`
    DELETE FROM auth.invitation WHERE id IN
      (SELECT id FROM auth.invitation WHERE "expiresAt" < ${before} LIMIT ${limit})`;
}

export const deleteAccountOfNobody = (db: Db, userId: string) =>
  done(db`
    DELETE FROM auth."user" u WHERE u.id = ${userId}
      AND NOT EXISTS (SELECT 1 FROM auth.member m WHERE m."userId" = u.id)`);

export type SessionRow = {
  id: string;
  createdAt: Date;
  expiresAt: Date;
  ipAddress: string | null;
  userAgent: string | null;
};

export const listSessionRows = async (db: Db, { userId, now }: { userId: string; now: Date }) => db<
  SessionRow[]
>`
    SELECT id, "createdAt", "expiresAt", "ipAddress", "userAgent" FROM auth.session
    WHERE "userId" = ${userId} AND "expiresAt" > ${now}
    ORDER BY "createdAt" DESC, id LIMIT 100`;

export const deleteSession = (
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
) => done(db`DELETE FROM auth.session WHERE id = ${sessionId} AND "userId" = ${userId}`);
