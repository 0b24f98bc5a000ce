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

/** Of version 1_4; 1_3 lacks the win-back offers. */
const SUBSCRIPTION_COLUMNS =
  'App Name|App Apple ID|Subscription Name|Subscription Apple ID|Subscription Group ID|Standard Subscription Duration|Subscription Offer Name|Promotional Offer ID|Customer Price|Customer Currency|Developer Proceeds|Proceeds Currency|Preserved Pricing|Proceeds Reason|Client|Device|State|Country|Active Standard Price Subscriptions|Active Free Trial Introductory Offer Subscriptions|Active Pay Up Front Introductory Offer Subscriptions|Active Pay as You Go Introductory Offer Subscriptions|Free Trial Promotional Offer Subscriptions|Pay Up Front Promotional Offer Subscriptions|Pay As You Go Promotional Offer Subscriptions|Marketing Opt-Ins|Billing Retry|Grace Period|Free Trial Offer Code Subscriptions|Pay Up Front Offer Code Subscriptions|Pay As You Go Offer Code Subscriptions|Subscribers|Free Trial Win-back Offers|Pay Up Front Win-Back Offers|Pay As You Go Win-back Offers'.split(
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

export function subscriptionText(rows: readonly ReportValues[], version = '1_4'): string {
  const columns = SUBSCRIPTION_COLUMNS.filter(
    (name) => version >= '1_4' || !/win-back/i.test(name),
  );
  return tsv(columns, rows);
}

export function subscriptionEventText(rows: readonly ReportValues[]): string {
  return tsv(EVENT_COLUMNS, rows);
}
