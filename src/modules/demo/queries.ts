import type { Db } from '../../storage/postgres.ts';

export type DemoOrganization = {
  orgId: string;
  userId: string;
  /** `host:port` of the demo's own listener. */
  listener: string | null;
  madeAt: Date;
};

export async function insertDemo(db: Db, demo: DemoOrganization): Promise<void> {
  await db`
    INSERT INTO demo_organizations (org_id, user_id, listener, made_at)
    VALUES (${demo.orgId}, ${demo.userId}, ${demo.listener}, ${demo.madeAt})`;
}

export async function selectDemos(db: Db): Promise<DemoOrganization[]> {
  return db<DemoOrganization[]>`
    SELECT org_id AS "orgId", user_id AS "userId", listener, made_at AS "madeAt"
    FROM demo_organizations ORDER BY made_at`;
}

/** Where webhooks of a demo organization may go beyond the public internet; null for any other. */
export async function selectDemoListener(db: Db, orgId: string): Promise<string | null> {
  const [row] = await db<{ listener: string | null }[]>`
    SELECT listener FROM demo_organizations WHERE org_id = ${orgId}`;
  return row?.listener ?? null;
}
