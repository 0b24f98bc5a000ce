import { counted } from './counted.ts';

const NAMES = { today: 'Today', yesterday: 'Yesterday', month: 'This month' } as const;

export const range = {
  label: 'Range',
  lastDays: (days: number) => (days === 1 ? 'Last day' : `Last ${days} days`),
  shortOf: (preset: number | 'today' | 'yesterday' | 'month' | null): string =>
    typeof preset === 'number' ? counted(preset, 'day', 'days') : NAMES[preset ?? 'today'],
  presets: NAMES,
  custom: 'Custom',
  version: (version: string, dates: string) => `${version}, ${dates}`,
  since: (version: string) => `Since ${version}`,
  to: 'to',
  inZone: (days: number, zone: string) => `${counted(days, 'day', 'days')}, ${zone}`,
  chosen: (day: string) => `${day}, chosen`,
  chooseEnd: 'Choose the last day',
  cancel: 'Cancel',
  show: 'Show',
  previousMonth: 'Month before',
  nextMonth: 'Month after',
  compare: 'Compare',
  comparison: 'Comparison',
  comparisons: {
    none: 'No comparison',
    previous: (days: number) => `The ${counted(days, 'day', 'days')} before`,
  },
  comparedWith: (dates: string) => `vs ${dates}`,
  copyLink: 'Copy link',
  linkCopied: 'Link copied',
  copyFailed: 'Could not copy: copy the address of the page',
} as const;
