import type { Chapter } from '../../chapter.ts';

export const funnelsChapter: Chapter = {
  name: 'funnels',

  tables: ['funnel_settings', 'funnels'],
};
