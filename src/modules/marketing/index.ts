import type { Chapter } from '../../chapter.ts';
import { removeMarketing } from './connect.ts';

export const marketingChapter: Chapter = {
  name: 'marketing',
  tables: ['social_connections', 'social_profiles'],
  cleanup: { name: 'marketing', run: removeMarketing },
};
