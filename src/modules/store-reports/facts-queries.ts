import type { AppReport, AppReportFact, ReportAccess } from '../../providers/store/port.ts';
import { OneOf, parser } from '../../shared/schema.ts';
import { type Db, type Tx, done } from '../../storage/postgres.ts';
import { DAY_STATES, type DayChange, type DayRecord } from '../sales/index.ts';
import type { RequestScope, StoreAppScope } from './requests-queries.ts';

export type ReportScope = RequestScope & { report: AppReport };
export type InstanceScope = ReportScope & { processingDate: string };

const states = parser(OneOf(DAY_STATES), 'store_report_instances state');

export async function selectInstances(
  db: Db,
  { orgId, storeAppId, access, report }: ReportScope,
): Promise<Map<string, DayRecord>> {
  const rows = await db<
    { date: string; state: string; checkedAt: Date; emptySeenAt: Date | null }[]
  >`
    SELECT processing_date::text AS date, state, checked_at AS "checkedAt",
      empty_seen_at AS "emptySeenAt"
    FROM store_report_instances WHERE org_id = ${orgId} AND store_app_id = ${storeAppId}
      AND access = ${access} AND report = ${report}`;
  return new Map(
    rows.map(({ date, ...row }) => [date, { ...row, state: states.parse(row.state) }]),
  );
}

export type InstanceRecord = { change: DayChange; at: Date; error: string | null };

export const upsertInstance = (
  db: Db,
  { orgId, storeAppId, access, report, processingDate }: InstanceScope,
  { change, at, error }: InstanceRecord,
) =>
  done(db`
    INSERT INTO store_report_instances (org_id, store_app_id, access, report, processing_date,
      state, checked_at, empty_seen_at, last_error)
    VALUES (${orgId}, ${storeAppId}, ${access}, ${report}, ${processingDate}, ${change.state},
      ${at}, ${change.emptySeenAt}, ${error})
    ON CONFLICT (org_id, store_app_id, access, report, processing_date) DO UPDATE
      SET state = excluded.state, checked_at = excluded.checked_at,
        empty_seen_at = excluded.empty_seen_at, last_error = excluded.last_error`);

export const expireInstances = (
  db: Db,
  { orgId, storeAppId, access, report }: ReportScope,
  before: string,
) =>
  done(db`
    UPDATE store_report_instances SET state = 'expired'
    WHERE org_id = ${orgId} AND store_app_id = ${storeAppId} AND access = ${access}
      AND report = ${report} AND processing_date < ${before} AND state IN ('pending', 'error')`);

/** Days whose rows are of a newer file keep them; ONGOING wins over a snapshot. */
export async function takeDays(
  tx: Tx,
  { orgId, storeAppId, access, report, processingDate }: InstanceScope,
  days: readonly string[],
): Promise<Set<string>> {
  const rows = await tx<{ day: string }[]>`
    INSERT INTO store_report_days AS kept (org_id, store_app_id, report, day, access,
      processing_date)
    SELECT ${orgId}, ${storeAppId}, ${report}, day, ${access}, ${processingDate}::date
    FROM unnest(${days}::date[]) AS day
    ON CONFLICT (org_id, store_app_id, report, day) DO UPDATE
      SET access = excluded.access, processing_date = excluded.processing_date
      WHERE (excluded.access = 'ONGOING', excluded.processing_date)
        >= (kept.access = 'ONGOING', kept.processing_date)
    RETURNING day::text`;
  return new Set(rows.map(({ day }) => day));
}

export async function replaceFacts(
  tx: Tx,
  { orgId, storeAppId, report }: ReportScope,
  days: ReadonlySet<string>,
  facts: readonly AppReportFact[],
): Promise<void> {
  await tx`
    DELETE FROM store_report_facts WHERE org_id = ${orgId} AND store_app_id = ${storeAppId}
      AND report = ${report} AND day = ANY (${[...days]}::date[])`;
  await tx`
    INSERT INTO store_report_facts (org_id, store_app_id, report, day, kind, grouping, source,
      version, territory, count, seconds)
    SELECT ${orgId}, ${storeAppId}, ${report}, day, kind, "grouping", source, version, territory,
      count, seconds
    FROM json_to_recordset(${JSON.stringify(facts)}::text::json) AS fact (day date, kind text,
      "grouping" text, source text, version text, territory text, count bigint, seconds bigint)`;
}

export type Span = { from: string; to: string };

export const selectDayCounts = async (
  db: Db,
  { orgId, storeAppId }: StoreAppScope,
  { from, to }: Span,
) => db<{ report: AppReport; day: string; access: ReportAccess }[]>`
    SELECT report, day::text, access FROM store_report_days
    WHERE org_id = ${orgId} AND store_app_id = ${storeAppId} AND day BETWEEN ${from} AND ${to}
    ORDER BY day`;

export type SumRow = Omit<AppReportFact, 'day' | 'territory'> & {
  report: AppReport;
  day: string | null;
};

/** Largest first, `most` rows of each report; states of the newest day, since they do not add up. */
export const selectSums = async (
  db: Db,
  { orgId, storeAppId }: StoreAppScope,
  { from, to }: Span,
  most: number,
) => db<SumRow[]>`
    SELECT * FROM (
      SELECT report, CASE WHEN report = 'subscription_state' THEN max(day)::text END AS day, kind,
        grouping, source, version, sum(count)::float8 AS count, sum(seconds)::float8 AS seconds,
        row_number() OVER (PARTITION BY report
          ORDER BY sum(count) DESC, kind, grouping, source, version) AS place
      FROM store_report_facts f
      WHERE org_id = ${orgId} AND store_app_id = ${storeAppId} AND day BETWEEN ${from} AND ${to}
        AND (report <> 'subscription_state' OR day = (SELECT max(day) FROM store_report_days d
          WHERE d.org_id = ${orgId} AND d.store_app_id = ${storeAppId}
            AND d.report = 'subscription_state' AND d.day BETWEEN ${from} AND ${to}))
      GROUP BY report, kind, grouping, source, version
    ) AS sums WHERE place <= ${most} ORDER BY report, place`;

export type DailyCount = Pick<AppReportFact, 'day' | 'kind' | 'grouping' | 'count'> & {
  report: AppReport;
};

export const selectDaily = async (
  db: Db,
  { orgId, storeAppId }: StoreAppScope,
  { from, to }: Span,
) => db<DailyCount[]>`
    SELECT report, day::text, kind, grouping, sum(count)::float8 AS count FROM store_report_facts
    WHERE org_id = ${orgId} AND store_app_id = ${storeAppId} AND day BETWEEN ${from} AND ${to}
      AND report IN ('engagement', 'downloads', 'subscription_event')
    GROUP BY report, day, kind, grouping`;
