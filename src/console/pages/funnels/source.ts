import type { FunnelReport, PeopleOfQuestion } from '../../../../clients/api/src/index.ts';
import type { PageQuery } from '../../state/all-pages.ts';
import { api } from '../../state/api.ts';
import { withinValues } from '../../state/ask-people.ts';
import { type FunnelAsk, type Frame, questionsOf } from '../../state/ask.ts';
import { type Days, daysBefore } from '../../state/days.ts';
import {
  dimensionOf,
  filterQuery,
  filtersIn,
  isProperty,
  propertyOf,
} from '../../state/filter-rules.ts';
import type { Funnel } from '../../state/funnels.ts';
import type { Report } from './asked-report.ts';
import type { Listed } from './listed.ts';

export type { FunnelReport };

type Asking = { interval: 'day' | 'week'; isBrokenDown?: boolean; isCompared?: boolean };
type Page = { people: (PeopleOfQuestion['people'][number] & { reachedAt?: string })[] } & Pick<
  PeopleOfQuestion,
  'nextCursor'
>;
type FetchPage = (page: PageQuery, options: { signal?: AbortSignal }) => Promise<Page>;

export type Source = {
  /** With all that the answers depend on. */
  key: string;
  read: (days: Days, asking: Asking, signal: AbortSignal) => Promise<Report>;
  /** Undefined where people of that value cannot be asked for. */
  people: (listed: Listed, days: Days) => FetchPage | undefined;
  counted?: Selection;
  ask: FunnelAsk;
  environment: Frame['environment'];
};

export type Selection = ReturnType<typeof selectionOf>;

function selectionOf({ where, people, windowHours }: FunnelAsk, environment: Frame['environment']) {
  return {
    filters: filterQuery(filtersIn(where) ?? []),
    environment,
    ...(people === 'new' && { people }),
    ...(windowHours !== undefined && { windowHours }),
  };
}

/** Undefined where routes take none. */
function groupFilter(by: FunnelAsk['breakdown'], selection: Selection, value: string) {
  const dimension = typeof by === 'string' ? dimensionOf(by) : undefined;
  if (!dimension || dimension === 'arm') return undefined;
  if (!isProperty(dimension)) return { [dimension]: value };
  const property = `${propertyOf(dimension)}=${value}`;
  // Routes filter by one property.
  const isOther =
    selection.filters.property !== undefined && selection.filters.property !== property;
  return isOther ? undefined : { property };
}

export function namedSource(
  funnel: Funnel,
  ask: FunnelAsk,
  environment: Frame['environment'],
): Source {
  const { appId: id, id: funnelId, updatedAt } = funnel;
  const selection = selectionOf(ask, environment);
  const { filters, ...others } = selection;
  const said = { ...filters, ...others };
  const breakdown = typeof ask.breakdown === 'string' ? ask.breakdown : undefined;
  return {
    key: JSON.stringify([funnelId, updatedAt, selection, breakdown]),
    counted: selection,
    ...{ ask, environment },
    read: (days, { interval, isBrokenDown, isCompared }, signal) => {
      const query = {
        ...{ ...said, ...days, interval },
        ...(isBrokenDown && breakdown && { breakdown }),
        ...(isCompared && { compare: 'previous' as const }),
      };
      return api.getFunnelReport({ id, funnelId, query }, { signal });
    },
    people: ({ step, kind, of }, days) => {
      const group = of === undefined ? {} : groupFilter(breakdown, selection, of);
      const dropped = kind === 'stopped' && { dropped: true };
      const query = { ...said, ...group, ...days, step, ...dropped };
      return (
        group &&
        ((page, options) =>
          api.listFunnelPeople({ id, funnelId, query: { ...query, ...page } }, options))
      );
    },
  };
}

export function askedSource(
  id: string,
  ask: FunnelAsk,
  frame: Frame,
  labels: readonly string[],
): Source {
  const answerOf = async (
    asked: FunnelAsk,
    { days, interval }: { days: Days; interval?: Asking['interval'] },
    signal: AbortSignal,
  ) => {
    const [question] = questionsOf(asked, { ...frame, window: days });
    if (question?.kind !== 'funnel') throw new Error('It is a funnel.');
    const body = { ...question, ...(interval && { interval }) };
    const answer = await api.answerQuestion({ id, body }, { signal });
    if (answer.kind !== 'funnel') throw new Error('It is a funnel.');
    return answer;
  };
  const { breakdown: _, ...whole } = ask;
  return {
    key: JSON.stringify([id, ask, frame.environment, labels]),
    ...{ ask, environment: frame.environment },
    read: async (days, { interval, isBrokenDown, isCompared }, signal) => {
      const [answer, before] = await Promise.all([
        answerOf(isBrokenDown ? ask : whole, { days, interval }, signal),
        isCompared ? answerOf(whole, { days: daysBefore(days) }, signal) : undefined,
      ]);
      const { reportOf } = await import('./asked-report.ts');
      return reportOf(id, ask, { answer, before, labels });
    },
    people: ({ step, kind, of }, days) => {
      const [asked] = questionsOf(ask, { ...frame, window: days });
      const question = asked && withinValues(asked, of === undefined ? [] : [of]);
      const figure = { of: 'step' as const, step, ...(kind === 'stopped' && { dropped: true }) };
      return (
        question &&
        ((page, options) =>
          api.listQuestionPeople({ id, body: { question, figure, ...page } }, options))
      );
    },
  };
}
