import { useMemo } from 'preact/hooks';
import type { Answer, MeasuresAnswer, SeriesAnswer } from '../../../../clients/api/src/index.ts';
import { api } from '../../state/api.ts';
import type { EventSeries } from '../../state/app-figures.ts';
import type { TrendAsk } from '../../state/ask.ts';
import { addDays, dayOf, later } from '../../state/days.ts';
import { filterQuery } from '../../state/filter-rules.ts';
import { type Query, useQueries } from '../../state/query.ts';
import { MAX_DAYS } from '../../state/ranges.ts';
import { question, useApi } from '../../state/use-api.ts';
import type { TrendSettings } from './settings.ts';

export type Asked = {
  ask: TrendAsk;
  first: SeriesAnswer | MeasuresAnswer;
  others: MeasuresAnswer[];
};

export function askedOf(ask: TrendAsk, answers: readonly Answer[]): Asked | undefined {
  const [first, ...others] = answers.flatMap((answer) =>
    answer.kind === 'series' || answer.kind === 'measures' ? [answer] : [],
  );
  return first && { ask, first, others: others.filter((one) => one.kind === 'measures') };
}

/** One question an event; of several asked when drawn. */
export function useActive(
  appId: string,
  settings: TrendSettings,
  isAsked: boolean,
): readonly Query<EventSeries>[] {
  const { plain, isRatio, range, environment } = settings;
  const { names, filters } = plain ?? { names: [], filters: [] };
  const common = {
    ...{ ...range.query, ...filterQuery(filters), environment },
    ...{ interval: 'day' as const, active: true, compare: true },
  };
  const asked: readonly (string | undefined)[] = names.length > 0 ? names : [undefined];
  const questions = asked.map((name) => {
    const query = { ...common, ...(name && { names: name }) };
    const of = asked.length > 1 ? (name ?? '') : '';
    return question(api.getEventSeries, { id: appId, query }, of);
  });
  const enabled = isAsked && plain !== undefined && (asked.length === 1 || isRatio);
  return useQueries(questions, { enabled });
}

const LATELY_DAYS = 7;
/** Shorter ranges have no two such weeks. */
export const LATELY_FROM_DAYS = 2 * LATELY_DAYS;

export function useLately(
  appId: string,
  settings: TrendSettings,
  isAsked: boolean,
): SeriesAnswer['totals'] | undefined {
  const { range, ask, environment } = settings;
  const to = range.to === range.today ? addDays(range.today, -1) : range.to;
  const from = addDays(to, 1 - LATELY_DAYS);
  const body = { kind: 'series' as const, series: ask.series, environment, from, to };
  const enabled = isAsked && range.days >= LATELY_FROM_DAYS;
  const { data } = useApi(api.answerQuestion, { id: appId, body }, { enabled }).value;
  return enabled && data?.kind === 'series' ? data.totals : undefined;
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
  const { data } = useApi(api.getEventSeries, { id: appId, query }, { enabled: isAsked }).value;
  return useMemo(() => {
    const first = data?.points.findIndex(({ people }) => people > 0) ?? -1;
    const from = first > 0 ? data?.points[first]?.from : undefined;
    return isAsked && data && from !== undefined ? dayOf(Date.parse(from), data.timezone) : null;
  }, [data, isAsked]);
}
