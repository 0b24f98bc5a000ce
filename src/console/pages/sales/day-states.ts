import type { Operations } from '../../../../clients/api/src/index.ts';

/** No delay of the store any more. */
const LATE_DAYS = 7;
const DAY_MS = 86_400_000;
type Analytics = Operations['getSalesAnalytics']['output'];
export type DayState = 'covered' | 'late' | 'due' | 'gap' | 'ahead' | 'gone';
export type DayOfYear = { day: string; state: DayState };

/** Or none has ended since the store was last asked. */
export function isCollecting({ freshness }: Pick<Analytics, 'freshness'>): boolean {
  const { checkedAt, lastRunAt } = freshness;
  return lastRunAt === null || (checkedAt !== null && checkedAt > lastRunAt);
}

function stateOf(
  { day, covered }: { day: string; covered: boolean },
  analytics: Pick<Analytics, 'freshness'>,
  nowMs: number,
): DayState {
  const { freshness } = analytics;
  const { coveredFrom, yesterday, publishExpectedBy } = freshness;
  if (covered) return 'covered';
  if (day >= yesterday && nowMs < Date.parse(publishExpectedBy)) return 'due';
  const age = (Date.parse(freshness.today) - Date.parse(day)) / DAY_MS;
  if (coveredFrom !== null && age <= LATE_DAYS) return 'late';
  if (coveredFrom !== null && day > coveredFrom) return 'gap';
  const isOver = coveredFrom !== null && freshness.lastError === null && !isCollecting(analytics);
  return isOver ? 'gone' : 'ahead';
}

export function dayStates(
  analytics: Pick<Analytics, 'freshness' | 'series'>,
  nowMs: number,
): DayOfYear[] {
  return analytics.series.map((one) => ({
    day: one.day,
    state: stateOf(one, analytics, nowMs),
  }));
}

export function daysLeft(analytics: Pick<Analytics, 'freshness'>, days: readonly DayOfYear[]) {
  if (!isCollecting(analytics)) return null;
  return days.filter(({ state }) => state === 'ahead').length;
}
