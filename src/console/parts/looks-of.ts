import { money, shortDay } from '../format.ts';
import { lateDays } from '../state/app-sales.ts';
import type { Sales } from '../state/app-figures.ts';
import type { Result } from '../state/experiments.ts';
import { looks as t } from '../texts/looks.ts';
import * as icons from './icons.ts';
import type { Look } from './looks.tsx';

const DAYS_NAMED = 3;
const list = new Intl.ListFormat('en');

function daysInWords(days: readonly string[]): string {
  const named = days.slice(0, DAYS_NAMED).map(shortDay);
  const more = days.length - named.length;
  return [...named, ...(more > 0 ? [t.moreDays(more)] : [])].join(', ');
}

export function salesLooks(sales: Sales | undefined): Look[] {
  if (!sales) return [];
  const late = lateDays(sales);
  const amounts = sales.unconverted.map(({ currency, proceedsMinor }) =>
    money(proceedsMinor, currency),
  );
  return [
    ...(amounts.length > 0
      ? [
          {
            key: 'unconverted',
            icon: icons.currency,
            tone: 'warn' as const,
            title: t.unconverted(list.format(amounts), amounts.length),
            text: sales.rates?.notice ?? t.unconvertedWhy,
            link: { href: '/sales', text: t.links.rates },
          },
        ]
      : []),
    ...(late.length > 0
      ? [
          {
            key: 'late days',
            icon: icons.late,
            title: t.lateDays(late.length, daysInWords(late)),
            text: t.lateWhy,
            link: { href: '/sales', text: t.links.sales },
          },
        ]
      : []),
  ];
}

export function experimentLook(
  appId: string,
  { experiment, report }: Result,
  link: string = t.links.experiment,
): Look {
  const { id, name } = experiment;
  const isDecided = report.answer !== undefined && report.answer.verdict !== 'not_decided';
  return {
    key: `experiment ${id}`,
    icon: icons.experiments,
    tone: isDecided ? 'good' : undefined,
    title: isDecided ? t.decided(name) : t.runs(name),
    text: report.answer?.text,
    link: { href: `/apps/${appId}/experiments/${id}`, text: link },
  };
}

type Backups = { scheduled: boolean; lastAttempt: string | null } | null;

export function backupLooks(backups: Backups | undefined): Look[] {
  if (!backups) return [];
  if (!backups.scheduled) {
    return [
      {
        key: 'backup',
        icon: icons.backup,
        title: t.noBackup,
        text: t.noBackupWhy,
        link: { href: '/help/runbook#backups-by-themselves', text: t.links.how, isDocument: true },
      },
    ];
  }
  if (backups.lastAttempt !== 'failed') return [];
  return [
    {
      key: 'backup',
      icon: icons.backup,
      tone: 'bad',
      title: t.backupFailed,
      text: t.backupFailedWhy,
      link: { href: '/status', text: t.links.status },
    },
  ];
}

const ORDER = ['bad', 'warn', 'good', undefined];

export const sortedLooks = (looks: readonly Look[]): Look[] =>
  looks.toSorted((one, other) => ORDER.indexOf(one.tone) - ORDER.indexOf(other.tone));
