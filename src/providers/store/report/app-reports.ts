import type { AppReport, AppReportFact } from '../port.ts';
import { count } from './cells.ts';
import { type PieceReader, reportDay, tableReader, unreadable } from './table.ts';

export const APP_REPORT_NAMES: Readonly<Record<AppReport, string>> = {
  engagement: 'App Store Discovery and Engagement Standard',
  downloads: 'App Downloads Standard',
  installs: 'App Store Installation and Deletion Standard',
  sessions: 'App Sessions Standard',
  crashes: 'App Crashes',
  subscription_state: 'App Store Subscription State Standard',
  subscription_event: 'App Store Subscription Event Standard',
};

type Columns = {
  kind?: string;
  grouping?: string;
  source?: string;
  version?: string;
  territory?: string;
  count: string;
  seconds?: string;
};

const SOURCE = { source: 'Source Type', territory: 'Territory' };
const BUILD = { version: 'App Version' };

const COLUMNS: Readonly<Record<AppReport, Columns>> = {
  engagement: { kind: 'Event', grouping: 'Page Type', ...SOURCE, count: 'Counts' },
  downloads: { kind: 'Download Type', ...SOURCE, count: 'Counts' },
  installs: { kind: 'Event', ...BUILD, ...SOURCE, count: 'Counts' },
  sessions: { ...BUILD, ...SOURCE, count: 'Sessions', seconds: 'Total Session Duration' },
  crashes: { ...BUILD, count: 'Crashes' },
  subscription_state: { kind: 'State Metric', territory: 'Territory', count: 'Counts' },
  subscription_event: {
    kind: 'Event Sub Type',
    grouping: 'Event Grouping',
    territory: 'Territory',
    count: 'Counts',
  },
};

const APP_ID = 'App Apple Identifier';
const TEXT_MAX = 200;

export function appReportReader(report: AppReport, storeAppId: string): PieceReader<AppReportFact> {
  const columns = COLUMNS[report];
  return tableReader([APP_ID, ...Object.values(columns)], (row) => {
    const day = reportDay(row.cell('Date') || row.cell('Event Date'));
    if (day === null) throw unreadable(row, 'the row has no date');
    if (row.cell(APP_ID) !== storeAppId) throw unreadable(row, 'the row is of another app');
    const text = (name: string | undefined) => (name ? row.cell(name).slice(0, TEXT_MAX) : '');
    return {
      day,
      kind: text(columns.kind),
      grouping: text(columns.grouping),
      source: text(columns.source),
      version: text(columns.version),
      territory: text(columns.territory),
      count: count(row, columns.count),
      seconds: columns.seconds ? count(row, columns.seconds) : 0,
    };
  });
}
