import type { Chapter } from '../../chapter.ts';

/** Deleted with the app's row. */
export const flagsChapter: Chapter = {
  name: 'flags',
  tables: ['flag_asks', 'flag_sets', 'flag_versions', 'flags'],
};
