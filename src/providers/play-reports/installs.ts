import type { ReportRow } from './report.ts';
import { INSTALL, packageOf } from './product.ts';
import { amountOf, type Cells, countryOf, readTable, unreadable } from './table.ts';

const INSTALLS = 'Daily User Installs';
const COUNTRY = ['Country', 'Country / region'];
const REQUIRED = [['Date'], ['Package Name'], COUNTRY, [INSTALLS]] as const;

/** First downloads: of people without it on any of their devices. */
function installsOf(row: Cells): ReportRow | null {
  const day = row.cell('Date');
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw unreadable(row, 'Date is not a day');
  const units = Number(amountOf(row, INSTALLS));
  if (!Number.isInteger(units) || units < 0) throw unreadable(row, `${INSTALLS} is not a count`);
  if (units === 0) return null;
  return {
    day,
    earningsMonth: null,
    packageName: packageOf(row),
    sku: '',
    title: '',
    productType: INSTALL,
    country: countryOf(row, ...COUNTRY),
    units,
    proceeds: '0',
    proceedsCurrency: '',
    customerSpend: '0',
    customerCurrency: '',
  };
}

export async function* readInstalls(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ReportRow> {
  for await (const cells of readTable(pieces, REQUIRED)) {
    const row = installsOf(cells);
    if (row) yield row;
  }
}
