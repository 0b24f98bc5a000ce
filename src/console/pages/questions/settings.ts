import { useEffect } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { useEnvironment } from '../../parts/chips/environment.tsx';
import { useAddress } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { type Ask, askParameters, begin, type Frame, readAsk } from '../../state/ask.ts';
import { lengthOf } from '../../state/days.ts';
import { type Picked, readPicked } from '../../state/ask-people.ts';
import { useQuery } from '../../state/query.ts';
import { useCompare, useRange } from '../../state/range.ts';
import { retentionIntervals, seriesIntervals } from '../../state/range-query.ts';
import { savedParameters, useSavedQuestions } from '../../state/saved-questions.ts';
import { useSegments } from '../../state/segments.ts';
import { askFrom, cameFrom } from './from-page.ts';

const USUAL: Ask = begin('trend');
/** Columns beside the cohort's own. */
export const PERIODS = { hour: 14, day: 14, week: 12, month: 12 } as const;

type Interval = Frame['interval'];

function intervalsOf(ask: Ask, range: ReturnType<typeof useRange>): readonly Interval[] {
  if (ask.kind === 'retention') return retentionIntervals(range);
  return ask.kind === 'trend' || ask.kind === 'lifecycle' ? seriesIntervals(range) : [];
}

const WEEKS_FROM_DAYS = 14;

function intervalOf(ask: Ask, intervals: readonly Interval[], days: number): Interval {
  if (ask.kind !== 'retention') return intervals.includes('day') ? 'day' : (intervals[0] ?? 'day');
  const usual = days < WEEKS_FROM_DAYS ? 'day' : 'week';
  return intervals.includes(usual) ? usual : 'month';
}

export function useQuestionSettings() {
  const appId = useRoute().params.id ?? '';
  const { query, change } = useAddress();
  const range = useRange();
  const { compare, before } = useCompare(range);
  const { environment, choice } = useEnvironment();
  useSegments(appId);
  const saved = useSavedQuestions(appId);
  const found = saved.value.data?.find(({ id }) => id === query.saved);
  const isShort = query.saved !== undefined && query.q === undefined;
  const funnels = useQuery(
    `funnels ${appId}`,
    (signal) => api.listFunnels({ id: appId }, { signal }),
    { enabled: query.as === 'funnel' },
  ).value.data;
  const came = askFrom(query, funnels);
  const whole = came ? cameFrom(came) : isShort && found && savedParameters(found);
  useEffect(() => {
    if (whole) change(whole, { isBackSkipped: true });
  }, [JSON.stringify(whole)]);
  const ask = readAsk(query.q) ?? USUAL;
  const intervals = intervalsOf(ask, range);
  const usual = intervalOf(ask, intervals, lengthOf(range));
  const interval = intervals.find((one) => one === query.interval) ?? usual;
  const isCompared = compare === 'previous' && (ask.kind === 'trend' || ask.kind === 'funnel');
  const isDated = ask.kind === 'funnel' || ask.kind === 'retention';
  const dates = ({ from, to }: { from: string; to: string }) => ({ from, to });
  return {
    ...{ appId, change, range, before, isCompared, environment, ask, intervals, interval, saved },
    environmentChoice: choice,
    /** The saved question that this one came from. */
    opened: found,
    isOpening:
      query.as !== undefined ||
      (isShort && (found !== undefined || saved.value.data === undefined)),
    frame: {
      window: isDated ? dates(range) : range.query,
      ...{ environment, interval, periods: PERIODS[interval] },
    } satisfies Frame,
    frameBefore: {
      window: dates(before),
      ...{ environment, interval, periods: PERIODS[interval] },
    } satisfies Frame,
    behind: readPicked(query.behind),
    setBehind: (picked: Picked | undefined) => change({ behind: picked && JSON.stringify(picked) }),
    setAsk: (next: Ask) => change(askParameters(next)),
    setInterval: (next: Interval) => change({ interval: next === usual ? undefined : next }),
  };
}

export type QuestionSettings = ReturnType<typeof useQuestionSettings>;
