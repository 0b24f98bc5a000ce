import type { Db } from '../../storage/postgres.ts';

export type DemoOrganization = { orgId: string; userId: string; madeAt: Date };

export async function insertDemo(
  db: Db,
  { orgId, userId, madeAt }: DemoOrganization,
): Promise<void> {
  await db`
    INSERT INTO demo_organizations (org_id, user_id, made_at)
    VALUES (${orgId}, ${userId}, ${madeAt})`;
}

export async function selectDemo(db: Db, orgId: string): Promise<DemoOrganization | null> {
  const [demo] = await db<DemoOrganization[]>`
    SELECT org_id AS "orgId", user_id AS "userId", made_at AS "madeAt"
    FROM demo_organizations WHERE org_id = ${orgId}`;
  return demo ?? null;
}

export async function selectDemos(db: Db): Promise<DemoOrganization[]> {
  return db<DemoOrganization[]>`
    SELECT org_id AS "orgId", user_id AS "userId", made_at AS "madeAt"
    FROM demo_organizations ORDER BY made_at`;
}
