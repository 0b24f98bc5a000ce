import type { AppReport } from '../../providers/store/port.ts';
import { FUNNEL_STEPS, type StoreFunnelStep } from './model.ts';

export type DailyCount = {
  report: AppReport;
  day: string;
  kind: string;
  grouping: string;
  count: number;
};
export type OtherDay = { day: string; downloads: number; trials: number };
type StepName = StoreFunnelStep['step'];

const bare = (word: string): string => word.toLowerCase().replace(/[^a-z]/g, '');

const STEPS: Readonly<Record<StepName, { report: AppReport; has: (row: DailyCount) => boolean }>> =
  {
    impression: { report: 'engagement', has: ({ kind }) => bare(kind) === 'impression' },
    page_view: { report: 'engagement', has: ({ kind }) => bare(kind) === 'pageview' },
    download: { report: 'downloads', has: ({ kind }) => bare(kind) === 'firsttimedownload' },
    trial: { report: 'subscription_event', has: ({ kind }) => bare(kind) === 'freetrialstarts' },
    paid: {
      report: 'subscription_event',
      has: ({ grouping, kind }) =>
        bare(grouping) === 'paidsubscriptionstarts' ||
        /^(fullprice|contingentprice)fromfreetrial$/.test(bare(kind)),
    },
  };

const OTHERS = {
  download: { source: 'sales', of: (day: OtherDay) => day.downloads },
  trial: { source: 'subscription_events', of: (day: OtherDay) => day.trials },
} as const;

type Known = { report: AppReport; day: string };

/** Both sources on the days that both have; a day without either compares nothing. */
export function storeFunnel(
  rows: readonly DailyCount[],
  known: readonly Known[],
  others: readonly OtherDay[],
): StoreFunnelStep[] {
  return FUNNEL_STEPS.map((step) => {
    const { report, has } = STEPS[step];
    const days = new Set(known.flatMap((one) => (one.report === report ? [one.day] : [])));
    const own = rows.filter((row) => row.report === report && has(row));
    const sumOn = (on: (day: string) => boolean) =>
      own.reduce((sum, { day, count }) => (on(day) ? sum + count : sum), 0);
    const other = step === 'download' || step === 'trial' ? OTHERS[step] : null;
    const both = new Map(others.flatMap((one) => (days.has(one.day) ? [[one.day, one]] : [])));
    const here = sumOn((day) => both.has(day));
    const there = other ? [...both.values()].reduce((sum, day) => sum + other.of(day), 0) : 0;
    return {
      step,
      count: days.size === 0 ? null : sumOn(() => true),
      other:
        other && both.size > 0
          ? { source: other.source, days: both.size, here, there, difference: here - there }
          : null,
    };
  });
}
