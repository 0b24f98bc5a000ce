import { useMemo } from 'preact/hooks';
import { api } from '../../state/api.ts';
import type { EventSeries } from '../../state/app-figures.ts';
import { addDays, dayOf, later } from '../../state/days.ts';
import type { Dimension } from '../../state/filters.ts';
import { type Query, type Question, useQueries, useQuery } from '../../state/query.ts';
import type { SeriesInterval } from '../../state/range-query.ts';
import { MAX_DAYS } from '../../state/ranges.ts';
import type { TrendSettings } from './settings.ts';

export type Asked = {
  names: readonly string[];
  breakdown: Dimension | undefined;
  interval: SeriesInterval;
  series: EventSeries;
};

const commonOf = ({ range, filters, environment }: TrendSettings) => ({
  ...range.query,
  ...filters.query,
  environment,
});

export function useSeries(appId: string, settings: TrendSettings): Query<Asked> {
  const { names, breakdown, interval } = settings;
  const query = {
    ...commonOf(settings),
    interval,
    compare: true,
    ...(names.length > 0 && { names: names.join(',') }),
    ...(breakdown && { breakdown }),
  };
  return useQuery(`series ${appId} ${JSON.stringify(query)}`, async (signal) => {
    const series = await api.getEventSeries({ id: appId, query }, { signal });
    return { names, breakdown, interval, series };
  });
}

export type ActiveAnswer = { name: string | undefined; series: EventSeries };

/** One question an event; of several asked when drawn. */
export function useActive(
  appId: string,
  settings: TrendSettings,
  isAsked: boolean,
): readonly Query<ActiveAnswer>[] {
  const { names, subject } = settings;
  const common = { ...commonOf(settings), interval: 'day' as const, active: true, compare: true };
  const asked: readonly (string | undefined)[] = names.length > 0 ? names : [undefined];
  const questions = asked.map((name): Question<ActiveAnswer> => {
    const query = { ...common, ...(name && { names: name }) };
    return {
      of: asked.length > 1 ? (name ?? '') : '',
      key: `active ${appId} ${JSON.stringify(query)}`,
      fetch: async (signal) => ({
        name,
        series: await api.getEventSeries({ id: appId, query }, { signal }),
      }),
    };
  });
  const enabled = isAsked && (asked.length === 1 || subject === 'ratio');
  return useQueries(questions, { enabled });
}

const LATELY_DAYS = 7;
/** Shorter ranges have no two such weeks. */
export const LATELY_FROM_DAYS = 2 * LATELY_DAYS;

export function useLately(
  appId: string,
  settings: TrendSettings,
  isAsked: boolean,
): EventSeries['totals'] | undefined {
  const { range, names, filters, environment } = settings;
  const to = range.to === range.today ? addDays(range.today, -1) : range.to;
  const query = {
    ...filters.query,
    environment,
    from: addDays(to, 1 - LATELY_DAYS),
    to,
    compare: true,
    ...(names.length > 0 && { names: names.join(',') }),
  };
  const enabled = isAsked && range.days >= LATELY_FROM_DAYS;
  const lately = useQuery(
    `lately ${appId} ${JSON.stringify(query)}`,
    (signal) => api.getEventSeries({ id: appId, query }, { signal }),
    { enabled },
  );
  return enabled ? lately.value.data?.totals : undefined;
}

export function useFirstDay(
  appId: string,
  settings: TrendSettings,
  isAsked: boolean,
): string | null {
  const { range, before, environment } = settings;
  const query = {
    environment,
    from: later(before.from, addDays(range.today, 1 - MAX_DAYS)),
    to: range.to,
    compare: false,
  };
  const { data } = useQuery(
    `first day ${appId} ${JSON.stringify(query)}`,
    (signal) => api.getEventSeries({ id: appId, query }, { signal }),
    { enabled: isAsked },
  ).value;
  return useMemo(() => {
    const first = data?.points.findIndex(({ people }) => people > 0) ?? -1;
    const from = first > 0 ? data?.points[first]?.from : undefined;
    return isAsked && data && from !== undefined ? dayOf(Date.parse(from), data.timezone) : null;
  }, [data, isAsked]);
}
