import { questionKind } from '../kind.ts';
import { SESSION_COLUMNS, SESSION_MARGIN_US } from '../reading/duckdb/sessions.ts';
import { allSql } from '../selection/condition-sql.ts';
import { conditionsOfEvents } from '../selection/selection.ts';
import { PathsAnswer, PathsQuestion } from './model.ts';

export const paths = questionKind(PathsQuestion, PathsAnswer, {
  isShared: true,
  /** All of clients: what comes before and after is any event. */
  selection: ({ orgId, appId, environment, fromUs, beforeUs }) => ({
    ...{ orgId, appId, environment, ofClients: true },
    fromUs: fromUs - SESSION_MARGIN_US,
    beforeUs: beforeUs + SESSION_MARGIN_US,
  }),
  needs: ({ filters }) => ({
    columns: ['name', ...SESSION_COLUMNS, ...allSql(conditionsOfEvents({ filters })).columns],
    counts: true,
  }),
  count: async () => (await import('./count.ts')).countPaths,
});
