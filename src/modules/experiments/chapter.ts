import type { Chapter } from '../../chapter.ts';
import { deleteOverridesOf, selectOverridesOf } from './overrides-queries.ts';

export const experimentsChapter: Chapter = {
  name: 'experiments',
  tables: ['experiment_overrides', 'experiments', 'flag_experiments', 'onboardings'],
  erasure: [
    {
      name: 'arms shown by hand',
      run: deleteOverridesOf,
      records: [{ kind: 'experiment_override', read: selectOverridesOf }],
    },
  ],
};
