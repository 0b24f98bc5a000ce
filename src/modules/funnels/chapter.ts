import type { Chapter } from '../../chapter.ts';
import { deleteAppFunnels } from './queries.ts';

export const funnelsChapter: Chapter = {
  name: 'funnels',

  tables: ['funnel_settings', 'funnels'],
  cleanup: { name: 'funnels', run: ({ deps }, app) => deleteAppFunnels(deps.sql, app) },
};
