import * as query from '../../query/selection/conditions.ts';
import type { NamedMember } from '../segments/index.ts';
import type { Question } from './model.ts';
import { checkBreakdown } from './resolve/breakdown.ts';
import type { Selection } from './resolve/selection.model.ts';

type Change = (where: query.Conditions, place: string) => query.Conditions;

/** With each group of conditions changed, given its place. */
export function mapConditions(question: Question, change: Change): Question {
  const inPlace = <S extends { where?: query.Conditions }>(selection: S, place: string): S =>
    selection.where
      ? { ...selection, where: change(selection.where, place === '' ? 'where' : `${place}.where`) }
      : selection;
  const inList = (selections: readonly Selection[], place: string): Selection[] =>
    selections.map((one, index) => inPlace(one, `${place}[${index}]`));
  switch (question.kind) {
    case 'series':
      return { ...question, series: inList(question.series, 'series') };
    case 'funnel': {
      const exclusions = question.exclusions?.map(({ selection, ...between }, index) => ({
        ...{ ...between, selection: inPlace(selection, `exclusions[${index}].selection`) },
      }));
      const steps = inList(question.steps, 'steps');
      return { ...inPlace(question, ''), steps, ...(exclusions && { exclusions }) };
    }
    case 'retention': {
      const { start = {}, return: comingBack = {} } = question;
      return {
        ...{ ...question, start: inPlace(start, 'start') },
        return: inPlace(comingBack, 'return'),
      };
    }
    case 'measures':
    case 'lifecycle':
      return { ...question, selection: inPlace(question.selection ?? {}, 'selection') };
    case 'paths':
      return { ...question, selection: inPlace(question.selection, 'selection') };
  }
}

export function placedWheres(question: Question): { where: query.Conditions; place: string }[] {
  const all: { where: query.Conditions; place: string }[] = [];
  mapConditions(question, (where, place) => {
    all.push({ where, place });
    return where;
  });
  return all;
}

/** `place`: of the question. */
export function checkQuestion(question: Question, place = ''): void {
  if ('breakdown' in question) checkBreakdown(question.breakdown, `${place}breakdown`);
  for (const { where, place: own } of placedWheres(question)) {
    query.checkConditions(where, `${place}${own}`);
  }
}

export const segmentsNamed = (question: Question, place = ''): NamedMember[] => [
  ...placedWheres(question).flatMap(({ where, place: own }) =>
    query.placedMembers(where, `${place}${own}`),
  ),
  ...('segments' in question ? (question.segments ?? []) : []).map((segment, index) => ({
    place: `${place}segments[${index}]`,
    condition: { segment, is: true },
  })),
];
