import { type Db, done } from '../../../storage/postgres.ts';
import type { OrganizationSecurity } from '../model/second-factor.ts';

export async function selectSecurity(db: Db, orgId: string): Promise<OrganizationSecurity> {
  const rows = await db<OrganizationSecurity[]>`
    SELECT second_factor_required AS "secondFactorRequired" FROM organization_security
    WHERE org_id = ${orgId}`;
  return rows[0] ?? { secondFactorRequired: false };
}

type Upserted = OrganizationSecurity & { orgId: string; now: Date };

export const upsertSecurity = (db: Db, { orgId, secondFactorRequired, now }: Upserted) =>
  done(db`
    INSERT INTO organization_security (org_id, second_factor_required, updated_at)
    VALUES (${orgId}, ${secondFactorRequired}, ${now})
    ON CONFLICT (org_id) DO UPDATE SET second_factor_required = excluded.second_factor_required,
      updated_at = excluded.updated_at
    WHERE organization_security.second_factor_required <> excluded.second_factor_required`);
