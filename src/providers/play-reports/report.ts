export const PLAY_REPORTS = ['sales', 'earnings', 'installs'] as const;
export type PlayReport = (typeof PLAY_REPORTS)[number];

/** A file of the account's bucket in Cloud Storage. */
export type ReportFile = {
  /** Path in the bucket. */
  name: string;
  report: PlayReport;
  /** YYYY-MM: of UTC in sales, Pacific in earnings. */
  month: string;
  /** Changes whenever Google writes the file anew. */
  generation: string;
  updatedAt: Date;
};

/** A part of a report that is wrong; its message is safe to show. */
export class PlayReportError extends Error {
  override name = 'PlayReportError';
}

export type ReportRow = {
  /** UTC; as written in installs, whose zone Google does not say. */
  day: string;
  /** Pacific month of a sale, whose earnings report has its money. */
  earningsMonth: string | null;
  packageName: string;
  /** Empty for the app itself. */
  sku: string;
  title: string;
  productType: string;
  country: string;
  /** Negative for refunds. */
  units: number;
  /** Plain decimals, negative for refunds. `proceeds` of sales is estimated. */
  proceeds: string;
  proceedsCurrency: string;
  customerSpend: string;
  customerCurrency: string;
};

/** A row of a kind that Google added; `skipped` names it. */
export type SkippedRow = { skipped: string };

export type ReportReader = (
  pieces: AsyncIterable<Uint8Array>,
) => AsyncIterable<ReportRow | SkippedRow>;
