import { at } from '../../shared/assert.ts';
import { questionKind } from '../contract/kind.ts';
import { openedFor } from '../reading/projection/held.ts';
import { PeopleAnswer } from '../selection/people-page.ts';
import { selectedNames, selectedSql, type Selected } from '../selection/selected.ts';
import { type AppSelection, named } from '../selection/selection.ts';
import { SeriesAnswer, SeriesPeopleQuestion, SeriesQuestion } from './model.ts';
import { heldForSeries } from './needs.ts';

const isOneName = ({ events }: Selected) => events === undefined || events.length === 1;

/** By names where these say it, which is counted quickest. */
export function simplest(question: SeriesQuestion): SeriesQuestion {
  const { selections = [], ...asked } = question;
  const [first, ...others] = selections;
  if (first === undefined || asked.where !== undefined) return question;
  const { where } = first;
  const byNames = (names: string[] | null) => ({ ...asked, names, ...(where && { where }) });
  if (others.length === 0 && (asked.breakdown || isOneName(first))) {
    return byNames(first.events ?? null);
  }
  const names = selections.flatMap(({ events = [] }) => events);
  const isEachOfAName = selections.every(
    (one) => one.events?.length === 1 && JSON.stringify(one.where) === JSON.stringify(where),
  );
  const isEachOnce = new Set(names).size === selections.length;
  return isEachOfAName && isEachOnce ? byNames(names) : question;
}

const COLUMNS = ['name', 'occurred_at'];

type Series = Omit<SeriesPeopleQuestion, 'after' | 'bucket' | 'limit'> &
  Partial<Pick<SeriesQuestion, 'breakdown' | 'crossed' | 'selections'>>;

function selection(question: Series): AppSelection {
  const { orgId, appId, environment, boundariesUs, filters, where } = question;
  const { breakdown = null, crossed, selections } = question;
  const names = selections ? selectedNames(selections) : question.names;
  return {
    ...{ orgId, appId, environment, filters, where, breakdown, crossed, ...named(names) },
    fromUs: at(boundariesUs, 0),
    beforeUs: at(boundariesUs, boundariesUs.length - 1),
  };
}

export const series = questionKind(SeriesQuestion, SeriesAnswer, {
  isShared: true,
  plan: simplest,
  selection,
  needs: (question) => ({
    columns: [
      ...COLUMNS,
      ...(question.selections ?? []).flatMap((one) => selectedSql(one).columns),
    ],
    counts: true,
    ...openedFor(heldForSeries(question)),
  }),
  count: async () => (await import('./count.ts')).countSeries,
  lake: async () => (await import('./count.ts')).seriesBySql,
  counter: async () => (await import('./projected.ts')).seriesCounter,
});

export const seriesPeople = questionKind(SeriesPeopleQuestion, PeopleAnswer, {
  isShared: false,
  selection,
  needs: () => ({ columns: COLUMNS, counts: true }),
  lake: async () => (await import('./people.ts')).seriesPeople,
  count: async () => (await import('./people.ts')).seriesPeople,
});
