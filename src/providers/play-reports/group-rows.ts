import { addDecimals } from '../../shared/decimal.ts';
import { PlayReportError, type ReportRow, type SkippedRow } from './report.ts';

/** An account of 50 apps in 150 countries has about 200,000 a month. */
const GROUPS_MAX = 500_000;

export type GroupedRows = {
  rows: ReportRow[];
  /** How many rows, by the kind that is not known. */
  skipped: ReadonlyMap<string, number>;
};

const keyOf = (row: ReportRow) =>
  JSON.stringify([
    ...[row.day, row.earningsMonth, row.packageName, row.sku, row.productType, row.country],
    ...[row.proceedsCurrency, row.customerCurrency, Math.sign(row.units)],
  ]);

function addRow(into: ReportRow, row: ReportRow): void {
  into.units += row.units;
  into.proceeds = addDecimals(into.proceeds, row.proceeds);
  into.customerSpend = addDecimals(into.customerSpend, row.customerSpend);
  into.title ||= row.title;
}

/** Orders of one product, country, day and currency, refunds apart, added up exactly. */
export async function groupRows(rows: AsyncIterable<ReportRow | SkippedRow>): Promise<GroupedRows> {
  const byKey = new Map<string, ReportRow>();
  const skipped = new Map<string, number>();
  for await (const row of rows) {
    if ('skipped' in row) {
      skipped.set(row.skipped, (skipped.get(row.skipped) ?? 0) + 1);
      continue;
    }
    const key = keyOf(row);
    const known = byKey.get(key);
    if (known) addRow(known, row);
    else byKey.set(key, { ...row });
    if (byKey.size > GROUPS_MAX) {
      throw new PlayReportError(`Over ${GROUPS_MAX} products, countries and days in one file.`);
    }
  }
  return { rows: [...byKey.values()], skipped };
}
