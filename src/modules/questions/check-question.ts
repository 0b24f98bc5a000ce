import { checkConditions } from '../../query/selection/conditions.ts';
import { checkBreakdown } from './breakdown.ts';
import type { Question } from './model.ts';
import { checkSelection, checkSelections } from './selections.ts';

export function checkQuestion(question: Question): void {
  if ('breakdown' in question) checkBreakdown(question.breakdown, 'question.breakdown');
  switch (question.kind) {
    case 'series':
      checkSelections(question.series, 'question.series');
      return;
    case 'funnel':
      checkSelections(question.steps, 'question.steps');
      if (question.where) checkConditions(question.where, 'question.where');
      for (const [index, { selection }] of (question.exclusions ?? []).entries()) {
        checkSelection(selection, `question.exclusions[${index}].selection`);
      }
      return;
    case 'retention':
      checkSelection(question.start ?? {}, 'question.start');
      checkSelection(question.return ?? {}, 'question.return');
      return;
    case 'measures':
    case 'lifecycle':
    case 'paths':
      checkSelection(question.selection ?? {}, 'question.selection');
  }
}
