import { questionKind } from '../contract/kind.ts';
import { openedFor } from '../reading/projection/held.ts';
import { FunnelAnswer, FunnelPeopleAnswer, FunnelPeopleQuestion, FunnelQuestion } from './model.ts';
import {
  planFunnel,
  armFunnelColumns,
  armSelection,
  funnelColumns,
  funnelSelection,
} from './plan.ts';

export const funnel = questionKind(FunnelQuestion, FunnelAnswer, {
  isShared: true,
  selection: (question) =>
    question.breakdown?.kind === 'arm'
      ? // People may have seen an arm long before the window of the report.
        armSelection(question, question.breakdown.exposedFromUs)
      : funnelSelection(question),
  needs: (question) => {
    if (question.breakdown?.kind === 'arm') return { columns: armFunnelColumns(question) };
    const plan = planFunnel(question);
    return { columns: funnelColumns(question, plan), ...openedFor(plan.held) };
  },
  count: async () => (await import('./count.ts')).answerFunnel,
  counter: async () => (await import('./projected.ts')).funnelCounter,
  lake: async () => (await import('./lake.ts')).lakeFunnel,
});

export const funnelPeople = questionKind(FunnelPeopleQuestion, FunnelPeopleAnswer, {
  isShared: false,
  selection: (question) => funnelSelection(question),
  needs: (question) => ({ columns: funnelColumns(question) }),
  count: async () => (await import('./people.ts')).funnelPeople,
  lake: async () => (await import('./lake.ts')).lakeFunnelPeople,
});
