import { DateTime } from 'luxon';
import { readInstalls } from './installs.ts';
import { PRODUCT_COLUMNS, productOrAccount } from './product.ts';
import type { PlayReport, ReportReader, ReportRow } from './report.ts';
import { readSales } from './sales.ts';
import { amountOf, type Cells, countryOf, currencyOf, readTable, unreadable } from './table.ts';

const AMOUNT = 'Amount (Merchant Currency)';
const CURRENCY = 'Merchant Currency';

const REQUIRED = [
  ['Transaction Date'],
  ['Transaction Time'],
  [AMOUNT],
  [CURRENCY],
  ...PRODUCT_COLUMNS,
] as const;

const OFFSETS: Readonly<Record<string, string>> = { PST: '-08:00', PDT: '-07:00' };

/** "Nov 1, 2026" and "3:29:44 AM PDT" as a day of UTC, which sales are of. */
function dayOf(row: Cells): string {
  const [time = '', zone = ''] = row.cell('Transaction Time').split(/ (?=P[SD]T$)/);
  const text = `${row.cell('Transaction Date')} ${time} ${OFFSETS[zone] ?? ''}`;
  const at = DateTime.fromFormat(text, 'LLL d, yyyy h:mm:ss a ZZ', { locale: 'en-US' });
  const day = at.toUTC().toISODate();
  if (day === null) throw unreadable(row, 'Transaction Date and Time are no instant');
  return day;
}

/** Charges, fees, taxes and refunds, each signed: their sum is paid out. */
function earningOf(row: Cells): ReportRow {
  const proceeds = amountOf(row, AMOUNT);
  return {
    ...productOrAccount(row),
    day: dayOf(row),
    earningsMonth: null,
    country: countryOf(row, 'Buyer Country'),
    units: 0,
    proceeds,
    proceedsCurrency: currencyOf(row, proceeds, CURRENCY),
    customerSpend: '0',
    customerCurrency: '',
  };
}

async function* readEarnings(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ReportRow> {
  for await (const cells of readTable(pieces, REQUIRED)) yield earningOf(cells);
}

const READERS: Readonly<Record<PlayReport, ReportReader>> = {
  sales: readSales,
  earnings: readEarnings,
  installs: readInstalls,
};

export const openReport = (report: PlayReport): ReportReader => READERS[report];
