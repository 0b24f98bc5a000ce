import { type Db, hasRows } from '../../../storage/postgres.ts';

export type FactorRow = { isOn: boolean; isRequired: boolean };

export async function findFactor(db: Db, userId: string): Promise<FactorRow | undefined> {
  const rows = await db<FactorRow[]>`
    SELECT coalesce(u."twoFactorEnabled", false) AS "isOn", EXISTS (
      SELECT 1 FROM auth.member m JOIN organization_security s ON s.org_id = m."organizationId"
      WHERE m."userId" = u.id AND s.second_factor_required
    ) AS "isRequired"
    FROM auth."user" u WHERE u.id = ${userId}`;
  return rows[0];
}

/** Longer than any code is valid. */
const REMEMBERED_SECONDS = 180;

/** False for a code that was used already. */
export async function useCode(
  db: Db,
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<boolean> {
  const hash = new Bun.CryptoHasher('sha256').update(code).digest('hex');
  const since = new Date(now.getTime() - REMEMBERED_SECONDS * 1_000);
  return hasRows(db`
    INSERT INTO auth.used_code (user_id, code_hash, used_at) VALUES (${userId}, ${hash}, ${now})
    ON CONFLICT (user_id, code_hash) DO UPDATE SET used_at = excluded.used_at
      WHERE used_code.used_at < ${since}
    RETURNING 1`);
}

export async function deleteFactor(db: Db, userId: string): Promise<boolean> {
  await db`UPDATE auth."user" SET "twoFactorEnabled" = false WHERE id = ${userId}`;
  return hasRows(db`DELETE FROM auth."twoFactor" WHERE "userId" = ${userId} RETURNING 1`);
}
