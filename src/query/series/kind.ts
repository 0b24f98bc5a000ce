import { at } from '../../shared/assert.ts';
import { questionKind } from '../contract/kind.ts';
import { openedFor } from '../reading/projection/held.ts';
import { PeopleAnswer } from '../selection/people-page.ts';
import { selectedNames, selectedSql } from '../selection/selected.ts';
import { type AppSelection, named } from '../selection/selection.ts';
import { SeriesAnswer, SeriesPeopleQuestion, SeriesQuestion } from './model.ts';
import { heldForSeries } from './needs.ts';
import { simplest } from './simplest.ts';

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
  counter: async () => (await import('./projected.ts')).seriesCounter,
});

export const seriesPeople = questionKind(SeriesPeopleQuestion, PeopleAnswer, {
  isShared: false,
  selection,
  needs: () => ({ columns: COLUMNS, counts: true }),
  count: async () => (await import('./people.ts')).seriesPeople,
});
