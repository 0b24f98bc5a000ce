import type { Chapter } from '../../chapter.ts';

export const keysChapter: Chapter = {
  name: 'keys',
  tables: ['publishable_keys'],
};
