import type { AppScope } from '../../shared/app.ts';
import { type Sql, done } from '../../storage/postgres.ts';

export type AskRow = AppScope & {
  flagId: string;
  keyId: string;
  day: string;
  asks: number;
  at: string;
};

/** One order against deadlocks; without deleted flags. */
export const addAsks = (sql: Sql, rows: readonly AskRow[]) =>
  done(sql`
    INSERT INTO flag_asks (flag_id, key_id, day, org_id, app_id, asks, last_at)
    SELECT f.flag_id, r."keyId", r.day, f.org_id, f.app_id, r.asks, r.at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS r("orgId" text, "appId" text,
      "flagId" text, "keyId" text, day date, asks bigint, at timestamptz)
    JOIN flags f ON f.org_id = r."orgId" AND f.app_id = r."appId" AND f.flag_id = r."flagId"
    ORDER BY f.flag_id, r."keyId", r.day
    ON CONFLICT (flag_id, key_id, day) DO UPDATE SET asks = flag_asks.asks + excluded.asks,
      last_at = greatest(flag_asks.last_at, excluded.last_at)`);

export const setBulkAt = (sql: Sql, apps: readonly (AppScope & { at: string })[]) =>
  done(sql`
    UPDATE flag_sets s SET bulk_asked_at = greatest(s.bulk_asked_at, r.at)
    FROM jsonb_to_recordset(${JSON.stringify(apps)}::text::jsonb)
      AS r("orgId" text, "appId" text, at timestamptz)
    WHERE s.org_id = r."orgId" AND s.app_id = r."appId"`);
