import { StoreState } from '../../../shared/app.ts';
import { Nullable, parser } from '../../../shared/schema.ts';
import type { Db } from '../../../storage/postgres.ts';

type StoreApp = { orgId: string; storeAppId: string };

const stateParser = parser(Nullable(StoreState), 'store_apps state');

export type StatusBefore = { state: StoreState | null; checkedAt: Date | null };

export async function selectStatus(db: Db, { orgId, storeAppId }: StoreApp): Promise<StatusBefore> {
  const [row] = await db<{ state: string | null; checkedAt: Date | null }[]>`
    SELECT state, checked_at AS "checkedAt" FROM store_apps
    WHERE org_id = ${orgId} AND store_app_id = ${storeAppId}`;
  return { state: stateParser.parse(row?.state ?? null), checkedAt: row?.checkedAt ?? null };
}

export type KnownRelease = { platform: string; version: string; onSaleFrom: Date; isSeen: boolean };

export const selectReleases = async (db: Db, { orgId, storeAppId }: StoreApp) => db<KnownRelease[]>`
    SELECT platform, version, on_sale_from AS "onSaleFrom", is_seen AS "isSeen"
    FROM store_releases WHERE org_id = ${orgId} AND store_app_id = ${storeAppId}
    ORDER BY on_sale_from, version`;

export async function insertReleases(
  db: Db,
  { orgId, storeAppId }: StoreApp,
  releases: readonly KnownRelease[],
): Promise<void> {
  if (releases.length === 0) return;
  await db`
    INSERT INTO store_releases (org_id, store_app_id, platform, version, on_sale_from, is_seen)
    SELECT ${orgId}, ${storeAppId}, platform, version, "onSaleFrom", "isSeen"
    FROM json_to_recordset(${JSON.stringify(releases)}::text::json) AS one (platform text,
      version text, "onSaleFrom" timestamptz, "isSeen" boolean)
    ON CONFLICT DO NOTHING`;
}
