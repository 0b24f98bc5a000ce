import { rowsOf } from '../../storage/row-parser.ts';
import { App, type AppScope, type AppSource, type AppStatus } from '../../shared/app.ts';
import { parser } from '../../shared/schema.ts';
import { toIso, toIsoOrNull } from '../../shared/time.ts';
import {
  type Db,
  hasRows,
  type Tx,
  singleValue,
  done,
  firstValue,
} from '../../storage/postgres.ts';

type AppRow = {
  app_id: string;
  org_id: string;
  slug: string;
  display_name: string;
  region: string;
  status: string;
  source: string;
  bundle_id: string | null;
  store_app_id: string | null;
  icon_url: string | null;
  store_state: string | null;
  store_version: string | null;
  store_checked_at: Date | null;
  backend_project_ref: string | null;
  backend_connected: boolean;
  created_at: Date;
};

const appParser = parser(App, 'apps row');

const toApp = (row: AppRow): App =>
  appParser.parse({
    id: row.app_id,
    orgId: row.org_id,
    slug: row.slug,
    displayName: row.display_name,
    region: row.region,
    status: row.status,
    source: row.source,
    bundleId: row.bundle_id,
    storeAppId: row.store_app_id,
    iconUrl: row.icon_url,
    store: row.store_state && {
      state: row.store_state,
      version: row.store_version,
      checkedAt: toIsoOrNull(row.store_checked_at),
    },
    createdAt: toIso(row.created_at),
    backend: row.backend_project_ref && {
      projectRef: row.backend_project_ref,
      connected: row.backend_connected,
    },
  });
const appRows = rowsOf(toApp);

export const selectApps = (db: Db, orgId: string) =>
  appRows.all(db<AppRow[]>`
    SELECT * FROM apps WHERE org_id = ${orgId} AND deleted_at IS NULL
    ORDER BY created_at DESC, app_id DESC`);

export const selectApp = (db: Db, orgId: string, appId: string) =>
  appRows.first(db<AppRow[]>`
    SELECT * FROM apps
    WHERE org_id = ${orgId} AND app_id = ${appId} AND deleted_at IS NULL`);

export type NewApp = {
  appId: string;
  orgId: string;
  slug: string;
  displayName: string;
  region: string;
  source: AppSource;
  createdAt: Date;
};

export const insertApp = (db: Db, app: NewApp) =>
  appRows.only(db<AppRow[]>`
    INSERT INTO apps (app_id, org_id, slug, display_name, region, status, source, created_at)
    VALUES (${app.appId}, ${app.orgId}, ${app.slug}, ${app.displayName}, ${app.region},
      'provisioning', ${app.source}, ${app.createdAt})
    RETURNING *`);

export const countApps = (db: Db, orgId: string) =>
  singleValue(db<{ count: number }[]>`
    SELECT count(*) AS count FROM apps WHERE org_id = ${orgId} AND deleted_at IS NULL`);

/** No-op for any other status. */
export const finishProvisioning = (
  db: Db,
  { orgId, appId }: AppScope,
  status: Extract<AppStatus, 'active' | 'error'>,
) =>
  done(db`
    UPDATE apps SET status = ${status}
    WHERE org_id = ${orgId} AND app_id = ${appId} AND status = 'provisioning'`);

export const markDeleted = (db: Db, scope: { orgId: string; appId: string; at: Date }) =>
  appRows.first(db<AppRow[]>`
    UPDATE apps SET deleted_at = ${scope.at}, run_ensured_at = NULL
    WHERE org_id = ${scope.orgId} AND app_id = ${scope.appId} AND deleted_at IS NULL
    RETURNING *`);

/** Last step; cascades to rows by foreign key. */
export const removeApp = (db: Db, { orgId, appId }: AppScope) =>
  done(db`
    DELETE FROM apps
    WHERE org_id = ${orgId} AND app_id = ${appId} AND deleted_at IS NOT NULL`);

export async function deletionState(
  db: Db,
  { orgId, appId }: AppScope,
): Promise<'wanted' | 'alive' | 'gone'> {
  const [row] = await db<{ deleted: boolean }[]>`
    SELECT deleted_at IS NOT NULL AS deleted FROM apps
    WHERE org_id = ${orgId} AND app_id = ${appId}`;
  if (!row) return 'gone';
  return row.deleted ? 'wanted' : 'alive';
}

export const lockStatus = (tx: Tx, { orgId, appId }: AppScope) =>
  firstValue(tx<{ status: string }[]>`
    SELECT status FROM apps
    WHERE org_id = ${orgId} AND app_id = ${appId} AND deleted_at IS NULL FOR UPDATE`);

export const isProvisioning = (db: Db, { orgId, appId }: AppScope) =>
  hasRows(db`
    SELECT 1 FROM apps
    WHERE org_id = ${orgId} AND app_id = ${appId} AND deleted_at IS NULL
      AND status = 'provisioning'`);

export const insertDataset = (db: Db, { orgId, appId }: AppScope) =>
  done(db`
    INSERT INTO app_datasets (app_id, org_id)
    SELECT app_id, org_id FROM apps WHERE org_id = ${orgId} AND app_id = ${appId}
    ON CONFLICT (app_id) DO NOTHING`);

export const deleteDataset = (db: Db, { orgId, appId }: AppScope) =>
  done(db`DELETE FROM app_datasets WHERE org_id = ${orgId} AND app_id = ${appId}`);

export type UnfinishedApp = { orgId: string; appId: string; deleting: boolean };

export const selectUnfinishedApps = async (db: Db, limit: number) => db<UnfinishedApp[]>`
    SELECT org_id AS "orgId", app_id AS "appId", deleted_at IS NOT NULL AS deleting FROM apps
    WHERE status = 'provisioning' OR deleted_at IS NOT NULL
    ORDER BY created_at LIMIT ${limit}`;

export const selectAppsWithoutRun = async (db: Db, limit: number): Promise<UnfinishedApp[]> => db<
  UnfinishedApp[]
>`
    SELECT org_id AS "orgId", app_id AS "appId", deleted_at IS NOT NULL AS deleting FROM apps
    WHERE run_ensured_at IS NULL AND (status = 'provisioning' OR deleted_at IS NOT NULL)
    ORDER BY row_number() OVER (PARTITION BY org_id ORDER BY created_at), created_at
    LIMIT ${limit}`;

/** Skips apps deleted meanwhile, which need another run. */
export const markRunsEnsured = (db: Db, apps: readonly UnfinishedApp[]) =>
  done(db`
    UPDATE apps SET run_ensured_at = now()
    FROM unnest(${apps.map(({ orgId }) => orgId)}::text[], ${apps.map(({ appId }) => appId)}::text[],
      ${apps.map(({ deleting }) => String(deleting))}::text[]) AS ensured (org_id, app_id, deleting)
    WHERE apps.org_id = ensured.org_id AND apps.app_id = ensured.app_id
      AND (deleted_at IS NOT NULL)::text = ensured.deleting`);
