import { checkConditions } from '../../query/selection/conditions.ts';
import { checkBreakdown } from './breakdown.ts';
import type { Question } from './model.ts';
import { checkSelection, checkSelections } from './selections.ts';

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
      checkSelection(question.start ?? {}, 'question.start');
      checkSelection(question.return ?? {}, 'question.return');
      checkBreakdown(question.breakdown, 'question.breakdown');
  }
}
