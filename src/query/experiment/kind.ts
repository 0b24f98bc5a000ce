import { questionKind } from '../contract/kind.ts';
import { armFunnelColumns, armSelection } from '../funnel/plan.ts';
import { ExperimentAnswer, ExperimentQuestion } from './model.ts';

export const experiment = questionKind(ExperimentQuestion, ExperimentAnswer, {
  isShared: true,
  selection: ({ measure, windowUs, ...question }) => {
    const readUs = Math.max(windowUs, measure?.horizonUs ?? 0);
    const rules = { ...question, windowUs: readUs };
    return armSelection(rules, question.fromUs, measure?.events);
  },
  needs: ({ measure, ...question }) => ({
    columns: armFunnelColumns(question, measure?.events),
  }),
  lake: 'Arms go by the order of receipt, and payments are given with the question.',
  count: async () => (await import('./compare.ts')).compareArms,
});
