import {
  hasRevenue,
  newPeopleQuestion,
  peopleQuestion,
  type Revenue,
  revenueQuestion,
  type Sales,
  salesQuestion,
} from '../../state/app-figures.ts';
import { type AppSales, appSales } from '../../state/app-sales.ts';
import { type DefaultFunnel, defaultFunnelQuestion } from '../../state/default-funnel.ts';
import { type Had, had } from '../../state/had.ts';
import { newPeopleDays } from '../../state/new-people.ts';
import { latestDay, type PeopleDays, peopleDays } from '../../state/people-days.ts';
import type { App } from '../../state/place.ts';
import { type Query, useQuestion } from '../../state/query.ts';
import { type RangeState, type Resolved, throughToday } from '../../state/range.ts';
import { type RevenueSum, revenueOfAll } from '../../state/revenue-of-all.ts';

export type Overview = {
  shown: Resolved;
  people: Had<PeopleDays>;
  newPeople: Had<PeopleDays>;
  conversion: Had<NonNullable<DefaultFunnel>>;
  sales: Had<AppSales>;
  revenue: Had<RevenueSum>;
  queries: {
    people: Query<unknown>;
    newPeople: Query<unknown>;
    conversion: Query<DefaultFunnel>;
    sales: Query<Sales>;
    revenue: Query<Revenue>;
  };
  /** Nothing of it is on its way for the first time. */
  isSettled: boolean;
};

/** Null for an app of which nothing could be had. */
export function useOverview(
  appId: string,
  app: App | null | undefined,
  range: RangeState,
): Overview {
  const people = useQuestion(peopleQuestion(appId, range));
  const newPeople = useQuestion(newPeopleQuestion(appId, range));
  const days = had(people, (data) => peopleDays(data, range));
  const shown = days && latestDay(days)?.isPartial ? throughToday(range) : range;
  const conversion = useQuestion(defaultFunnelQuestion(appId, shown));
  const revenue = useQuestion(revenueQuestion(appId, range));
  const sales = useQuestion(salesQuestion(range));
  const queries = { people, newPeople, conversion, sales, revenue };
  return {
    shown,
    people: days,
    newPeople: days && had(newPeople, (data) => newPeopleDays(data, days)),
    conversion: had(conversion, (data) => data),
    sales: app === null ? null : app && had(sales, (data) => appSales(data, app.id)),
    revenue: had(revenue, (data) => (hasRevenue(data) ? revenueOfAll([data]) : null)),
    queries,
    isSettled: Object.values(queries).every(
      ({ value }) => value.data !== undefined || value.error !== undefined,
    ),
  };
}
