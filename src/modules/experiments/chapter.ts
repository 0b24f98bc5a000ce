import type { Chapter } from '../../chapter.ts';
import { OVERRIDES_OF_PERSON } from './overrides-queries.ts';

export const experimentsChapter: Chapter = {
  name: 'experiments',
  tables: ['experiment_overrides', 'experiments', 'flag_experiments', 'onboardings'],
  people: [OVERRIDES_OF_PERSON],
};
