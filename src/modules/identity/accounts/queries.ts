import { type Db, hasRows } from '../../../storage/postgres.ts';

export function isAnybodySignedUp(db: Db): Promise<boolean> {
  return hasRows(db`SELECT 1 FROM auth."user" LIMIT 1`);
}

export type KnownUser = { id: string; name: string; email: string; emailVerified: boolean };

export async function findUserByEmail(db: Db, email: string): Promise<KnownUser | undefined> {
  const rows = await db<KnownUser[]>`
    SELECT id, name, email, "emailVerified" FROM auth."user" WHERE email = ${email.toLowerCase()}`;
  return rows[0];
}

export async function findUser(db: Db, userId: string): Promise<KnownUser | undefined> {
  const rows = await db<KnownUser[]>`
    SELECT id, name, email, "emailVerified" FROM auth."user" WHERE id = ${userId}`;
  return rows[0];
}

export async function markAddressProved(db: Db, userId: string): Promise<void> {
  await db`UPDATE auth."user" SET "emailVerified" = true WHERE id = ${userId}`;
}

/** Hashed, among better-auth's verification secrets. */
function signUpIdentifier(token: string): string {
  return `sign-up:${new Bun.CryptoHasher('sha256').update(token).digest('hex')}`;
}

type SignUpInvitation = { token: string; email: string };

export async function insertSignUpInvitation(
  db: Db,
  { token, email, expiresAt }: SignUpInvitation & { expiresAt: Date },
): Promise<void> {
  await db`
    INSERT INTO auth.verification (id, identifier, value, "expiresAt")
    VALUES (gen_random_uuid()::text, ${signUpIdentifier(token)}, ${email.toLowerCase()},
      ${expiresAt})`;
}

export function isSignUpInvitation(
  db: Db,
  { token, email, now }: SignUpInvitation & { now: Date },
): Promise<boolean> {
  return hasRows(db`
    SELECT 1 FROM auth.verification
    WHERE identifier = ${signUpIdentifier(token)} AND value = ${email.toLowerCase()}
      AND "expiresAt" > ${now}`);
}

export async function deleteSignUpInvitation(db: Db, token: string): Promise<void> {
  await db`DELETE FROM auth.verification WHERE identifier = ${signUpIdentifier(token)}`;
}

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

export async function deleteAccountOfNobody(db: Db, userId: string): Promise<void> {
  await db`
    DELETE FROM auth."user" u WHERE u.id = ${userId}
      AND NOT EXISTS (SELECT 1 FROM auth.member m WHERE m."userId" = u.id)`;
}

export type SessionRow = {
  id: string;
  createdAt: Date;
  expiresAt: Date;
  ipAddress: string | null;
  userAgent: string | null;
};

/** The newest hundred. */
export async function listSessionRows(
  db: Db,
  { userId, now }: { userId: string; now: Date },
): Promise<SessionRow[]> {
  return db<SessionRow[]>`
    SELECT id, "createdAt", "expiresAt", "ipAddress", "userAgent" FROM auth.session
    WHERE "userId" = ${userId} AND "expiresAt" > ${now}
    ORDER BY "createdAt" DESC, id LIMIT 100`;
}

export async function deleteSession(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> {
  await db`DELETE FROM auth.session WHERE id = ${sessionId} AND "userId" = ${userId}`;
}
