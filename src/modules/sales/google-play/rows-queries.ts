import type { PlayReport, ReportFile, ReportRow } from '../../../providers/play-reports/port.ts';
import { type Db, type Tx, done } from '../../../storage/postgres.ts';
import type { StoreAppName } from '../collection/apps-queries.ts';
import type { DayScope } from '../days/queries.ts';
import type { BucketScope } from './files-queries.ts';

type DayRow = { day: string };
const toDays = (rows: readonly DayRow[]) => rows.map(({ day }) => day);

const ofFile = (tx: Tx, { orgId, bucket }: BucketScope, { name }: ReportFile) =>
  tx`org_id = ${orgId} AND bucket = ${bucket} AND name = ${name}`;

/** Bounds the text of one statement. */
const ROWS_AT_ONCE = 10_000;

const insertRows = (
  tx: Tx,
  { orgId, bucket }: BucketScope,
  { name, report }: ReportFile,
  { rows, first }: { rows: readonly ReportRow[]; first: number },
) =>
  done(tx`
    INSERT INTO google_play_rows (org_id, bucket, name, line, report, day, earnings_month,
      package_name, sku, title, product_type, country, units, proceeds, proceeds_currency,
      customer_spend, customer_currency)
    SELECT ${orgId}, ${bucket}, ${name}, ${first}::integer + row_number() OVER (), ${report},
      r.day, r."earningsMonth", r."packageName", r.sku, r.title, r."productType", r.country,
      r.units, r.proceeds, r."proceedsCurrency", r."customerSpend", r."customerCurrency"
    FROM json_to_recordset(${JSON.stringify(rows)}::text::json) AS r (day date,
      "earningsMonth" text, "packageName" text, sku text, title text, "productType" text,
      country text, units numeric, proceeds numeric, "proceedsCurrency" text,
      "customerSpend" numeric, "customerCurrency" text)`);

/** Days of the rows before and after. */
export async function replaceRows(
  tx: Tx,
  scope: BucketScope,
  file: ReportFile,
  rows: readonly ReportRow[],
): Promise<string[]> {
  const before = await tx<DayRow[]>`
    WITH gone AS (DELETE FROM google_play_rows WHERE ${ofFile(tx, scope, file)} RETURNING day)
    SELECT DISTINCT day::text AS day FROM gone`;
  for (let first = 0; first < rows.length; first += ROWS_AT_ONCE) {
    const some = rows.slice(first, first + ROWS_AT_ONCE);
    await insertRows(tx, scope, file, { rows: some, first });
  }
  await keepPackages(tx, scope, file);
  return [...new Set([...toDays(before), ...rows.map(({ day }) => day)])];
}

/** Titles are of an app's own rows. */
const keepPackages = (tx: Tx, scope: BucketScope, file: ReportFile) =>
  done(tx`
    INSERT INTO google_play_packages AS known (org_id, bucket, package_name, title)
    SELECT org_id, bucket, package_name, coalesce(max(title) FILTER (WHERE sku = ''), '')
    FROM google_play_rows WHERE ${ofFile(tx, scope, file)} AND package_name <> ''
    GROUP BY 1, 2, 3
    ON CONFLICT (org_id, bucket, package_name) DO UPDATE SET title = excluded.title
      WHERE known.title = '' AND excluded.title <> ''`);

/** Days with rows of the earnings of a month. */
export async function selectEarningsDays(
  tx: Tx,
  { orgId, bucket }: BucketScope,
  month: string,
): Promise<string[]> {
  return toDays(
    await tx<DayRow[]>`
    SELECT DISTINCT day::text AS day FROM google_play_rows
    WHERE org_id = ${orgId} AND bucket = ${bucket} AND report = 'earnings' AND name IN (
      SELECT name FROM google_play_files WHERE org_id = ${orgId} AND bucket = ${bucket}
        AND report = 'earnings' AND month = ${month})`,
  );
}

/** Days with sales whose money is in the earnings of a month. */
export async function selectSalesDays(
  tx: Tx,
  { orgId, bucket }: BucketScope,
  earningsMonth: string,
): Promise<string[]> {
  return toDays(
    await tx<DayRow[]>`
    SELECT DISTINCT day::text AS day FROM google_play_rows
    WHERE org_id = ${orgId} AND bucket = ${bucket} AND earnings_month = ${earningsMonth}`,
  );
}

type DayOfReport = BucketScope & { report: PlayReport; day: string };

const isPaidOut = (db: Db) => db`
  EXISTS (SELECT FROM google_play_files e WHERE e.org_id = r.org_id AND e.bucket = r.bucket
    AND e.report = 'earnings' AND e.month = r.earnings_month AND e.in_force)`;

/** Rows that count: of earnings those of complete months. */
const counted = (db: Db, { orgId, bucket, report, day }: DayOfReport) => db`
  FROM google_play_rows r
  JOIN google_play_files f ON f.org_id = r.org_id AND f.bucket = r.bucket AND f.name = r.name
  WHERE r.org_id = ${orgId} AND r.bucket = ${bucket} AND r.report = ${report} AND r.day = ${day}
    AND (r.report <> 'earnings' OR f.in_force)`;

export async function countRows(db: Db, day: DayOfReport): Promise<number> {
  const [row] = await db<{ rows: number }[]>`SELECT count(*)::integer AS rows ${counted(db, day)}`;
  return row?.rows ?? 0;
}

/** The estimate of a sale is left out where its earnings are in. */
export const insertPlayFacts = (tx: Tx, scope: DayScope, day: DayOfReport) =>
  done(tx`
    INSERT INTO store_facts (org_id, vendor_number, report_type, day, line, store_id,
      parent_store_id, sku, parent_sku, title, product_type, country, device, units,
      bundle_credit, is_renewal, trials, proceeds, proceeds_currency, customer_spend,
      customer_currency)
    SELECT ${scope.orgId}, ${scope.vendorNumber}, ${scope.reportType}, r.day,
      row_number() OVER (ORDER BY r.name, r.line),
      CASE WHEN r.sku = '' THEN r.package_name ELSE r.sku END,
      CASE WHEN r.sku <> '' THEN r.package_name END, r.sku, NULL, r.title, r.product_type,
      r.country, 'Android', r.units, false, NULL, 0,
      CASE WHEN r.earnings_month IS NOT NULL AND ${isPaidOut(tx)}
        THEN 0 ELSE r.proceeds END,
      r.proceeds_currency, r.customer_spend, r.customer_currency
    ${counted(tx, day)}`);

/** By name; the app that the package was connected for. */
export const selectPlayApps = async (db: Db, { orgId, bucket }: BucketScope) => db<StoreAppName[]>`
    SELECT p.package_name AS "storeAppId", '' AS sku, coalesce(a.display_name, p.title) AS name,
      p.package_name AS "bundleId", a.app_id AS "appId"
    FROM google_play_packages p
    LEFT JOIN apps a ON a.app_id = app_of_package(p.org_id, p.package_name)
    WHERE p.org_id = ${orgId} AND p.bucket = ${bucket} ORDER BY p.package_name`;
