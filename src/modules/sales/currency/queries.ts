import type { Db } from '../../../storage/postgres.ts';

/** Null until chosen. */
export async function selectCurrency(db: Db, orgId: string): Promise<string | null> {
  const [row] = await db<{ currency: string }[]>`
    SELECT currency FROM organization_settings WHERE org_id = ${orgId}`;
  return row?.currency ?? null;
}

export async function upsertCurrency(
  db: Db,
  orgId: string,
  currency: string,
  at: Date,
): Promise<void> {
  await db`
    INSERT INTO organization_settings (org_id, currency, updated_at)
    VALUES (${orgId}, ${currency}, ${at})
    ON CONFLICT (org_id) DO UPDATE SET currency = EXCLUDED.currency,
      updated_at = EXCLUDED.updated_at`;
}
