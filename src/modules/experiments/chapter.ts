import type { Chapter } from '../../chapter.ts';

export const experimentsChapter: Chapter = {
  name: 'experiments',
  tables: ['experiments', 'onboardings'],
};
