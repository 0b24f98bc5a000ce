import { checkConditions } from '../../query/selection/conditions.ts';
import { checkBreakdown } from './breakdown.ts';
import type { Question } from './model.ts';
import { checkSelections } from './selections.ts';

/** Throws `invalid_input` with the place of a condition that says nothing and of bounds in no order. */
export function checkQuestion(question: Question): void {
  switch (question.kind) {
    case 'series':
      checkSelections(question.series, 'question.series');
      checkBreakdown(question.breakdown, 'question.breakdown');
      return;
    case 'funnel':
      checkSelections(question.steps, 'question.steps');
      if (question.where) checkConditions(question.where, 'question.where');
      checkBreakdown(question.breakdown, 'question.breakdown');
      return;
    case 'measures':
    case 'lifecycle':
      checkBreakdown(question.breakdown, 'question.breakdown');
      return;
    case 'retention':
      if (question.start?.where) checkConditions(question.start.where, 'question.start.where');
      if (question.return?.where) checkConditions(question.return.where, 'question.return.where');
      checkBreakdown(question.breakdown, 'question.breakdown');
  }
}
