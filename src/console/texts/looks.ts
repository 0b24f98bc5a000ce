import { exactNumber } from '../format.ts';
import { inWordsFirst } from './counted.ts';

export const looks = {
  title: 'Worth a look',
  nothing: 'Nothing stands out.',
  unchecked: 'Versions could not be compared in time.',
  links: {
    connect: 'Connect',
    experiment: 'Experiment',
    result: 'Result',
    funnel: 'Funnel',
    how: 'How',
    rates: 'Import rates',
    reviews: 'Reviews',
    sales: 'Sales',
    subscribers: 'Subscribers',
    status: 'Status',
    notices: 'Notices',
    today: 'Open',
  },
  lateDays: (days: number, list: string) =>
    `${inWordsFirst(days)} ${days === 1 ? 'store day is' : 'store days are'} late: ${list}`,
  lateWhy: 'Asked for again by itself; totals may be too low.',
  moreDays: (days: number) => `${exactNumber(days)} more`,
  unconverted: (amounts: string, count: number) =>
    `${amounts} ${count === 1 ? 'is' : 'are'} in no total`,
  unconvertedWhy: 'There is no exchange rate for it.',
  runs: (name: string) => `“${name}” is not decided`,
  decided: (name: string) => `“${name}” is decided`,
  noBackup: 'No backup is made',
  noBackupWhy: 'Set BACKUP_TO and the service backs itself up each day.',
  backupFailed: 'The last backup failed',
  backupFailedWhy: 'It is tried again every hour; the log of the worker says why.',
} as const;
