import type { PlayReport, ReportFile } from './report.ts';

/** Of installs the one by country alone: each dimension counts the same installs. */
const NAMES: Readonly<Record<PlayReport, RegExp>> = {
  sales: /^sales\/salesreport_(\d{4})(\d{2})[^/]*\.(?:zip|csv)$/,
  earnings: /^earnings\/earnings_(\d{4})(\d{2})_[^/]*\.(?:zip|csv)$/,
  installs: /^stats\/installs\/installs_[A-Za-z0-9._]+_(\d{4})(\d{2})_country\.csv$/,
};

type Listed = { name: string; generation: string; updated: string };

/** Null for another file. */
export function reportFile(report: PlayReport, listed: Listed): ReportFile | null {
  const { name, generation, updated } = listed;
  const [, year, month] = NAMES[report].exec(name) ?? [];
  if (year === undefined || month === undefined || month < '01' || month > '12') return null;
  return { name, report, month: `${year}-${month}`, generation, updatedAt: new Date(updated) };
}
