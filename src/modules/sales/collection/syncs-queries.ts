import { Type } from '@sinclair/typebox';
import type { ReportType } from '../../../providers/store/port.ts';
import { parser } from '../../../shared/schema.ts';
import type { Db } from '../../../storage/postgres.ts';
import type { VendorScope } from './days-queries.ts';

const VersionsParser = parser(Type.Record(Type.String(), Type.String()), 'store report versions');

/** The last collection for one vendor number. */
export type SyncRecord = {
  checkedAt: Date | null;
  lastRunAt: Date | null;
  lastError: string | null;
  trialsError: string | null;
  stoppedBecause: string | null;
  waitUntil: Date | null;
  appsCheckedAt: Date | null;
  versions: Record<string, string>;
};

const NEVER: SyncRecord = {
  checkedAt: null,
  lastRunAt: null,
  lastError: null,
  trialsError: null,
  stoppedBecause: null,
  waitUntil: null,
  appsCheckedAt: null,
  versions: {},
};

type Row = {
  checked_at: Date | null;
  last_run_at: Date | null;
  last_error: string | null;
  trials_error: string | null;
  stopped_because: string | null;
  wait_until: Date | null;
  apps_checked_at: Date | null;
  versions: unknown;
};

export async function selectSync(db: Db, scope: VendorScope): Promise<SyncRecord> {
  const [row] = await db<Row[]>`
    SELECT * FROM store_syncs
    WHERE org_id = ${scope.orgId} AND vendor_number = ${scope.vendorNumber}`;
  if (!row) return NEVER;
  return {
    checkedAt: row.checked_at,
    lastRunAt: row.last_run_at,
    lastError: row.last_error,
    trialsError: row.trials_error,
    stoppedBecause: row.stopped_because,
    waitUntil: row.wait_until,
    appsCheckedAt: row.apps_checked_at,
    versions: VersionsParser.parse(row.versions),
  };
}

export type RunEnd = {
  at: Date;
  lastError: string | null;
  stoppedBecause: string | null;
  waitUntil: Date | null;
};

export async function finishRun(db: Db, scope: VendorScope, end: RunEnd): Promise<void> {
  await db`
    INSERT INTO store_syncs (org_id, vendor_number, last_run_at, last_error, stopped_because,
      wait_until)
    VALUES (${scope.orgId}, ${scope.vendorNumber}, ${end.at}, ${end.lastError},
      ${end.stoppedBecause}, ${end.waitUntil})
    ON CONFLICT (org_id, vendor_number) DO UPDATE SET last_run_at = excluded.last_run_at,
      last_error = excluded.last_error, stopped_because = excluded.stopped_because,
      wait_until = excluded.wait_until`;
}

/** Records a run that had nothing to fetch. */
export async function noteIdleRun(db: Db, scope: VendorScope, at: Date): Promise<void> {
  await db`
    INSERT INTO store_syncs (org_id, vendor_number, last_run_at)
    VALUES (${scope.orgId}, ${scope.vendorNumber}, ${at})
    ON CONFLICT (org_id, vendor_number) DO UPDATE SET last_run_at = excluded.last_run_at`;
}

/** Clears the errors of the key before the accepted one. */
export async function clearTrouble(db: Db, orgId: string, connectionId: string): Promise<void> {
  await db`
    UPDATE store_syncs s SET last_error = NULL, stopped_because = NULL, wait_until = NULL
    FROM store_connections c
    WHERE s.org_id = ${orgId} AND c.org_id = ${orgId} AND c.connection_id = ${connectionId}
      AND s.vendor_number = c.vendor_number`;
}

export async function markChecked(db: Db, scope: VendorScope, at: Date): Promise<void> {
  await db`
    INSERT INTO store_syncs (org_id, vendor_number, checked_at)
    VALUES (${scope.orgId}, ${scope.vendorNumber}, ${at})
    ON CONFLICT (org_id, vendor_number) DO UPDATE
      SET checked_at = greatest(store_syncs.checked_at, excluded.checked_at)`;
}

export async function markAppsChecked(db: Db, scope: VendorScope, at: Date): Promise<void> {
  await db`
    INSERT INTO store_syncs (org_id, vendor_number, apps_checked_at)
    VALUES (${scope.orgId}, ${scope.vendorNumber}, ${at})
    ON CONFLICT (org_id, vendor_number) DO UPDATE SET apps_checked_at = excluded.apps_checked_at`;
}

export async function markTrials(
  db: Db,
  scope: VendorScope,
  trialsError: string | null,
): Promise<void> {
  await db`
    INSERT INTO store_syncs (org_id, vendor_number, trials_error)
    VALUES (${scope.orgId}, ${scope.vendorNumber}, ${trialsError})
    ON CONFLICT (org_id, vendor_number) DO UPDATE SET trials_error = excluded.trials_error`;
}

export async function rememberVersion(
  db: Db,
  scope: VendorScope,
  reportType: ReportType,
  version: string,
): Promise<void> {
  await db`
    INSERT INTO store_syncs (org_id, vendor_number, versions)
    VALUES (${scope.orgId}, ${scope.vendorNumber}, jsonb_build_object(${reportType}::text, ${version}::text))
    ON CONFLICT (org_id, vendor_number) DO UPDATE SET versions = store_syncs.versions || excluded.versions`;
}
