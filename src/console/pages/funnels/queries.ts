import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FunnelReport } from '../../../../clients/api/src/index.ts';
import type { Environment } from '../../parts/chips/environment.tsx';
import { api } from '../../state/api.ts';
import { type Days, daysBefore } from '../../state/days.ts';
import { beginsWithOpen } from '../../state/first-open.ts';
import { useQuery } from '../../state/query.ts';
import { type RangeState, throughToday } from '../../state/range.ts';
import { funnelQuery } from '../../state/range-query.ts';
import type { FunnelSettings, Who } from './settings.ts';
import { isByDay, sinceFirst } from './trend.ts';

export type { FunnelReport };
export type Funnel = Awaited<ReturnType<typeof api.listFunnels>>[number];

/** An app gets its first funnel while it is set up. */
const SETUP_SECONDS = 3;

export function useFunnels(appId: string) {
  const isSetUp = useSignal(true);
  const funnels = useQuery(
    `funnels ${appId}`,
    (signal) => api.listFunnels({ id: appId }, { signal }),
    { everySeconds: isSetUp.value ? undefined : SETUP_SECONDS },
  );
  const count = funnels.value.data?.length;
  useEffect(() => {
    isSetUp.value = count !== 0;
  }, [count]);
  return funnels;
}

/** Of a step that people repeat only new ones say something. */
export const whoOf = ({ who }: FunnelSettings, funnel: Funnel | undefined): Who =>
  who ?? (funnel && beginsWithOpen(funnel.steps) ? 'new' : 'all');

export type Selection = ReturnType<typeof selectionOf>;

export function selectionOf(
  settings: FunnelSettings,
  { funnel, environment }: { funnel: Funnel | undefined; environment: Environment },
) {
  const { windowHours, filters } = settings;
  return {
    ...filters.query,
    environment,
    ...(whoOf(settings, funnel) === 'new' && { people: 'new' as const }),
    ...(windowHours !== undefined && { windowHours }),
  };
}

export type Asked = {
  report: FunnelReport;
  /** Today too where too few came before it. */
  days: Days;
  isWithToday: boolean;
};

type Question = {
  funnel: Funnel;
  selection: Selection;
  breakdown: string | undefined;
  isCompared: boolean;
};

async function readReport(
  { funnel, selection, breakdown, isCompared }: Question,
  range: RangeState,
  signal: AbortSignal,
): Promise<Asked> {
  const { appId: id, id: funnelId } = funnel;
  const ask = (days: Days) => {
    const query = {
      ...selection,
      ...days,
      interval: 'day' as const,
      ...(breakdown && { breakdown }),
      ...(isCompared && { compare: 'previous' as const }),
    };
    return api.getFunnelReport({ id, funnelId, query }, { signal });
  };
  const days = funnelQuery(range);
  const report = await ask(days);
  const isClosed = typeof range.preset === 'number' && days.to < range.today;
  if (report.verdict === 'ready' || !isClosed) return { report, days, isWithToday: false };
  const longer = funnelQuery(throughToday(range));
  const withToday = await ask(longer);
  return { report: withToday, days: longer, isWithToday: withToday.people > report.people };
}

export function useReport(
  funnel: Funnel | undefined,
  range: RangeState,
  question: Omit<Question, 'funnel'>,
) {
  const { from, to, preset } = range;
  const key = JSON.stringify([funnel?.id, funnel?.updatedAt, from, to, preset, question]);
  return useQuery(
    `funnel ${key}`,
    async (signal) => (funnel ? readReport({ ...question, funnel }, range, signal) : null),
    { enabled: funnel !== undefined },
  );
}

type Part = { report: FunnelReport; days: Days; selection: Selection };

function useTrend(
  what: string,
  { report, days, selection }: Part,
  { interval, enabled }: { interval: 'day' | 'week'; enabled: boolean },
) {
  const { appId: id, funnelId, computedAt } = report;
  const query = { ...selection, ...days, interval };
  return useQuery(
    `${what} ${funnelId} ${JSON.stringify(query)} ${computedAt}`,
    (signal) => api.getFunnelReport({ id, funnelId, query }, { signal }),
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
