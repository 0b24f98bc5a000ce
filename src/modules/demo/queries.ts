import { type Db, done, firstRow } from '../../storage/postgres.ts';

export type DemoOrganization = { orgId: string; userId: string; madeAt: Date };

export const insertDemo = (db: Db, { orgId, userId, madeAt }: DemoOrganization) =>
  done(db`
    INSERT INTO demo_organizations (org_id, user_id, made_at)
    VALUES (${orgId}, ${userId}, ${madeAt})`);

export const selectDemo = (db: Db, orgId: string) =>
  firstRow(db<DemoOrganization[]>`
    SELECT org_id AS "orgId", user_id AS "userId", made_at AS "madeAt"
    FROM demo_organizations WHERE org_id = ${orgId}`);

export const selectDemos = async (db: Db) => db<DemoOrganization[]>`
    SELECT org_id AS "orgId", user_id AS "userId", made_at AS "madeAt"
    FROM demo_organizations ORDER BY made_at`;
