import { questionKind } from '../contract/kind.ts';
import { SESSION_COLUMNS, SESSION_MARGIN_US } from '../reading/source/session.ts';
import { selectedColumns } from '../selection/among-others.ts';
import { PathsAnswer, PathsQuestion } from './model.ts';

export const paths = questionKind(PathsQuestion, PathsAnswer, {
  isShared: true,
  /** All of clients: what comes before and after is any event. */
  selection: ({ orgId, appId, environment, fromUs, beforeUs }) => ({
    ...{ orgId, appId, environment, ofClients: true },
    fromUs: fromUs - SESSION_MARGIN_US,
    beforeUs: beforeUs + SESSION_MARGIN_US,
  }),
  needs: ({ filters, where }) => ({
    columns: [...SESSION_COLUMNS, ...selectedColumns({ filters, where })],
    counts: true,
  }),
  lake: async () => (await import('./count.ts')).countPaths,
  count: async () => (await import('./count.ts')).countPaths,
});
