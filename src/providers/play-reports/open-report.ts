import { readEarnings } from './earnings.ts';
import { readInstalls } from './installs.ts';
import type { PlayReport, ReportReader } from './report.ts';
import { readSales } from './sales.ts';

const READERS: Readonly<Record<PlayReport, ReportReader>> = {
  sales: readSales,
  earnings: readEarnings,
  installs: readInstalls,
};

export const openReport = (report: PlayReport): ReportReader => READERS[report];
