import { REPORT_TYPES, type ReportType } from '../../../providers/store/port.ts';
import { OneOf, parser } from '../../../shared/schema.ts';
import type { Db, Sql } from '../../../storage/postgres.ts';
import type { DayScope, VendorScope } from '../collection/days-queries.ts';
import type { Fact } from './fold.ts';
import { type DayPack, readPack } from './pack.ts';

const typeParser = parser(OneOf(REPORT_TYPES), 'store_days report type');
const FACT_ROWS = 500;

/** A report of a day; its pack is null where none was kept, or none of the present rows. */
export type PackedReport = { reportType: ReportType; revision: number; pack: DayPack | null };

type PackRow = { day: string; report_type: string; revision: number; pack: unknown };

/** The reports with rows of some days, sales before subscription events. */
export async function selectPacks(
  db: Db,
  scope: VendorScope,
  days: readonly string[],
): Promise<Map<string, PackedReport[]>> {
  const rows = await db<PackRow[]>`
    SELECT d.day::text, d.report_type, d.facts_revision AS revision, p.pack
    FROM store_days d
    LEFT JOIN analytics_packs p ON p.org_id = d.org_id AND p.vendor_number = d.vendor_number
      AND p.day = d.day AND p.report_type = d.report_type AND p.facts_revision = d.facts_revision
    WHERE d.org_id = ${scope.orgId} AND d.vendor_number = ${scope.vendorNumber}
      AND d.day = ANY(${days}::date[]) AND d.facts_revision > 0
    ORDER BY d.day, d.report_type`;
  const byDay = new Map<string, PackedReport[]>();
  for (const { day, report_type, revision, pack } of rows) {
    const reports = byDay.get(day) ?? [];
    reports.push({ reportType: typeParser.parse(report_type), revision, pack: readPack(pack) });
    byDay.set(day, reports);
  }
  return byDay;
}

/** Keeps a pack; an older one never takes the place of a newer. */
export async function upsertPack(
  db: Db,
  scope: DayScope,
  revision: number,
  pack: DayPack,
): Promise<void> {
  await db`
    INSERT INTO analytics_packs AS kept (org_id, vendor_number, day, report_type, facts_revision,
      pack)
    VALUES (${scope.orgId}, ${scope.vendorNumber}, ${scope.day}, ${scope.reportType}, ${revision},
      ${JSON.stringify(pack)}::text::json)
    ON CONFLICT (org_id, vendor_number, day, report_type) DO UPDATE
      SET facts_revision = excluded.facts_revision, pack = excluded.pack
      WHERE excluded.facts_revision >= kept.facts_revision`;
}

type FactRow = {
  store_id: string;
  parent_store_id: string | null;
  sku: string;
  parent_sku: string | null;
  title: string;
  product_type: string;
  country: string;
  device: string;
  units: string;
  bundle_credit: boolean;
  trials: number;
  proceeds: string;
  proceeds_currency: string;
  customer_spend: string;
  customer_currency: string;
};

const toFact = (row: FactRow): Fact => ({
  storeId: row.store_id,
  parentStoreId: row.parent_store_id,
  sku: row.sku,
  parentSku: row.parent_sku,
  title: row.title,
  productType: row.product_type,
  country: row.country,
  device: row.device,
  units: row.units,
  bundleCredit: row.bundle_credit,
  trials: row.trials,
  proceeds: row.proceeds,
  proceedsCurrency: row.proceeds_currency,
  customerSpend: row.customer_spend,
  customerCurrency: row.customer_currency,
});

/** Hands out the rows of one report bit by bit; gives the revision of these very rows. */
export async function forEachFacts(
  sql: Sql,
  scope: DayScope,
  take: (facts: Fact[]) => void,
): Promise<number> {
  return sql.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', async (tx) => {
    const { orgId, vendorNumber, day, reportType } = scope;
    const [known] = await tx<{ revision: number }[]>`
      SELECT facts_revision AS revision FROM store_days
      WHERE org_id = ${orgId} AND vendor_number = ${vendorNumber} AND day = ${day}
        AND report_type = ${reportType}`;
    const facts = tx<FactRow[]>`
      SELECT store_id, parent_store_id, sku, parent_sku, title, product_type, country, device,
        units, bundle_credit, trials, proceeds, proceeds_currency, customer_spend,
        customer_currency
      FROM store_facts
      WHERE org_id = ${orgId} AND vendor_number = ${vendorNumber} AND day = ${day}
        AND report_type = ${reportType}
      ORDER BY line`;
    await facts.cursor(FACT_ROWS, (rows) => take(rows.map(toFact)));
    return known?.revision ?? 0;
  });
}
