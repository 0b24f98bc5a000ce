import {
  type EventSeries,
  hasRevenue,
  peopleQuestion,
  type Revenue,
  revenueQuestion,
  type Sales,
  salesQuestion,
} from '../../state/app-figures.ts';
import { type AppSales, appSales } from '../../state/app-sales.ts';
import { type DefaultFunnel, defaultFunnelQuestion } from '../../state/default-funnel.ts';
import { type Had, had } from '../../state/had.ts';
import { type Insights, insightsQuestion } from '../../state/insights.ts';
import { type PeopleDays, peopleDays } from '../../state/people-days.ts';
import type { App } from '../../state/place.ts';
import {
  type Query,
  type QueryState,
  useIsIdle,
  useQueries,
  useQuestion,
} from '../../state/query.ts';
import type { RangeState } from '../../state/range.ts';
import { type Summary, summaryQuestion } from '../../state/summary.ts';

export type Row = {
  app: App;
  people: Had<PeopleDays>;
  conversion: Had<NonNullable<DefaultFunnel>>;
  sales: Had<AppSales>;
  revenue: Had<Revenue>;
  summary: Had<Summary>;
  insights: Had<Insights>;
};

export type Overview = {
  rows: readonly Row[];
  /** No row moves any more. */
  isOrdered: boolean;
  sales: Query<Sales>;
  /** Until when events are counted in. */
  dataThrough: string | undefined;
  failed: readonly Query<unknown>[];
  isIdle: boolean;
};

const lastOf = (states: readonly QueryState<EventSeries>[]): string | undefined =>
  states.flatMap(({ data }) => data?.dataThrough ?? []).sort()[0];

const earns = ({ revenue }: Row): number => revenue?.mrr.end ?? 0;

/** Who earns most first; slow parts once the figures are there. */
export function useOverview(apps: readonly App[], range: RangeState): Overview {
  const ids = apps.map(({ id }) => id);
  const isIdle = useIsIdle();
  const sales = useQuestion(salesQuestion(range));
  const revenue = useQueries(ids.map((id) => revenueQuestion(id, range)));
  const people = useQueries(ids.map((id) => peopleQuestion(id, range)));
  const conversion = useQueries(ids.map((id) => defaultFunnelQuestion(id, range)));
  const summaries = useQueries(ids.map(summaryQuestion));
  const insights = useQueries(ids.map(insightsQuestion), { enabled: isIdle });
  const rows = apps.map(
    (app, index): Row => ({
      app,
      people: had(people[index], (data) => peopleDays(data, range)),
      conversion: had(conversion[index], (data) => data),
      sales: had(sales, (data) => appSales(data, app.id)),
      revenue: had(revenue[index], (data) => (hasRevenue(data) ? data : null)),
      summary: had(summaries[index], (data) => data),
      insights: had(insights[index], (data) => data),
    }),
  );
  const asked = [sales, ...revenue, ...people, ...conversion, ...summaries, ...insights];
  return {
    rows: rows.toSorted((one, other) => earns(other) - earns(one)),
    isOrdered: rows.every(({ revenue }) => revenue !== undefined),
    sales,
    dataThrough: lastOf(people.map((query) => query.value)),
    failed: asked.filter((query) => query.value.error !== undefined),
    isIdle,
  };
}
