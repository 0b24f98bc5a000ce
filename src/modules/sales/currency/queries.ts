import { type Db, firstValue, done } from '../../../storage/postgres.ts';

/** Null until chosen. */
export const selectCurrency = (db: Db, orgId: string) =>
  firstValue(db<{ currency: string }[]>`
    SELECT currency FROM organization_settings WHERE org_id = ${orgId}`);

export const upsertCurrency = (db: Db, orgId: string, currency: string, at: Date) =>
  done(db`
    INSERT INTO organization_settings (org_id, currency, updated_at)
    VALUES (${orgId}, ${currency}, ${at})
    ON CONFLICT (org_id) DO UPDATE SET currency = EXCLUDED.currency,
      updated_at = EXCLUDED.updated_at`);
