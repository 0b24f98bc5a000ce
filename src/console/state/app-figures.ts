import { api } from './api.ts';
import { addDays, later, lengthOf } from './days.ts';
import { VERSION } from './filter-rules.ts';
import { peopleQuery } from './people-days.ts';
import type { Question } from './query.ts';
import { purchasesQuery, salesQuery } from './range-query.ts';
import type { Resolved } from './ranges.ts';
import { question } from './use-api.ts';

export type EventSeries = Awaited<ReturnType<typeof api.getEventSeries>>;
export type Retention = Awaited<ReturnType<typeof api.getEventRetention>>;
export type Revenue = Awaited<ReturnType<typeof api.getPurchasesOverview>>;
export type Sales = Awaited<ReturnType<typeof api.getSalesAnalytics>>;

/** From the first day of new people to the last. */
const MAX_COHORTS = 62;

export function peopleQuestion(appId: string, range: Resolved): Question<EventSeries> {
  const query = peopleQuery(range);
  return question(api.getEventSeries, { id: appId, query }, appId);
}

export function newPeopleQuestion(appId: string, range: Resolved): Question<Retention> {
  const { from, to } = peopleQuery(range);
  const query = {
    from: later(from, addDays(to, 1 - MAX_COHORTS)),
    to,
    interval: 'day' as const,
    cohort: 'first' as const,
    periods: 1,
  };
  return question(api.getEventRetention, { id: appId, query }, appId);
}

export function versionsQuestion(appId: string, range: Resolved): Question<EventSeries> {
  const { from, to } = range;
  const query = { from, to, breakdown: VERSION, compare: false };
  return question(api.getEventSeries, { id: appId, query }, appId);
}

export function revenueQuestion(appId: string, range: Resolved): Question<Revenue> {
  const query = purchasesQuery(range);
  return question(api.getPurchasesOverview, { id: appId, query }, appId);
}

/** Of every store that is connected. */
export function salesQuestion(range: Resolved): Question<Sales> {
  const query = { ...salesQuery(range), store: 'all' as const };
  return question(api.getSalesAnalytics, { query }, 'all apps');
}

/** As far as is known; else there is no MRR. */
export const hasRevenue = ({ active, trials, mrr }: Revenue): boolean =>
  active + trials + mrr.start > 0;

export const knownDays = ({ window, missing }: Sales, range: Resolved) => ({
  known: window.days - missing.days.length,
  of: lengthOf(range),
});
