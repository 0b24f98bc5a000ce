import { api } from '../../state/api.ts';
import { lengthOf } from '../../state/days.ts';
import { useQuery } from '../../state/query.ts';
import type { Asked, FunnelReport, Source } from './queries.ts';
import type { Selection } from './source.ts';

type Counts = readonly (number | null)[];
type Part = Pick<Asked, 'report' | 'days'> & { selection: Selection };

/** The summary of them knows no filters. */
async function countsUntilNow(
  { appId: id, steps }: FunnelReport,
  query: { days: number; environment: Selection['environment'] },
  signal: AbortSignal,
): Promise<Counts> {
  const { names } = await api.getEventSummary({ id, query }, { signal });
  const people = new Map(names.map((one) => [one.name, one.people]));
  return steps.map(({ event, where }) => (where ? null : (people.get(event) ?? 0)));
}

/** A series a step, by its own property. */
async function countsOf(
  { report: { appId: id, steps }, days, selection }: Part,
  signal: AbortSignal,
): Promise<Counts> {
  const query = { ...days, ...selection.filters, environment: selection.environment };
  return Promise.all(
    steps.map(async ({ event, where }) => {
      const own = where && { property: `${where.prop}=${where.equals}` };
      const { totals } = await api.getEventSeries(
        { id, query: { ...query, compare: false, names: event, ...own } },
        { signal },
      );
      return totals.people;
    }),
  );
}

export function useCounts(of: Pick<Asked, 'report' | 'days'> & { source: Source; today: string }) {
  const { report, days, source, today } = of;
  const { appId, steps, computedAt } = report;
  const selection = source.counted ?? { filters: {}, environment: 'production' };
  const isUntilNow = days.to === today && Object.keys(selection.filters).length === 0;
  const key = JSON.stringify([
    appId,
    source.key,
    steps.map(({ event }) => event),
    days,
    computedAt,
  ]);
  return useQuery(
    `funnel counts ${key}`,
    (signal) =>
      isUntilNow
        ? countsUntilNow(
            report,
            { days: lengthOf(days), environment: selection.environment },
            signal,
          )
        : countsOf({ report, days, selection }, signal),
    { enabled: source.counted !== undefined },
  );
}
