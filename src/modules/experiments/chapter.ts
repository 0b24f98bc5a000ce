import type { Chapter } from '../../chapter.ts';
import { deletePersonOverrides, selectPersonOverrides } from './overrides-queries.ts';

export const experimentsChapter: Chapter = {
  name: 'experiments',
  tables: ['experiment_overrides', 'experiments', 'flag_experiments', 'onboardings'],
  erasure: [
    {
      name: 'arms shown by hand',
      run: deletePersonOverrides,
      records: [{ kind: 'experiment_override', read: selectPersonOverrides }],
    },
  ],
};
