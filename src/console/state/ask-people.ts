import type { Conditions, FigureOfAnswer, Question } from '../../../clients/api/src/index.ts';
import { isObject, readJson, text } from './checks.ts';
import { type Ask, type By, bysOf, type Frame, questionsOf } from './ask.ts';
import { conditionsOf, isPropertyField } from './conditions.ts';

export type Picked = {
  /** Of which of the questions that the API is asked. */
  question: number;
  figure: FigureOfAnswer;
  values: readonly string[];
  title: string;
};

const isPicked = (value: unknown): value is Picked =>
  isObject(value) &&
  isObject(value.figure) &&
  Array.isArray(value.values) &&
  value.values.every(text) &&
  text(value.title);

export const readPicked = (json: string | undefined): Picked | undefined =>
  readJson(json, isPicked);

/** What a breakdown calls a missing value of a property. */
const UNKNOWN = 'unknown';

function valueConditions(bys: readonly By[], values: readonly string[]): Conditions | undefined {
  const parts = values.map((value, index) => {
    const by = bys[index];
    const isSayable =
      typeof by === 'string' && by !== 'arm' && !(isPropertyField(by) && value === UNKNOWN);
    return isSayable ? { field: by, operator: 'is' as const, values: [value] } : undefined;
  });
  const said = parts.flatMap((part) => part ?? []);
  return said.length === parts.length ? conditionsOf({ word: 'all', parts: said }) : undefined;
}

/** Undefined where one level of nesting does not hold them. */
export function together(where: Conditions | undefined, more: Conditions): Conditions | undefined {
  if (!where) return more;
  if (!('all' in more)) return undefined;
  if ('all' in where) return { all: [...where.all, ...more.all] };
  const leaves = where.any.flatMap((one) => ('field' in one || 'segment' in one ? [one] : []));
  return leaves.length === where.any.length ? { all: [{ any: leaves }, ...more.all] } : undefined;
}

const breakdownsIn = (question: Question): readonly By[] =>
  'breakdown' in question ? bysOf(question.breakdown) : [];

export function withinValues(question: Question, values: readonly string[]): Question | undefined {
  // The API leaves the breakdown out.
  if (values.length === 0) return question;
  const more = valueConditions(breakdownsIn(question), values);
  if (!more) return undefined;
  switch (question.kind) {
    case 'series': {
      const { breakdown: _, ...asked } = question;
      const [first = {}] = question.series;
      const where = together(first.where, more);
      return where && { ...asked, series: [{ ...first, where }] };
    }
    case 'funnel': {
      const { breakdown: _, ...asked } = question;
      const where = together(question.where, more);
      return where && { ...asked, where };
    }
    case 'retention': {
      const { breakdown: _, ...asked } = question;
      const where = together(question.start?.where, more);
      return where && { ...asked, start: { ...question.start, where } };
    }
    case 'lifecycle': {
      const { breakdown: _, ...asked } = question;
      const where = together(question.selection?.where, more);
      return where && { ...asked, selection: { ...question.selection, where } };
    }
    default:
      return undefined;
  }
}

export function pickedQuestion(ask: Ask, frame: Frame, picked: Picked): Question | undefined {
  const question = questionsOf(ask, frame)[picked.question];
  return question && withinValues(question, picked.values);
}
