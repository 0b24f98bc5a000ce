/** The columns of the store's Sales Summary, in the two orders that circulate. */
const HEAD =
  'Provider|Provider Country|SKU|Developer|Title|Version|Product Type Identifier|Units|Developer Proceeds|Begin Date|End Date|Customer Currency|Country Code|Currency of Proceeds|Apple Identifier|Customer Price|Promo Code|Parent Identifier|Subscription|Period|Category|CMB'.split(
    '|',
  );
const COLUMNS = {
  common: [
    ...HEAD,
    'Device',
    'Supported Platforms',
    'Proceeds Reason',
    'Preserved Pricing',
    'Client',
    'Order Type',
  ],
  variant: [
    ...HEAD,
    'Supported Platforms',
    'Device',
    'Preserved Pricing',
    'Proceeds Reason',
    'Client',
    'Order Type',
  ],
} as const;

const EVENT_COLUMNS =
  'Event Date|Event|App Name|App Apple ID|Subscription Name|Subscription Apple ID|Subscription Group ID|Standard Subscription Duration|Subscription Offer Type|Subscription Offer Duration|Marketing Opt-In|Marketing Opt-In Duration|Preserved Pricing|Proceeds Reason|Subscription Offer Name|Promotional Offer ID|Consecutive Paid Periods|Original Start Date|Device|Client|State|Country|Previous Subscription Name|Previous Subscription Apple ID|Days Before Canceling|Cancellation Reason|Days Canceled|Quantity'.split(
    '|',
  );

export type ColumnOrder = keyof typeof COLUMNS;
export type ReportValues = Record<string, string>;

function tsv(columns: readonly string[], rows: readonly ReportValues[]): string {
  const lines = rows.map((row) => columns.map((name) => row[name] ?? '').join('\t'));
  return `${[columns.join('\t'), ...lines].join('\n')}\n`;
}

export function salesReportText(rows: readonly ReportValues[], order: ColumnOrder): string {
  return tsv(COLUMNS[order], rows);
}

export function subscriptionEventText(rows: readonly ReportValues[]): string {
  return tsv(EVENT_COLUMNS, rows);
}
