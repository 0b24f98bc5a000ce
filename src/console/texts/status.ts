import { counted } from './counted.ts';

export const status = {
  title: 'Status',
  question: 'What runs?',
  ok: 'Everything runs.',
  notOk: 'Something is away; the rest goes on.',
  dependency: 'Dependency',
  state: 'State',
  detail: 'What it means',
  checked: 'Checked',
  release: 'Running release',
  disk: 'Free on the disk',
  backup: 'Last backup',
  backups: {
    unknown: 'The database does not say.',
    none: 'None is made by itself: whoever runs this service sets BACKUP_TO.',
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
  workflows: 'Workflows (Temporal)',
  up: 'up',
  down: 'down',
} as const;
