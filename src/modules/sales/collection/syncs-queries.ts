import { Type } from '@sinclair/typebox';
import type { ReportType } from '../../../providers/store/port.ts';
import { onlyRow } from '../../../shared/assert.ts';
import { parser } from '../../../shared/schema.ts';
import { toColumns, type Db, done } from '../../../storage/postgres.ts';
import type { VendorScope } from '../days/queries.ts';

const VersionsParser = parser(Type.Record(Type.String(), Type.String()), 'store report versions');

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

export async function selectSync(db: Db, scope: VendorScope): Promise<SyncRecord> {
  const rows = await db<(Omit<SyncRecord, 'versions'> & { versions: unknown })[]>`
    SELECT checked_at AS "checkedAt", last_run_at AS "lastRunAt", last_error AS "lastError",
      trials_error AS "trialsError", stopped_because AS "stoppedBecause",
      wait_until AS "waitUntil", apps_checked_at AS "appsCheckedAt",
      coalesce(versions, '{}') AS versions
    FROM (VALUES (1)) AS one LEFT JOIN store_syncs
      ON org_id = ${scope.orgId} AND vendor_number = ${scope.vendorNumber}`;
  const record = onlyRow(rows);
  return { ...record, versions: VersionsParser.parse(record.versions) };
}

export async function updateSync(
  db: Db,
  scope: VendorScope,
  changes: Partial<Omit<SyncRecord, 'checkedAt' | 'versions'>>,
): Promise<void> {
  const { orgId, vendorNumber } = scope;
  await db`
    INSERT INTO store_syncs ${db(toColumns({ orgId, vendorNumber, ...changes }))}
    ON CONFLICT (org_id, vendor_number) DO UPDATE SET ${db(toColumns(changes))}`;
}

export const NO_STOP = { lastError: null, stoppedBecause: null, waitUntil: null } as const;

export const clearSyncError = (db: Db, orgId: string, connectionId: string) =>
  done(db`
    UPDATE store_syncs s SET last_error = NULL, stopped_because = NULL, wait_until = NULL
    FROM store_connections c
    WHERE s.org_id = ${orgId} AND c.org_id = ${orgId} AND c.connection_id = ${connectionId}
      AND s.vendor_number = c.vendor_number`);

export const markChecked = (db: Db, scope: VendorScope, at: Date) =>
  done(db`
    INSERT INTO store_syncs (org_id, vendor_number, checked_at)
    VALUES (${scope.orgId}, ${scope.vendorNumber}, ${at})
    ON CONFLICT (org_id, vendor_number) DO UPDATE
      SET checked_at = greatest(store_syncs.checked_at, excluded.checked_at)`);

export const rememberVersion = (
  db: Db,
  scope: VendorScope,
  reportType: ReportType,
  version: string,
) =>
  done(db`
    INSERT INTO store_syncs (org_id, vendor_number, versions)
    VALUES (${scope.orgId}, ${scope.vendorNumber}, jsonb_build_object(${reportType}::text, ${version}::text))
    ON CONFLICT (org_id, vendor_number) DO UPDATE SET versions = store_syncs.versions || excluded.versions`);
