import { useEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { useEnvironment } from '../../parts/chips/environment.tsx';
import { useAddress } from '../../state/address.ts';
import { type AddressChange, changedQuery } from '../../state/address-query.ts';
import {
  type Ask,
  type AskKind,
  askOf,
  begin,
  type Door,
  DOORS,
  type Frame,
  readAsk,
} from '../../state/ask.ts';
import { lengthOf } from '../../state/days.ts';
import { useFunnels } from '../../state/funnels.ts';
import { type Picked, readPicked } from '../../state/ask-people.ts';
import { useCompare, useRange } from '../../state/range.ts';
import { throughToday } from '../../state/ranges.ts';
import { retentionIntervals, seriesIntervals } from '../../state/range-query.ts';
import { useSavedQuestions } from '../../state/saved-questions.ts';
import { useSegments } from '../../state/segments.ts';
import { retention as retentionTexts } from '../../texts/retention.ts';
import { askFrom, NOTHING_ASKED, parametersOf } from './from-page.ts';
import { savedParameters } from './saved-parameters.ts';

const USUAL = { trends: 'trend', funnels: 'funnel', retention: 'retention' } as const;
/** Columns beside the cohort's own. */
export const PERIODS = { hour: 14, day: 14, week: 12, month: 12 } as const;

type Interval = Frame['interval'];

function intervalsOf(kind: AskKind, range: ReturnType<typeof useRange>): readonly Interval[] {
  if (kind === 'retention') return retentionIntervals(range);
  return kind === 'trend' || kind === 'lifecycle' ? seriesIntervals(range) : [];
}

const WEEKS_FROM_DAYS = 14;

function intervalOf(kind: AskKind, intervals: readonly Interval[], days: number): Interval {
  if (kind !== 'retention') return intervals.includes('day') ? 'day' : (intervals[0] ?? 'day');
  const usual = days < WEEKS_FROM_DAYS ? 'day' : 'week';
  return intervals.includes(usual) ? usual : 'month';
}

function windowOf(kind: AskKind, interval: Interval, range: ReturnType<typeof useRange>) {
  if (kind !== 'funnel' && kind !== 'retention') return range.query;
  const isUnderWay = kind === 'retention' && interval !== 'day' && typeof range.preset === 'number';
  // A week or month that begins today is a cohort too.
  const { from, to } = isUnderWay ? throughToday(range) : range;
  return { from, to };
}

/** `2-1`: period 1 of cohort 2; `2`: the cohort. */
function cellOf(name = ''): Picked | undefined {
  const [, cohort, period] = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(name) ?? [];
  if (cohort === undefined) return undefined;
  const figure = { of: 'cohort' as const, cohortIndex: +cohort, period: +(period ?? 0) };
  return { question: 0, figure, values: [], title: retentionTexts.triangle };
}

export function useQuestionSettings(door: Door) {
  const appId = useRoute().params.id ?? '';
  const { query, change } = useAddress();
  const { route } = useLocation();
  const range = useRange();
  const { compare, before } = useCompare(range);
  const { environment, choice } = useEnvironment();
  useSegments(appId);
  const saved = useSavedQuestions(appId);
  const found = saved.value.data?.find(({ id }) => id === query.saved);
  const isShort =
    query.saved !== undefined && Object.keys(NOTHING_ASKED).every((one) => !(one in query));
  const funnels = useFunnels(appId, door === 'funnels');
  const named = funnels.value.data;
  const go = (kind: AskKind, values: AddressChange, isBackSkipped = false) =>
    DOORS[kind] === door
      ? change(values, { isBackSkipped })
      : route(
          `/apps/${appId}/${DOORS[kind]}${changedQuery(location.search, values)}`,
          isBackSkipped,
        );
  const opening = isShort ? found && askOf(found.question) : undefined;
  const ask = readAsk(query.q) ?? opening ?? askFrom(door, query, named) ?? begin(USUAL[door]);
  const { kind } = ask;
  const isWaiting = door === 'funnels' && named === undefined && funnels.value.error === undefined;
  const whole = opening && found && !isWaiting && savedParameters(found, named ?? [], query);
  const isElsewhere = DOORS[kind] !== door;
  useEffect(() => {
    if (isElsewhere) go(kind, {}, true);
    else if (whole) change(whole, { isBackSkipped: true });
  }, [JSON.stringify(whole), isElsewhere]);
  const intervals = intervalsOf(kind, range);
  const usual = intervalOf(kind, intervals, lengthOf(range));
  const interval = intervals.find((one) => one === query.interval) ?? usual;
  const isCompared = compare === 'previous' && (kind === 'trend' || kind === 'funnel');
  const frame = { environment, interval, periods: PERIODS[interval] };
  return {
    ...{ appId, query, change, range, before, isCompared, environment, ask, saved, door },
    ...{ intervals, interval, funnels },
    environmentChoice: choice,
    /** The saved question that this one came from. */
    opened: found,
    isOpening: isElsewhere || isWaiting || (isShort && (found !== undefined || !saved.value.data)),
    failed: isShort && !saved.value.data ? saved.value.error : undefined,
    frame: { ...frame, window: windowOf(kind, interval, range) } satisfies Frame,
    behind: readPicked(query.behind) ?? cellOf(query.cell),
    setBehind: (picked: Picked | undefined) =>
      change({ behind: picked && JSON.stringify(picked), cell: undefined }),
    setAsk: (next: Ask, others?: AddressChange) =>
      go(next.kind, {
        ...parametersOf(next, named),
        ...(query.saved !== undefined && { as: next.kind }),
        ...others,
      }),
    setInterval: (next: Interval) =>
      change({ interval: next === usual ? undefined : next, point: undefined, cell: undefined }),
  };
}

export type QuestionSettings = ReturnType<typeof useQuestionSettings>;
