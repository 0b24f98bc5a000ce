import { type Days, daysBefore } from '../../state/days.ts';
import { useQuery } from '../../state/query.ts';
import { type RangeState, type Resolved, throughToday } from '../../state/range.ts';
import { funnelQuery } from '../../state/range-query.ts';
import type { Report } from './asked-report.ts';
import type { FunnelReport, Source } from './source.ts';
import { isByDay, sinceFirst } from './trend.ts';

export type { FunnelReport, Source };

export type Asked = {
  report: Report;
  /** Today too where too few came before it. */
  days: Days;
  isWithToday: boolean;
};

export async function readFunnel<R extends Pick<Report, 'people' | 'verdict'>>(
  range: Resolved,
  ask: (days: Days) => Promise<R>,
): Promise<Omit<Asked, 'report'> & { report: R }> {
  const days = funnelQuery(range);
  const report = await ask(days);
  const isClosed = typeof range.preset === 'number' && days.to < range.today;
  if (report.verdict === 'ready' || !isClosed) return { report, days, isWithToday: false };
  const longer = funnelQuery(throughToday(range));
  const withToday = await ask(longer);
  return { report: withToday, days: longer, isWithToday: withToday.people > report.people };
}

export function useReport(source: Source | undefined, range: RangeState, isCompared: boolean) {
  const { from, to, preset } = range;
  const key = JSON.stringify([source?.key, from, to, preset, isCompared]);
  return useQuery(
    `funnel ${key}`,
    async (signal) =>
      source
        ? readFunnel(range, (asked) =>
            source.read(asked, { interval: 'day', isBrokenDown: true, isCompared }, signal),
          )
        : null,
    { enabled: source !== undefined },
  );
}

type Part = { report: FunnelReport; days: Days; source: Source };

function useTrend(
  what: string,
  { report, days, source }: Part,
  { interval, enabled }: { interval: 'day' | 'week'; enabled: boolean },
) {
  return useQuery(
    `${what} ${source.key} ${JSON.stringify([days, interval])} ${report.computedAt}`,
    (signal) => source.read(days, { interval }, signal),
    { enabled },
  );
}

/** Where too few enter on a day. */
export const useWeeks = (part: Part) =>
  useTrend('funnel by week', part, {
    interval: 'week',
    enabled: !isByDay(sinceFirst(part.report.trend ?? [])) && part.report.verdict === 'ready',
  });

export function useTrendBefore(part: Part, interval: 'day' | 'week') {
  const { comparison } = part.report;
  const isComparable = comparison?.verdict === 'ready' && comparison.notice === undefined;
  return useTrend(
    'funnel before',
    { ...part, days: daysBefore(part.days) },
    { interval, enabled: isComparable },
  );
}
