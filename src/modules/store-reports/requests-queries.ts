import type { AppReport, ReportAccess } from '../../providers/store/port.ts';
import type { AppScope } from '../../shared/app.ts';
import { type Db, done } from '../../storage/postgres.ts';

export type StoreAppScope = { orgId: string; storeAppId: string };
export type RequestScope = StoreAppScope & { access: ReportAccess };

export type ReportRequestRow = {
  access: ReportAccess;
  requestId: string;
  requestedAt: Date;
  isStopped: boolean;
  triedAt: Date | null;
  lastError: string | null;
};

/** ONGOING first. */
export const selectRequests = async (db: Db, { orgId, storeAppId }: StoreAppScope) => db<
  ReportRequestRow[]
>`
    SELECT access, request_id AS "requestId", requested_at AS "requestedAt",
      is_stopped AS "isStopped", tried_at AS "triedAt", last_error AS "lastError"
    FROM store_report_requests
    WHERE org_id = ${orgId} AND store_app_id = ${storeAppId} ORDER BY access DESC`;

export const upsertRequest = (
  db: Db,
  { orgId, storeAppId, access }: RequestScope,
  { requestId, at }: { requestId: string; at: Date },
) =>
  done(db`
    INSERT INTO store_report_requests (org_id, store_app_id, access, request_id, requested_at)
    VALUES (${orgId}, ${storeAppId}, ${access}, ${requestId}, ${at})
    ON CONFLICT (org_id, store_app_id, access) DO UPDATE SET request_id = excluded.request_id,
      requested_at = excluded.requested_at, is_stopped = false, last_error = NULL,
      tried_at = NULL`);

export const noteTry = (
  db: Db,
  { orgId, storeAppId, access }: RequestScope,
  { at, isStopped }: { at: Date; isStopped: boolean },
) =>
  done(db`
    UPDATE store_report_requests SET tried_at = ${at}, is_stopped = ${isStopped}
    WHERE org_id = ${orgId} AND store_app_id = ${storeAppId} AND access = ${access}`);

export const noteRequestError = (
  db: Db,
  { orgId, storeAppId }: StoreAppScope,
  message: string | null,
) =>
  done(db`
    UPDATE store_report_requests SET last_error = ${message}
    WHERE org_id = ${orgId} AND store_app_id = ${storeAppId}`);

export async function noteReportError(
  db: Db,
  { orgId, storeAppId, access }: RequestScope,
  report: AppReport,
  message: string | null,
): Promise<void> {
  if (message === null) {
    await db`
      DELETE FROM store_report_errors WHERE org_id = ${orgId} AND store_app_id = ${storeAppId}
        AND access = ${access} AND report = ${report}`;
    return;
  }
  await db`
    INSERT INTO store_report_errors (org_id, store_app_id, access, report, message)
    VALUES (${orgId}, ${storeAppId}, ${access}, ${report}, ${message})
    ON CONFLICT (org_id, store_app_id, access, report) DO UPDATE SET message = excluded.message`;
}

export const selectReportErrors = async (db: Db, { orgId, storeAppId }: StoreAppScope) => db<
  { report: string; access: string; message: string }[]
>`
    SELECT report, access, message FROM store_report_errors
    WHERE org_id = ${orgId} AND store_app_id = ${storeAppId} ORDER BY access`;

export const deleteReportsOfApp = (db: Db, { orgId, appId }: AppScope) =>
  done(db`
    WITH gone AS (
      SELECT store_app_id FROM store_apps WHERE org_id = ${orgId} AND app_id = ${appId}
    ), days AS (
      DELETE FROM store_report_days
      WHERE org_id = ${orgId} AND store_app_id IN (SELECT store_app_id FROM gone)
    )
    DELETE FROM store_report_requests
    WHERE org_id = ${orgId} AND store_app_id IN (SELECT store_app_id FROM gone)`);
