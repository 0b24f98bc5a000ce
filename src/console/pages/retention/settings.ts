import { useEnvironment } from '../../parts/chips/environment.tsx';
import { useAddress } from '../../state/address.ts';
import { useRange } from '../../state/range.ts';
import {
  type RetentionInterval,
  retentionIntervals,
  retentionQuery,
} from '../../state/range-query.ts';

const WEEKS_FROM_DAYS = 14;
/** Columns beside the cohort's own. */
const PERIODS: Record<RetentionInterval, number> = { day: 14, week: 12, month: 12 };

export const COHORTS = ['first', 'recurring'] as const;
export const CRITERIA = ['on', 'on_or_after'] as const;
export const CLOCKS = ['calendar', 'hours'] as const;

const oneOf = <T extends string>(options: readonly T[], text: string | undefined, usual: T): T =>
  options.find((one) => one === text) ?? usual;

/** `2-1`: period 1 of cohort 2; `2`: the cohort. */
export const cellName = (cohort: number, period: number | null): string =>
  period === null ? String(cohort) : `${cohort}-${period}`;

function cellOf(name = ''): { cohortIndex: number; period: number | null } | null {
  const parts = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(name);
  if (!parts) return null;
  const [, cohort, period] = parts;
  return { cohortIndex: Number(cohort), period: period === undefined ? null : Number(period) };
}

export function useRetentionSettings() {
  const { query, change } = useAddress();
  const range = useRange();
  const { environment, choice } = useEnvironment();
  const intervals = retentionIntervals(range);
  const short = range.days < WEEKS_FROM_DAYS && intervals.includes('day') ? 'day' : undefined;
  const usual = short ?? (intervals.includes('week') ? 'week' : 'month');
  const interval = oneOf(intervals, query.interval, usual);
  const cohort = oneOf(COHORTS, query.cohort, 'first');
  const criterion = oneOf(CRITERIA, query.criterion, 'on');
  // Months have no hours of their own.
  const clock = interval === 'month' ? 'calendar' : oneOf(CLOCKS, query.clock, 'calendar');
  const { starts = '', returns = '' } = query;
  return {
    range,
    environment,
    environmentChoice: choice,
    intervals,
    interval,
    cohort,
    criterion,
    clock,
    starts,
    returns,
    cell: cellOf(query.cell),
    selection: {
      ...retentionQuery(range),
      interval,
      cohort,
      criterion,
      clock,
      environment,
      ...(starts && { startName: starts }),
      ...(returns && { returnName: returns }),
    },
    periods: PERIODS[interval],
    /** Another question has other cells. */
    choose: (values: { [name: string]: string | undefined }) =>
      change({ ...values, cell: undefined }),
    pick: (cell: string | undefined) => change({ cell }),
    setInterval: (next: RetentionInterval) =>
      change({ interval: next === usual ? undefined : next, cell: undefined }),
  };
}

export type RetentionSettings = ReturnType<typeof useRetentionSettings>;
