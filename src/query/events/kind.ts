import { questionKind } from '../contract/kind.ts';
import type { AppSelection } from '../selection/selection.ts';
import { COLUMNS, SEARCHED } from './columns.ts';
import * as model from './model.ts';

const LISTED = 'Only the newest events, or those of one person, are read.';

/** Reserved events and erased people are left out of it. */
const SEARCHED_PER_EVENT = [4, 256];

export const recent = questionKind(model.RecentQuestion, model.RecentAnswer, {
  isShared: false,
  selection: ({ orgId, appId, environment, beforeUs, name, filters }): AppSelection => ({
    ...{ orgId, appId, environment, beforeUs, filters, ofClients: true },
    ...(name !== undefined && { names: [name] }),
  }),
  needs: ({ personId }) => ({ columns: COLUMNS, projections: personId !== undefined }),
  newest: {
    counts: ({ limit }) => SEARCHED_PER_EVENT.map((rows) => rows * limit),
    isEnough: ({ events }, { limit }) => events.length >= limit,
  },
  lake: LISTED,
  count: async () => (await import('./list.ts')).lastReceived,
});

/** Projections say in which files a person is. */
export const person = questionKind(model.PersonQuestion, model.PersonAnswer, {
  isShared: false,
  selection: ({ orgId, appId, environment, beforeUs }): AppSelection => ({
    ...{ orgId, appId, environment, beforeUs },
  }),
  needs: () => ({ columns: COLUMNS, projections: true }),
  lake: LISTED,
  count: async () => (await import('./list.ts')).personEvents,
});

export const peopleSearch = questionKind(model.SearchQuestion, model.SearchAnswer, {
  isShared: false,
  selection: ({ orgId, appId, environment, beforeUs }): AppSelection => ({
    ...{ orgId, appId, environment, beforeUs, ofClients: true },
  }),
  needs: ({ personIds }) => ({
    columns: ['name', ...SEARCHED],
    projections: personIds !== undefined,
  }),
  lake: LISTED,
  count: async () => (await import('./list.ts')).searchPeople,
});
