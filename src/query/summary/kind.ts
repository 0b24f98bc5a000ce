import { questionKind } from '../contract/kind.ts';
import { SummaryAnswer, SummaryQuestion } from './model.ts';

export const summary = questionKind(SummaryQuestion, SummaryAnswer, {
  isShared: true,
  selection: ({ limit: _, ...window }) => ({ ...window, ofClients: true }),
  needs: () => ({
    columns: ['name', 'platform', 'app_version', 'occurred_at'],
    counts: true,
    projections: true,
  }),
  count: async () => (await import('./summarise.ts')).summarise,
  counter: async () => (await import('./projected.ts')).summaryCounter,
  lake: async () => (await import('./summarise.ts')).summariseBySql,
});
