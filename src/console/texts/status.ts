import { counted } from './counted.ts';

export const status = {
  question: 'What runs?',
  ok: 'All systems operational.',
  notOk: 'Something is away; the rest goes on.',
  parts: 'What the service needs',
  names: {
    postgres: 'Database',
    temporal: 'Work in the background',
    ingest: 'Reception of events',
    compaction: 'Writing of events',
    maintenance: 'Care of old events',
    catalogue: 'List of event files',
    queries: 'Queries over events',
    secrets: 'Stored secrets',
    lake_engine: 'SQL over events',
  },
  up: 'runs',
  down: 'away',
  checked: (at: string) => `Checked ${at}`,
  release: 'Release',
  disk: 'Free on the disk',
  backup: 'Backup',
  backups: {
    unknown: 'The database does not say.',
    none: 'No backup is made',
    noneWhy: 'Whoever runs this service sets BACKUP_TO. Until then a lost disk is lost data.',
    guide: 'How to back up',
    first: 'The first one is being made.',
    verified: (when: string) => `${when}, verified`,
    never: 'None has been finished yet.',
    every: (hours: number) =>
      `Another one comes every ${hours === 1 ? 'hour' : counted(hours, 'hour', 'hours')}.`,
    running: (when: string) => `One was begun ${when}.`,
    failed: (when: string) =>
      `The last attempt (${when}) failed; the log of the worker says why. It is tried again every hour.`,
  },
  more: 'Look closer',
  service: 'This service',
  workflows: 'Workflows (Temporal)',
} as const;
