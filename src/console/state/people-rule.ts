import type {
  EventSelection,
  FigureOfAnswer,
  Question,
  SegmentClause,
  SegmentRule,
} from '../../../clients/api/src/index.ts';
import { together } from './ask-people.ts';

/** The nearest rule: clauses know neither order nor end. */
export function ruleOfPeople(question: Question, figure: FigureOfAnswer): SegmentRule | undefined {
  const { from, days } = question;
  const period = from ? { since: from } : days ? { withinDays: days } : {};
  const did = (selection: EventSelection = {}): SegmentClause => ({ did: selection, ...period });
  switch (question.kind) {
    case 'series':
      return { all: [did(question.series[figure.of === 'point' ? (figure.series ?? 1) - 1 : 0])] };
    case 'funnel': {
      if (figure.of !== 'step') return undefined;
      const steps = question.steps.map((step) => {
        const where = question.where ? together(step.where, question.where) : step.where;
        return { ...step, ...(where && { where }) };
      });
      const reached = steps.slice(0, figure.dropped ? figure.step - 1 : figure.step).map(did);
      const missed = figure.dropped && steps[figure.step - 1];
      return { all: [...reached, ...(missed ? [{ didNot: missed, ...period }] : [])] };
    }
    case 'retention':
      // Who came back in one period has no clause.
      return figure.of === 'cohort' && figure.period ? undefined : { all: [did(question.start)] };
    case 'lifecycle':
      return figure.of === 'state' && figure.state === 'dormant'
        ? undefined
        : { all: [did(question.selection)] };
    default:
      return undefined;
  }
}

export const ruleAddress = (appId: string, rule: SegmentRule): string =>
  `/apps/${appId}/segments/new?${new URLSearchParams({ rule: JSON.stringify(rule) })}`;

const CLAUSES = ['did', 'didNot', 'firstSeen', 'experiment', 'entitled', 'segment'];
const isClause = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && CLAUSES.some((clause) => clause in value);
const isList = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isClause);
const isRule = (value: unknown): value is SegmentRule =>
  typeof value === 'object' &&
  value !== null &&
  (('all' in value && isList(value.all)) || ('any' in value && isList(value.any)));

export function readRule(text: string | undefined): SegmentRule | undefined {
  try {
    const read: unknown = JSON.parse(text ?? 'null');
    return isRule(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
