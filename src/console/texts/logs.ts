import { exactNumber } from '../format.ts';
import { counted } from './counted.ts';

export const logs = {
  title: 'Logs',
  question: 'What did my servers write, and what went wrong?',
  search: 'Search',
  searchHint: 'In messages and fields: a request id, an app, a word.',
  level: 'Level',
  levels: {
    all: 'Every level',
    fatal: 'Fatal',
    error: 'Error',
    warn: 'Warning',
    info: 'Info',
    debug: 'Debug',
    trace: 'Trace',
  },
  service: 'Service',
  allServices: 'Every service',
  env: 'Environment',
  allEnvs: 'Every environment',
  range: 'Time',
  ranges: {
    '900000': '15 minutes',
    '3600000': 'An hour',
    '86400000': 'A day',
    '604800000': '7 days',
    '2592000000': '30 days',
  },
  tail: 'Follow',
  stop: 'Stop following',
  following: 'New entries appear at the top.',
  find: 'Find',
  time: 'Time',
  message: 'Message',
  fields: 'Fields',
  older: 'Older',
  newest: 'Newest',
  total: (shown: number, total: number) =>
    `${exactNumber(shown)} of ${counted(total, 'entry', 'entries')}.`,
  memory: 'The database is away: these are the entries held in memory.',
  dropped: (count: number) =>
    `${counted(count, 'entry was', 'entries were')} lost because memory was full.`,
  none: 'No entry fits. Widen the time or take a filter away.',
  noneEver:
    'No entry in this time. A server writes one with POST /v1/logs and an organization key:',
} as const;
